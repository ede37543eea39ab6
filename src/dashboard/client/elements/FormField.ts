import { type ComponentChildren, h, type InputHTMLAttributes } from "preact"
import { useId, useEffect, useState } from "preact/hooks"
import { html } from "htm/preact"

interface FieldProps {
  readonly label: string
  readonly hint?: string
}

/** A string or number field with its label and, if need be, a hint. */
export const TextField = ({ hint, label, ...input }: FieldProps & InputHTMLAttributes): ComponentChildren => {
  const id = useId()
  return html`<div class="field">
    <label for=${id}>${label}</label>
    ${h("input", { type: "text", ...input, id, ...(hint === undefined ? {} : { "aria-describedby": `${id}-hint` }) })}
    ${hint === undefined ? null : html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
  </div>`
}

interface SelectProps extends FieldProps {
  readonly name: string
  readonly value: string
  readonly options: ReadonlyArray<readonly [value: string, text: string]>
  readonly onChange: (value: string) => void
}

/** A choice of one of a few. */
export const SelectField = ({
  hint,
  label,
  name,
  onChange,
  options,
  value
}: SelectProps): ComponentChildren => {
  const id = useId()
  const change = ({ currentTarget }: Event) => {
    if (!(currentTarget instanceof HTMLSelectElement)) return
    const chosen = currentTarget.value
    // Until the choice is accepted, which it may not be.
    currentTarget.value = value
    onChange(chosen)
  }
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <select id=${id} name=${name} value=${value} onChange=${change}>
      ${options.map(([option, text]) => html`<option value=${option} selected=${option === value}>${text}</option>`)}
    </select>
    ${hint === undefined ? null : html`<p class="hint">${hint}</p>`}
  </div>`
}

/** Boxes or buttons that belong together, under one heading. */
export const group = (legend: string, children: ComponentChildren): ComponentChildren =>
  html`<fieldset class="field">
    <legend>${legend}</legend>
    <div class="choices">${children}</div>
  </fieldset>`

interface FilterProps {
  readonly label: string
  readonly type: "search" | "date"
  /** What the list is filtered by now. */
  readonly value: string
  readonly placeholder?: string
  readonly onFilter: (value: string) => void
}

/** While `2026` is being typed, browsers report the days of the years 2, 20 and 202. */
const isBeingTyped = (value: string): boolean => value.startsWith("0")

/** A field that filters a list. What is being typed stays when the list is drawn again. */
export const FilterField = ({
  label,
  onFilter,
  placeholder = "",
  type,
  value
}: FilterProps): ComponentChildren => {
  const [typed, keep] = useState(value)
  useEffect(() => keep(value), [value])
  const events = {
    onInput: (event: Event) => {
      if (event.currentTarget instanceof HTMLInputElement) keep(event.currentTarget.value)
    },
    onChange: (event: Event) => {
      if (!(event.currentTarget instanceof HTMLInputElement)) return
      const wanted = event.currentTarget.value.trim()
      if (wanted !== value && !(type === "date" && isBeingTyped(wanted))) onFilter(wanted)
    }
  }
  return type === "date"
    ? h(TextField, { label, type, value: typed, ...events })
    : h(TextField, { label, type, value: typed, placeholder, ...events })
}

/** A field for a new password, within the lengths that docflow accepts. `more` is appended to its hint. */
export const NewPasswordField = ({
  label,
  more,
  name
}: {
  readonly label: string
  readonly more?: string
  readonly name: string
}): ComponentChildren =>
  h(TextField, {
    name,
    label,
    type: "password",
    required: true,
    minLength: 12,
    maxLength: 256,
    autoComplete: "new-password",
    hint: more === undefined ? "At least 12 characters." : `At least 12 characters. ${more}`
  })
