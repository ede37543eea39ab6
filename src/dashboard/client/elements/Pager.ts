import { h, type ComponentChildren } from "preact"
import { html } from "htm/preact"
import { Link } from "./Router.ts"

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
