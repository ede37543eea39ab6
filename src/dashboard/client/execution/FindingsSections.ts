import type { ComponentChildren } from "preact"
import { html } from "htm/preact"
import type { ExecutionView, StepFindings } from "../../ExecutionView.ts"
import { badge } from "../elements/Elements.ts"
import type { FieldEvidence } from "../../../domain/Evidence.ts"
import { formatPercent } from "../elements/Format.ts"
import { jsonView } from "../elements/JsonView.ts"
import { type Column, table } from "../elements/DataTable.ts"

interface NamedEvidence {
  readonly name: string
  readonly evidence: FieldEvidence
}

const shown = ({ evidence: { value }, name }: NamedEvidence): ComponentChildren => {
  if (value === null || value === undefined) return html`<span class="quiet">none</span>`
  if (typeof value !== "object") return String(value)
  const summary = Array.isArray(value)
    ? `${value.length} ${value.length === 1 ? "item" : "items"}`
    : "an object"
  return html`<details>
    <summary>${summary}</summary>
    ${jsonView(name, value)}
  </details>`
}

const confidence = ({ evidence: { confidence }, name }: NamedEvidence): ComponentChildren =>
  html`<meter
      min="0"
      max="1"
      low="0.5"
      high="0.9"
      optimum="1"
      value=${confidence}
      aria-label=${`Confidence of ${name}`}
    ></meter>
    ${formatPercent(confidence)}`

/** The text on the page, and the path of the value in invoice data. */
const readFrom = ({ evidence: { attachment, path, text } }: NamedEvidence): ComponentChildren => {
  if (text === undefined && path === undefined) return "–"
  return html`${text === undefined ? null : html`<q>${text}</q>`}
  ${
    path === undefined
      ? null
      : html`<div class="quiet url">
          ${attachment === undefined ? null : `${attachment}: `}<code>${path}</code>
        </div>`
  }`
}

const columns: ReadonlyArray<Column<NamedEvidence>> = [
  { title: "Field", cell: ({ name }) => html`<code>${name}</code>` },
  { title: "Value", cell: shown },
  { title: "Confidence", cell: confidence, numeric: true },
  { title: "Evidence", cell: ({ evidence: { status } }) => badge(status) },
  { title: "Page", cell: ({ evidence: { page } }) => page ?? "–", numeric: true },
  { title: "Read from", cell: readFrom, optional: true },
  { title: "By", cell: ({ evidence: { by } }) => by ?? "–", optional: true }
]

/** Every extracted field: its value, its confidence, and its position in the document. */
const fieldsTable = (
  caption: string,
  fields: { readonly [name: string]: FieldEvidence }
): ComponentChildren =>
  table({
    caption,
    columns,
    rows: Object.entries(fields).map(([name, evidence]) => ({ name, evidence })),
    keyOf: ({ name }) => name,
    empty: "No fields were extracted."
  })

/** The steps' warnings and the rules that do not hold; nothing where there are none. */
export const warningsList = ({ findings }: ExecutionView): ComponentChildren => {
  const all = findings.flatMap(({ path, problems, warnings }) => [
    ...warnings.map((message) => ({ path, message, severity: "warning" })),
    ...problems.map(({ message, severity }) => ({ path, message, severity }))
  ])
  if (all.length === 0) return null
  return html`<ul class="warnings">
    ${all.map(
      ({ message, path, severity }) =>
        html`<li>
          ${badge(severity)} ${message} <span class="quiet">in <code>${path}</code></span>
        </li>`
    )}
  </ul>`
}

/** The warnings about a document as a whole: those about single fields are next to them. */
export const warningsOfAll = ({ findings }: ExecutionView): ComponentChildren =>
  findings.flatMap(({ fields, warnings }) =>
    Object.keys(fields).length === 0
      ? []
      : warnings
          .filter((warning) => !Object.keys(fields).some((name) => warning.startsWith(`${name}: `)))
          .map((warning) => html`<p class="viewer-warning">${warning}</p>`)
  )

/** The evidence of all fields; where several steps extracted some, a table for each. */
export const fieldsTables = ({ findings }: ExecutionView): ComponentChildren => {
  const found = findings.filter(({ fields }) => Object.keys(fields).length > 0)
  const [first] = found
  if (first === undefined) return null
  if (found.length === 1) return fieldsTable("Fields", first.fields)
  return found.map(withHeading)
}

const withHeading = ({ fields, path }: StepFindings): ComponentChildren =>
  html`<div key=${path}>
    <h3><code>${path}</code></h3>
    ${fieldsTable(`Fields of ${path}`, fields)}
  </div>`
