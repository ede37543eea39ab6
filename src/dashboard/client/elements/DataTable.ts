import { type ComponentChildren, Fragment, h } from "preact"
import { html } from "htm/preact"
import { Link } from "./Router.ts"

/** One column of a table. The first one names its row. */
export interface Column<A> {
  readonly title: string
  readonly cell: (row: A) => ComponentChildren
  /** Numbers are at the right, so that they can be compared. */
  readonly numeric?: boolean
  /** Where the window is narrow, below the row instead of in a column of its own. */
  readonly optional?: boolean
}

interface TableOf<A> {
  readonly caption: string
  readonly columns: ReadonlyArray<Column<A>>
  readonly rows: ReadonlyArray<A>
  readonly keyOf: (row: A) => string
  /** What to say when there is no row. */
  readonly empty: ComponentChildren
}

/** A table that is accessible to screen readers. */
export const table = <A>({ caption, columns, empty, keyOf, rows }: TableOf<A>): ComponentChildren => {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`
  return html`<div class="scroll" role="group" aria-label=${caption} tabindex="0">
    <table>
      <caption class="hidden">
        ${caption}
      </caption>
      <thead>
        <tr>
          ${columns.map((column) => html`<th scope="col" class=${classOf(column)}>${column.title}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<${Fragment} key=${keyOf(row)}>
              <tr>
                ${columns.map((column, index) =>
                  index === 0
                    ? html`<th scope="row" class=${classOf(column)}>${column.cell(row)}</th>`
                    : html`<td class=${classOf(column)}>${column.cell(row)}</td>`
                )}
              </tr>
              ${narrowRow(columns, row)}
            <//>`
        )}
      </tbody>
    </table>
  </div>`
}

/** The optional columns of a row, below it; only narrow windows show it. */
const narrowRow = <A>(columns: ReadonlyArray<Column<A>>, row: A): ComponentChildren => {
  const optional = columns.filter((column) => column.optional === true)
  if (optional.length === 0) return null
  return html`<tr class="narrow">
    <td colspan=${columns.length - optional.length}>
      <dl>
        ${optional.map(
          ({ cell, title }) =>
            html`<div>
              <dt>${title}</dt>
              <dd>${cell(row)}</dd>
            </div>`
        )}
      </dl>
    </td>
  </tr>`
}

const classOf = <A>({ numeric = false, optional = false }: Column<A>): string =>
  [numeric ? "numeric" : "", optional ? "optional" : ""].filter(Boolean).join(" ")

interface PagerProps {
  readonly total: number
  readonly limit: number
  readonly offset: number
  readonly what: string
  readonly addressOf: (offset: number) => string
}

/** What to say where no row is shown: nothing beyond the end of a list is not the same as an empty list. */
export const nothingShown = (
  { addressOf, offset, total }: Omit<PagerProps, "what" | "limit">,
  empty: ComponentChildren
): ComponentChildren =>
  total === 0 || offset === 0
    ? empty
    : html`The list ends before this page. ${h(Link, { to: addressOf(0) }, "Show its first page")}`

/** The range of a list that is shown, and links to the ranges before and after it. */
export const pager = ({ addressOf, limit, offset, total, what }: PagerProps): ComponentChildren => {
  if (offset >= total || (total <= limit && offset === 0)) return null
  const last = Math.min(total, offset + limit)
  return html`<nav class="pager" aria-label=${`Pages of ${what}`}>
    <span>${offset + 1}–${last} of ${total}</span>
    ${offset === 0 ? null : h(Link, { to: addressOf(Math.max(0, offset - limit)) }, "← Newer")}
    ${last >= total ? null : h(Link, { to: addressOf(offset + limit) }, "Older →")}
  </nav>`
}
