import { type ComponentChildren } from "preact"
import { html } from "htm/preact"

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gu
/** Colouring more than this many characters makes a page slow. */
const colouredUpTo = 100_000

/** Data as indented JSON. */
export const jsonView = (label: string, value: unknown): ComponentChildren => {
  const text = JSON.stringify(value, null, 2) ?? "null"
  return html`<pre class="json" tabindex="0" role="region" aria-label=${label}>
${text.length > colouredUpTo ? text : coloured(text)}</pre>`
}

const coloured = (text: string): ReadonlyArray<ComponentChildren> => {
  const parts: Array<ComponentChildren> = []
  let end = 0
  for (const match of text.matchAll(token)) {
    const [whole, string, colon] = match
    const kind = string === undefined ? "json-other" : colon === undefined ? "json-text" : "json-name"
    const shown = string ?? whole
    parts.push(text.slice(end, match.index), html`<span class=${kind}>${shown}</span>`)
    end = match.index + shown.length
  }
  return [...parts, text.slice(end)]
}
