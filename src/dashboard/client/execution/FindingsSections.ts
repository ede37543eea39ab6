import type { ComponentChildren } from "preact"
import { html } from "htm/preact"
import type { ExecutionView, StepFindings } from "../../ExecutionView.ts"
import { fieldsTable } from "./FieldsTable.ts"
import { badge } from "../elements/Elements.ts"

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
