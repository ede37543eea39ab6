import { type ComponentChildren, h, type InputHTMLAttributes } from "preact"
import { useId } from "preact/hooks"
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
