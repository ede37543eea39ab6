import { h, type ComponentChildren } from "preact"
import { useMemo, useState } from "preact/hooks"
import { html } from "htm/preact"
import { formatNumber } from "./Format.ts"

const token = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gu
/** Colouring more than this many characters makes a page slow. */
const colouredUpTo = 100_000

/** More is shown only on request: a browser needs longer for so many lines than for the rest of a page. */
const shownUpTo = 50_000

/** Data as indented JSON, long data at first in part. */
export const jsonView = (label: string, value: unknown): ComponentChildren => h(JsonView, { label, value })

const JsonView = ({
  label,
  value
}: {
  readonly label: string
  readonly value: unknown
}): ComponentChildren => {
  const text = useMemo(() => JSON.stringify(value, null, 2) ?? "null", [value])
  const [isWhole, setWhole] = useState(false)
  const isShort = isWhole || text.length <= shownUpTo
  const shown = isShort ? text : text.slice(0, shownUpTo)
  return html`<pre class="json" tabindex="0" role="region" aria-label=${`${label} as JSON`}>
${shown.length > colouredUpTo ? shown : coloured(shown)}${isShort ? null : " …"}</pre>
    ${
      isShort
        ? null
        : html`<button type="button" onClick=${() => setWhole(true)}>
            Show all ${formatNumber(text.length)} characters
          </button>`
    }`
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
