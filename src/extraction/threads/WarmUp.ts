import { Effect } from "effect"
import { decodePage } from "../../document/process/DecodePage.ts"
import type { DocumentIR } from "../../domain/DocumentIR.ts"
import type { FieldDefinition } from "../fields/FieldDefinition.ts"
import { fieldsOf } from "../lexicon/Field.ts"
import { CurrentLexicon } from "../lexicon/CurrentLexicon.ts"
import type { Lexicon } from "../lexicon/Lexicon.ts"
import { isoToday } from "../layout/Reading.ts"
import { readByRules } from "../rules/Rules.ts"

const lines = ["Invoice", "Invoice number: 17", "Date: 2026-01-31", "Total: 5.00 EUR"]

const definitions: Readonly<Record<string, FieldDefinition>> = {
  type: { preset: "invoice.documentType" },
  number: { preset: "invoice.number" },
  date: { preset: "invoice.date" },
  due: { preset: "invoice.dueDate" },
  seller: { preset: "invoice.vendorName" },
  currency: { preset: "invoice.currency" },
  tax: { preset: "invoice.taxAmount" },
  total: { preset: "invoice.totalAmount" },
  lines: { preset: "invoice.lineItems" }
}

const height = 12
const widthOf = (text: string): number => text.length * 6

/** The lines one below the other on a page of A4, in points. */
const smallInvoice = (): DocumentIR => {
  const boxes = lines.flatMap((line, index) =>
    line.split(" ").flatMap((word, place, words) => {
      const before = words.slice(0, place).join(" ")
      return [60 + widthOf(before) + (place === 0 ? 0 : 6), 60 + index * 2 * height, widthOf(word), height]
    })
  )
  const text = lines.join("\n")
  const page = { width: 595, height: 842, text, boxes: Float32Array.from(boxes), drawn: true }
  return { pages: [decodePage({ ...page, tables: [], markdown: text }, 1)], extras: { pageCount: 1 } }
}

/** Reads a small invoice by rules. */
export const readSmallInvoice = Effect.fnUntraced(function* (lexicon: Lexicon) {
  const fields = fieldsOf(definitions, lexicon)
  const reading = readByRules(smallInvoice(), { fields, relations: [], today: yield* isoToday })
  return yield* Effect.provideService(reading, CurrentLexicon, lexicon)
})

/**
 * Makes the indexes of a lexicon, which takes a second, before the first document needs them: rules need for a small invoice what they
 * need for any document. What goes wrong here is left to that document.
 */
export const warmUp = (lexicon: Lexicon): Effect.Effect<void> =>
  Effect.asVoid(Effect.exit(readSmallInvoice(lexicon)))
