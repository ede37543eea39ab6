import type { ComponentChildren } from "preact"
import { useId, useRef, useState } from "preact/hooks"
import { html } from "htm/preact"
import { messageOf } from "./Http.ts"
import { problemNote } from "./Elements.ts"

interface ConfirmProps {
  readonly action: string
  /** What the button is for, for users of screen readers. */
  readonly label?: string
  readonly question: string
  readonly consequence: string
  readonly onConfirm: () => Promise<unknown>
}

/** A button for an action that cannot be undone; it asks for confirmation. */
export const ConfirmButton = ({
  action,
  consequence,
  label,
  onConfirm,
  question
}: ConfirmProps): ComponentChildren => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const confirm = () => {
    if (busy) return
    setBusy(true)
    onConfirm()
      .then(
        () => dialog.current?.close(),
        (failure: unknown) => setProblem(messageOf(failure))
      )
      .finally(() => setBusy(false))
  }
  return html`<button
      type="button"
      class="danger"
      aria-label=${label}
      onClick=${() => dialog.current?.showModal()}
    >
      ${action}
    </button>
    <dialog
      ref=${dialog}
      aria-labelledby=${`${id}-q`}
      aria-describedby=${`${id}-c`}
      onClose=${() => setProblem(undefined)}
    >
      <h2 id=${`${id}-q`}>${question}</h2>
      <p id=${`${id}-c`}>${consequence}</p>
      ${problemNote(problem)}
      <div class="buttons">
        <button type="button" class="danger" aria-disabled=${busy} onClick=${confirm}>${action}</button>
        <button type="button" autofocus onClick=${() => dialog.current?.close()}>Keep it</button>
      </div>
    </dialog>`
}
