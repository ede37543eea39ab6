import type { ComponentChildren } from "preact"
import { html } from "htm/preact"
import { levelMark } from "./Levels.ts"
import type { Item } from "./ViewerItems.ts"

/** The properties of the list of fields. */
export interface FieldsProps {
  readonly items: ReadonlyArray<Item>
  readonly selected: string | undefined
  readonly pointed: string | undefined
  /** What was typed and not saved, by the keys of fields and cells. */
  readonly typed: ReadonlyMap<string, string>
  /** The selected field is edited: what was typed is in its input. */
  readonly editing: boolean
  readonly onPoint: (key: string | undefined) => void
  readonly onSelect: (key: string) => void
  /** Shown below the selected field: the controls to accept or correct it. */
  readonly below: (item: Item) => ComponentChildren
}

/** A value in one line. */
export const shownValue = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "–"
  if (Array.isArray(value)) return `${value.length} ${value.length === 1 ? "row" : "rows"}`
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

const stateOf = ({ key }: Item, { pointed, selected }: FieldsProps): string =>
  `${key === selected ? "is-selected" : ""} ${key === pointed ? "is-pointed" : ""}`

/** The list of fields, doubtful ones first; pointing at one shows its place. */
export const viewerFields = (props: FieldsProps): ComponentChildren =>
  html`<ul class="field-list">
    ${props.items.map((item) => fieldRow(item, props))}
  </ul>`

/** What was typed into a field and its cells and is not saved. */
const unsavedOf = (item: Item, { editing, selected, typed }: FieldsProps): ComponentChildren =>
  [item, ...item.rows.flat()].map(({ key, label }) => {
    const text = typed.get(key)
    return text === undefined || (editing && key === selected)
      ? null
      : html`<span class="field-reason" key=${key}
          >${key === item.key ? "" : `${label}: `}Not saved: ${shownValue(text)}</span
        >`
  })

const fieldRow = (item: Item, props: FieldsProps): ComponentChildren => {
  const isSelected = item.key === props.selected
  const holdsSelected = isSelected || item.rows.flat().some(({ key }) => key === props.selected)
  return html`<li
    key=${item.key}
    class=${`field-row field-${item.level} ${stateOf(item, props)}`}
    data-key=${item.key}
  >
    <button
      type="button"
      class="field-button"
      data-item=${item.key}
      aria-pressed=${isSelected}
      onClick=${() => props.onSelect(item.key)}
      onFocus=${() => props.onPoint(item.key)}
      onMouseEnter=${() => props.onPoint(item.key)}
      onMouseLeave=${() => props.onPoint(undefined)}
    >
      <span class="field-head"><span class="field-name">${item.label}</span>${levelMark(item)}</span>
      <span class="field-value">${shownValue(item.value)}</span>
      ${item.reasons.map((reason) => html`<span class="field-reason">${reason}</span>`)}
      ${unsavedOf(item, props)}
    </button>
    ${isSelected ? props.below(item) : null}
    ${holdsSelected && item.rows.length > 0 ? cellTable(item, props) : null}
  </li>`
}

const cellTable = ({ field, rows }: Item, props: FieldsProps): ComponentChildren => {
  const chosen = rows.flat().find(({ key }) => key === props.selected)
  return html`<div class="cells-scroll" role="region" tabindex="0" aria-label=${`Rows of ${field}`}>
      <table class="cells">
        <caption class="hidden">
          Rows of ${field}
        </caption>
        <thead>
          <tr>
            ${(rows[0] ?? []).map(({ column }) => html`<th scope="col">${column}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (row, index) =>
              html`<tr key=${index}>
                ${row.map((cell) => cellOf(cell, props))}
              </tr>`
          )}
        </tbody>
      </table>
    </div>
    ${chosen === undefined ? null : html`<div class="cell-edit"><strong>${chosen.label}</strong>${props.below(chosen)}</div>`}`
}

const cellOf = (cell: Item, props: FieldsProps): ComponentChildren =>
  html`<td key=${cell.key}>
    <button
      type="button"
      data-item=${cell.key}
      class=${`cell cell-${cell.level} ${stateOf(cell, props)}`}
      aria-pressed=${cell.key === props.selected}
      aria-label=${`${cell.label}: ${shownValue(cell.value)}, ${cell.level}`}
      onClick=${() => props.onSelect(cell.key)}
      onMouseEnter=${() => props.onPoint(cell.key)}
      onMouseLeave=${() => props.onPoint(undefined)}
    >
      ${shownValue(cell.value)}
    </button>
  </td>`
