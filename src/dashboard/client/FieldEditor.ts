import { type ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { Item } from "./ViewerItems.ts"

/** The chosen field, and the actions on it. */
export interface EditorProps {
  readonly item: Item
  readonly editing: boolean
  readonly drawing: boolean
  /** Boxes are drawn on the document that was sent, not on files inside it. */
  readonly canDraw: boolean
  readonly onEdit: (editing: boolean) => void
  readonly onDraw: (drawing: boolean) => void
  readonly onAccept: () => void
  readonly onType: (value: string) => void
}

const textOf = ({ value }: Item): string =>
  value === null || value === undefined
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value)

/** Accepts the value of a field, or corrects it by typing or by drawing a box on the page. */
export const FieldEditor = (props: EditorProps): ComponentChildren => {
  const { canDraw, drawing, editing, item, onAccept, onDraw, onEdit, onType } = props
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(textOf(item))
  useEffect(() => setText(textOf(item)), [item.key, item.value])
  useEffect(() => {
    if (editing) input.current?.select()
  }, [editing])
  const isTable = item.rows.length > 0
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onType(text)
  }
  if (editing && !isTable) {
    return html`<form class="field-editor" onSubmit=${submit}>
      <input
        ref=${input}
        aria-label=${`Value of ${item.label}`}
        value=${text}
        onInput=${({ currentTarget }: InputEvent) => {
          if (currentTarget instanceof HTMLInputElement) setText(currentTarget.value)
        }}
        onKeyDown=${(event: KeyboardEvent) => {
          if (event.key === "Escape") onEdit(false)
        }}
      />
      <button type="submit" class="primary">Save</button>
      <button type="button" onClick=${() => onEdit(false)}>Cancel</button>
    </form>`
  }
  return html`<div class="field-editor">
    <button type="button" class="primary" onClick=${onAccept}>Accept</button>
    ${
      isTable
        ? html`<span class="quiet">Choose a cell to correct it.</span>`
        : html`<button type="button" onClick=${() => onEdit(true)}>Edit</button> ${
              canDraw
                ? html`<button type="button" aria-pressed=${drawing} onClick=${() => onDraw(!drawing)}>
                    ${drawing ? "Draw a box on the page …" : "Draw"}
                  </button>`
                : null
            }`
    }
  </div>`
}
