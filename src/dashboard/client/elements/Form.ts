import { type ComponentChildren, h } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"
import { messageOf } from "./Http.ts"
import { problemNote } from "./Elements.ts"

interface FormProps {
  readonly action: string
  readonly onSubmit: (data: FormData) => Promise<unknown>
  readonly submitAtOnce?: boolean
  /** The name of the field that is most likely wrong after a refusal; it gets the focus. */
  readonly mostLikelyWrong?: string
  readonly children?: ComponentChildren
}

/** A form with one button; shows a failure below its fields, and keeps what was typed. */
export const Form = ({
  action,
  children,
  mostLikelyWrong,
  onSubmit,
  submitAtOnce = false
}: FormProps): ComponentChildren => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [submitted, setSubmitted] = useState(false)

  const send = async (form: HTMLFormElement) => {
    try {
      await onSubmit(new FormData(form))
      form.reset()
    } catch (failure) {
      setProblem(messageOf(failure))
      const field = mostLikelyWrong === undefined ? undefined : form.elements.namedItem(mostLikelyWrong)
      if (!(field instanceof HTMLInputElement)) return
      field.focus()
      field.select()
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const form = event.currentTarget
    if (busy || !(form instanceof HTMLFormElement)) return
    setBusy(true)
    setProblem(undefined)
    send(form).finally(() => setBusy(false))
  }
  const start = (form: HTMLFormElement | null) => {
    if (form === null || !submitAtOnce || submitted) return
    setSubmitted(true)
    form.requestSubmit()
  }

  return h(
    "form",
    { class: "form", onSubmit: submit, ref: start },
    children,
    problemNote(problem),
    html`<div class="buttons">
      <button type="submit" class="primary" aria-disabled=${busy}>${busy ? "One moment …" : action}</button>
    </div>`
  )
}

/** The text that was typed into a field. */
export const textOf = (data: FormData, name: string): string => {
  const value = data.get(name)
  return typeof value === "string" ? value.trim() : ""
}
