import type { ComponentChildren } from "preact"
import { useEffect, useLayoutEffect, useRef } from "preact/hooks"
import { html } from "htm/preact"
import type { TaughtValue } from "../../../domain/Corrections.ts"
import { problemNote, time } from "../elements/Elements.ts"
import type { Refusal } from "./UseCorrections.ts"
import type { Item } from "./ViewerItems.ts"

const pageOf = (file: string | undefined, page: number): string =>
  file === undefined ? `Page ${page}` : `${file}, page ${page}`

const whoIs = (by: string): string =>
  by === "session" || by === "admin token"
    ? "an administrator"
    : by.replace(/^user /u, "").replace(/^key /u, "API key ")

/** Where a value was read. */
const readFrom = ({ file, level, page, text }: Item): ComponentChildren => {
  if (page === undefined)
    return level === "corrected" ? "A person typed the value." : "The value does not appear on a page."
  return html`${pageOf(file, page)}${text === undefined ? null : html`: <q>${text}</q>`}`
}

/** Where the value of a field was read, and who corrected or accepted it. */
export const fieldOrigin = (item: Item): ComponentChildren =>
  html`<p class="field-place quiet">${readFrom(item)}</p>
    ${
      item.checked === undefined
        ? null
        : html`<p class="field-place quiet">
            ${item.level === "confirmed" ? "Accepted" : "Corrected"} by ${whoIs(item.checked.by)},${" "}
            ${time(item.checked.at)}
          </p>`
    }`

/** The chosen field, and the actions on it. */
export interface EditorProps {
  readonly item: Item
  readonly editing: boolean
  readonly drawing: boolean
  readonly saving: boolean
  /** What was typed and not saved. */
  readonly typed: string | undefined
  /** Why the last correction of this field was not saved. */
  readonly refusal: Refusal | undefined
  /** What is not learned of the saved correction, and which checked documents contradict it. */
  readonly notes: ReadonlyArray<string>
  /** What other checked documents of the layout say. */
  readonly taught: ReadonlyArray<TaughtValue>
  /** Boxes are drawn on the document that was sent, not on files inside it. */
  readonly canDraw: boolean
  readonly onEdit: (editing: boolean) => void
  readonly onDraw: (drawing: boolean) => void
  readonly onAccept: () => void
  readonly onRevert: () => void
  /** Called with every change; with undefined if the text is the value again. */
  readonly onInput: (text: string | undefined) => void
  readonly onType: (value: string) => void
}

const textOf = ({ value }: Item): string =>
  value === null || value === undefined
    ? ""
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value)

/** What was wrong with the last correction, and what to do. */
const noteOf = ({ drawing, editing, refusal }: EditorProps): string | undefined => {
  if (refusal === undefined || !refusal.isOutdated) return refusal?.message
  const next = editing
    ? "Save again to replace it with what you typed, or cancel to keep it."
    : drawing
      ? "Draw the box again to replace it."
      : "Accept it if it is right, or correct it."
  return `Somebody else saved corrections of this document in the meantime. The value above is the current one. ${next}`
}

/** Before a value is saved: what checked documents say instead. */
const conflictOf = (taught: ReadonlyArray<TaughtValue>, text: string): string | undefined => {
  const [other] = taught.toSorted((one, two) => two.documents.length - one.documents.length)
  if (other === undefined || taught.some(({ value }) => String(value) === text)) return undefined
  const { length } = other.documents
  const who =
    length === 1
      ? "A checked document of this supplier says"
      : `${length} checked documents of this supplier say`
  return `${who} ${String(other.value)}; you say ${text === "" ? "there is none" : text}.`
}

const isChecked = ({ checked }: Item): boolean => checked !== undefined

/** Accepts the value of a field, or corrects it by typing or by drawing a box on the page. */
export const FieldEditor = (props: EditorProps): ComponentChildren => {
  const { canDraw, drawing, editing, item, onAccept, onDraw, onEdit } = props
  const { onInput, onRevert, onType, refusal, saving } = props
  const input = useRef<HTMLInputElement>(null)
  const note = useRef<HTMLDivElement>(null)
  // What is being typed stays, whatever somebody else saves.
  const text = props.typed ?? textOf(item)
  // Before the next key arrives, which belongs to the input.
  useLayoutEffect(() => {
    if (!editing) return
    input.current?.focus()
    if (props.typed === undefined) input.current?.select()
  }, [editing])
  useEffect(() => {
    if (refusal !== undefined) note.current?.scrollIntoView({ block: "nearest" })
  }, [refusal])
  const told = html`<div class="field-note" ref=${note}>${problemNote(noteOf(props))}</div>`
  const conflict = editing ? conflictOf(props.taught, text) : undefined
  const said = [...(conflict === undefined ? [] : [conflict]), ...(editing ? [] : props.notes)].map(
    (one) => html`<p class="note" role="status">${one}</p>`
  )
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
          if (!(currentTarget instanceof HTMLInputElement)) return
          onInput(currentTarget.value === textOf(item) ? undefined : currentTarget.value)
        }}
        onKeyDown=${(event: KeyboardEvent) => {
          if (event.key === "Escape") onEdit(false)
        }}
      />
      <button type="submit" class="primary" aria-disabled=${saving}>${saving ? "Saving …" : "Save"}</button>
      <button type="button" onClick=${() => onEdit(false)}>Cancel</button>
      ${told} ${said}
    </form>`
  }
  return html`<div class="field-editor">
    <button type="button" class="primary" aria-disabled=${saving} onClick=${onAccept}>
      ${saving ? "Saving …" : "Accept"}
    </button>
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
    ${
      isChecked(item) || item.rows.flat().some(isChecked)
        ? html`<button type="button" aria-disabled=${saving} onClick=${onRevert}>Revert to extracted</button>`
        : null
    }
    ${told} ${said}
  </div>`
}
