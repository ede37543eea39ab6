import { Effect } from "effect"
import type { FieldDefinition } from "../../../src/extraction/fields/FieldDefinition.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { invoiceFields, invoiceRelations as relations } from "../../fixtures/InvoiceFields.ts"
import { printed } from "./PrintedLines.ts"

/** What the rules find in printed lines, and the values alone; the fields of an invoice unless others are given. */
export const readPrinted = (
  lines: ReadonlyArray<string>,
  definitions: Readonly<Record<string, FieldDefinition>> = invoiceFields
) => {
  const fields = Object.entries(definitions).map(([name, definition]) => fieldOf(name, definition))
  return Effect.map(extractByRules(printed(lines), { fields, relations }), (found) => ({
    found,
    values: Object.fromEntries(Object.entries(found).map(([name, { value }]) => [name, value]))
  }))
}
