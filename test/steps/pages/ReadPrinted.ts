import { Effect } from "effect"
import type { DocumentIR } from "../../../src/domain/DocumentIR.ts"
import type { FieldDefinition } from "../../../src/extraction/fields/FieldDefinition.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { invoiceFields, invoiceRelations } from "../../fixtures/InvoiceFields.ts"
import { printed } from "./PrintedLines.ts"

type Definitions = Readonly<Record<string, FieldDefinition>>

/** What the rules find on a page, and the values alone; the fields of an invoice unless others are given. */
export const readPage = (
  page: DocumentIR,
  definitions: Definitions = invoiceFields,
  relations: ReadonlyArray<string> = invoiceRelations
) => {
  const fields = Object.entries(definitions).map(([name, definition]) => fieldOf(name, definition))
  return Effect.map(extractByRules(page, { fields, relations }), (found) => ({
    found,
    values: Object.fromEntries(Object.entries(found).map(([name, { value }]) => [name, value]))
  }))
}

/** What the rules find in printed lines. */
export const readPrinted = (lines: ReadonlyArray<string>, definitions?: Definitions) =>
  readPage(printed(lines), definitions)

/** What the rules find of the field of a preset on a page. */
export const foundOn = (page: DocumentIR, preset: NonNullable<FieldDefinition["preset"]>) =>
  Effect.map(readPage(page, { it: { preset } }, []), ({ found }) => found["it"])
