import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { DocumentReader } from "../../../src/document/DocumentReader.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { variedFields, variedRelations, variedResults } from "../../fixtures/varied/Expected.ts"
import { families } from "../../fixtures/varied/Families.ts"
import { makeVaried } from "../../fixtures/varied/VariedInvoice.ts"
import { languages } from "../../fixtures/varied/Vocabulary.ts"
import { sharedReader } from "../../support/SharedReader.ts"

const fields = Object.entries(variedFields).map(([name, definition]) => fieldOf(name, definition))

/** Every layout in two languages; every language comes in several layouts. */
const chosen = families.flatMap((family, i) =>
  [i, i + 6].map((at) => ({ family, language: languages[at % languages.length] ?? "en-GB", seed: 1 }))
)

layer(sharedReader, { excludeTestServices: true })("extract, synthetic layouts", (it) => {
  it.effect("finds at least 97 % of the fields and of the rows, and claims nothing wrong", () =>
    Effect.gen(function* () {
      const reader = yield* DocumentReader
      const results = yield* Effect.forEach(chosen, (options) =>
        Effect.gen(function* () {
          const invoice = yield* Effect.promise(() => makeVaried(options))
          const document = yield* reader.read(invoice.bytes, { mimeType: "application/pdf" })
          return variedResults(
            invoice,
            yield* extractByRules(document, { fields, relations: variedRelations })
          )
        })
      )
      const all = results.flat()
      const wrong = all.filter(({ right }) => !right)
      const told = wrong.map(({ file, field, truth, evidence }) => [file, field, truth, evidence?.value])
      const rows = all.filter(({ field }) => field === "lineItems")
      const wrongRows = wrong.filter(({ field }) => field === "lineItems")
      assert.isAtLeast(1 - wrongRows.length / rows.length, 0.97, JSON.stringify(told))
      const plain = all.length - rows.length
      assert.isAtLeast(1 - (wrong.length - wrongRows.length) / plain, 0.97, JSON.stringify(told))
      const claimed = wrong.filter(({ evidence }) => (evidence?.confidence ?? 0) >= 0.9)
      assert.deepStrictEqual(
        claimed.filter(({ field }) => field !== "lineItems"),
        []
      )
    })
  )
})
