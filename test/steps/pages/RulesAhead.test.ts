import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Layer } from "effect"
import { DocumentReader } from "../../../src/document/DocumentReader.ts"
import { LocalDocuments } from "../../../src/providers/documents/LocalDocuments.ts"
import { LearnedExamples } from "../../../src/providers/examples/LearnedExamples.ts"
import { Llm } from "../../../src/providers/llm/Llm.ts"
import { extract } from "../../../src/steps/Extract.ts"
import { readByRules, RulesReader } from "../../../src/extraction/rules/Rules.ts"
import { cii, eInvoiceOf, withFiles } from "../../fixtures/EInvoices.ts"
import { invoiceFields } from "../../fixtures/InvoiceFields.ts"
import { exampleInvoice, makeInvoice } from "../../fixtures/Invoices.ts"
import { sharedReader } from "../../support/SharedReader.ts"
import { context } from "./Pages.ts"
import { printed } from "./PrintedLines.ts"

const document = printed(["Ahorn GmbH", "Invoice no: 2026-0117", "Total EUR 404.60"])
const fields = { number: { preset: "invoice.number" } } as const

layer(Layer.mergeAll(sharedReader, Llm.layerNone, LocalDocuments.layer), { excludeTestServices: true })(
  "rules after examples",
  (it) => {
    it.effect("read the document while the examples are looked up, and only then", () =>
      Effect.gen(function* () {
        const begun = yield* Deferred.make<void>()
        let readings = 0
        const { values } = yield* extract
          .run({ document, using: ["examples", "rules"], fields }, context)
          .pipe(
            Effect.provideService(RulesReader, (read, options) => {
              readings += 1
              return Effect.andThen(Deferred.succeed(begun, undefined), readByRules(read, options))
            }),
            // The search ends only once the rules have begun.
            Effect.provideService(LearnedExamples, {
              similar: () => Effect.as(Deferred.await(begun), []),
              used: () => Effect.void
            }),
            Effect.timeout("30 seconds")
          )
        assert.strictEqual(values["number"], "2026-0117")
        assert.strictEqual(readings, 1)
      })
    )

    it.effect(
      "read an electronic invoice once, for the comparison with its data and for what that lacks",
      () =>
        Effect.gen(function* () {
          const reader = yield* DocumentReader
          const page = yield* Effect.promise(() => makeInvoice(exampleInvoice))
          const content = cii(eInvoiceOf(page.expected))
          const bytes = yield* Effect.promise(() =>
            withFiles(page.bytes, [{ name: "factur-x.xml", content }])
          )
          const invoice = yield* reader.read(bytes, { mimeType: "application/pdf" })
          let readings = 0
          const readWith = (...using: ReadonlyArray<"embedded" | "examples" | "rules">) =>
            extract
              .run(
                {
                  document: invoice,
                  using,
                  fields: { ...invoiceFields, note: { type: "string", labels: ["Bill to"] } }
                },
                context
              )
              .pipe(
                Effect.provideService(RulesReader, (read, options) => {
                  readings += 1
                  return readByRules(read, options)
                }),
                Effect.provideService(LearnedExamples, {
                  similar: () => Effect.succeed([]),
                  used: () => Effect.void
                })
              )
          const { fields: found } = yield* readWith("embedded", "rules")
          assert.strictEqual(readings, 1)
          assert.strictEqual(found["invoiceNumber"]?.by, "embedded")
          assert.deepStrictEqual((yield* readWith("embedded", "examples", "rules")).fields, found)
          assert.strictEqual(readings, 2)
        })
    )
  }
)
