import { type ComponentChildren, h } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"
import type { DiffPart } from "../../FlowsGroup.ts"
import { loading } from "../elements/Elements.ts"
import { SelectField } from "../elements/FormField.ts"
import { useResource } from "../elements/UseResource.ts"

/** The number of equal lines that are shown before and after a change. */
const around = 3

interface DiffProps {
  readonly id: string
  readonly version: string
  /** The other versions, the newest first. */
  readonly others: ReadonlyArray<string>
  /** The version that it is compared with at first. */
  readonly first: string
}

/** The lines in which a version of a flow differs from another one. */
export const FlowDiff = ({ first, id, others, version }: DiffProps): ComponentChildren => {
  const [from, setFrom] = useState(first)
  const query = `from=${encodeURIComponent(from)}&to=${encodeURIComponent(version)}`
  const { data, problem } = useResource<{ readonly parts: ReadonlyArray<DiffPart> }>(
    `/flows/${encodeURIComponent(id)}/diff?${query}`
  )
  return html`<div class="fields filters">
      ${h(SelectField, {
        name: "from",
        label: "Compare with",
        value: from,
        options: others.map((other) => [other, other] as const),
        onChange: setFrom
      })}
    </div>
    ${data === undefined ? loading(problem) : lines(data.parts, `Lines that differ from ${from}`)}`
}

const lines = (parts: ReadonlyArray<DiffPart>, label: string): ComponentChildren => {
  if (parts.every(({ change }) => change === "same"))
    return html`<p class="quiet">These versions have the same lines.</p>`
  return html`<pre class="diff" tabindex="0" role="region" aria-label=${label}>
${parts.map((part, index) => (part.change === "same" ? same(part.lines, index > 0, index < parts.length - 1) : changed(part)))}</pre>`
}

const changed = ({ change, lines }: DiffPart): ComponentChildren => {
  const [tag, sign] = change === "added" ? ["ins", "+"] : ["del", "−"]
  return h(tag, {}, lines.map((line) => `${sign} ${line}\n`).join(""))
}

const shown = (some: ReadonlyArray<string>): string => some.map((line) => `  ${line}\n`).join("")

/** Equal lines, of which those far from any change are left out. */
const same = (
  lines: ReadonlyArray<string>,
  isAfterChange: boolean,
  isBeforeChange: boolean
): ComponentChildren => {
  const head = isAfterChange ? around : 0
  const tail = isBeforeChange ? around : 0
  if (lines.length <= head + tail + 1) return shown(lines)
  const left = lines.length - head - tail
  return html`${shown(lines.slice(0, head))}<span class="quiet"> … ${left} equal lines</span
    >${"\n"}${shown(lines.slice(lines.length - tail))}`
}
