import type { ComponentChildren } from "preact"
import { html } from "htm/preact"
import { time } from "../elements/Elements.ts"
import type { Item } from "../viewer/ViewerItems.ts"

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
