import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { DocumentReader } from "../../../src/document/DocumentReader.ts"
import type { FieldEvidence } from "../../../src/domain/Evidence.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { variedFields, variedResults } from "../../fixtures/varied/Expected.ts"
import { extracted, taught } from "../../fixtures/varied/Teaching.ts"
import { allVaried, makeVaried } from "../../fixtures/varied/VariedInvoice.ts"
import { sharedReader } from "../../support/SharedReader.ts"

/** Labels that no invoice has: rules find nothing, and only what was learned can be right. */
const unknown = {
  relations: [],
  fields: Object.entries(variedFields)
    .filter(([name]) => ["invoiceNumber", "invoiceDate", "vendorVatId"].includes(name))
    .map(([name]) =>
      fieldOf(name, { type: name === "invoiceDate" ? "date" : "string", labels: [`Qzx ${name}`] })
    )
}

describe("one corrected invoice", () => {
  const chosen = allVaried(1).filter(
    ({ family, language }) =>
      language === "de" && ["letter", "sentence", "stackedLabels"].includes(family.name)
  )

  it("teaches the next ones of its seller, and nothing about those of others", async () => {
    expect(chosen).toHaveLength(3)
    const read = Effect.fnUntraced(function* (seller: (typeof chosen)[number], issue: number) {
      const invoice = yield* Effect.promise(() => makeVaried({ ...seller, issue }))
      const reader = yield* DocumentReader
      return {
        name: invoice.name,
        document: yield* reader.read(invoice.bytes, { mimeType: "application/pdf" }),
        results: (found: Readonly<Record<string, FieldEvidence>>) =>
          variedResults(invoice, found).filter(({ field }) =>
            unknown.fields.some(({ name }) => name === field)
          )
      }
    })
    const program = Effect.forEach(chosen, (seller) =>
      Effect.gen(function* () {
        const [first, next] = [yield* read(seller, 0), yield* read(seller, 1)]
        const results = Effect.fnUntraced(function* (examples: Parameters<typeof extracted>[2]) {
          return next.results(yield* extracted(next.document, unknown, examples))
        })
        const example = yield* taught(first, unknown)
        return { before: yield* results([]), after: yield* results(example), example }
      })
    ).pipe(Effect.provide(sharedReader))
    const all = await Effect.runPromise(program)
    expect(all.flatMap(({ before }) => before.filter(({ right }) => right))).toEqual([])
    expect(all.flatMap(({ after }) => after.filter(({ right }) => !right))).toEqual([])
    expect(all.flatMap(({ after }) => after).length).toBe(9)
  })
})
