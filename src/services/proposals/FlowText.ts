import { stringify } from "yaml"
import type { ProposedField } from "./ProposedField.ts"

/** The parts of a proposed flow's text. */
export interface FlowOutline {
  readonly id: string
  readonly name: string
  readonly formats: ReadonlyArray<string>
  readonly fields: ReadonlyArray<ProposedField>
}

const oneLine = (value: unknown): string => stringify(value, { collectionStyle: "flow", lineWidth: 0 }).trim()

const fieldLine = ({ columns, label, name, preset, type }: ProposedField): string => {
  if (preset !== undefined) return `        ${name}: ${oneLine({ preset })}`
  if (columns === undefined) return `        ${name}: ${oneLine({ type, labels: [label] })}`
  return [
    `        ${name}:`,
    "          type: table",
    "          columns:",
    ...columns.map(
      (column) => `            ${column.name}: ${oneLine({ type: column.type, labels: [column.label] })}`
    )
  ].join("\n")
}

/** The text of a flow that reads a document and extracts fields by rules, ready to be changed by hand. */
export const flowText = ({ fields, formats, id, name }: FlowOutline): string =>
  [
    "docflow: 1",
    `id: ${id}`,
    "version: 1.0.0",
    `name: ${oneLine(name)}`,
    "document:",
    `  formats: ${oneLine(formats)}`,
    "",
    "steps:",
    "  - id: read",
    "    uses: parse",
    "    with:",
    "      document: ${{ input.document }}",
    "",
    "  - id: fields",
    "    uses: extract",
    "    with:",
    "      document: ${{ steps.read.document }}",
    "      using: [rules]",
    "      fields:",
    ...fields.map(fieldLine),
    "",
    "output:",
    "  value:",
    ...fields.map((field) => `    ${field.name}: \${{ steps.fields.values.${field.name} }}`),
    ""
  ].join("\n")
