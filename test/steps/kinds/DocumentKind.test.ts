import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { FieldDefinition } from "../../../src/extraction/fields/FieldDefinition.ts"
import { LocalDocuments } from "../../../src/providers/documents/LocalDocuments.ts"
import { Llm } from "../../../src/providers/llm/Llm.ts"
import { extract } from "../../../src/steps/Extract.ts"
import { kindPages } from "../../fixtures/kinds/KindPages.ts"
import { printedPage } from "../../fixtures/kinds/PrintedPage.ts"
import { context } from "../pages/Pages.ts"
import { invoiceFields, invoiceRelations as relations } from "../../fixtures/InvoiceFields.ts"
import { verdictOn } from "./KindOf.ts"
import { sharedReader } from "../../support/SharedReader.ts"

const fields: Readonly<Record<string, FieldDefinition>> = {
  ...invoiceFields,
  documentType: { preset: "invoice.documentType", required: true }
}
const invoices = new Set(["invoice", "credit-note", "utility-bill"])

describe("the kind of a document", () => {
  it.each(kindPages.map((page) => [page.kind, page.name, page] as const))(
    "%s: %s",
    (kind, _, { document }) => {
      const verdict = verdictOn(document)
      expect([verdict.kind, verdict.evidence.map(({ text }) => text)]).toEqual([
        kind,
        verdict.evidence.map(({ text }) => text)
      ])
      expect(verdict.evidence.length > 0).toBe(kind !== "other")
    }
  )

  it("has probabilities that make one", () => {
    for (const { document } of kindPages) {
      const { probabilities } = verdictOn(document)
      expect(probabilities.reduce((sum, [, probability]) => sum + probability, 0)).toBeCloseTo(1, 9)
    }
  })
})

layer(Layer.mergeAll(sharedReader, LocalDocuments.layer, Llm.layerNone), { excludeTestServices: true })(
  "extract with the presets of invoices",
  (it) => {
    const others = kindPages.filter(({ kind }) => !invoices.has(kind))

    it.effect.each(others)("is sure of nothing on $kind, $name, and says why", ({ document, kind }) =>
      Effect.gen(function* () {
        const found = yield* extract.run({ document, using: ["rules"], fields, relations }, context)
        expect(found.values["documentType"]).toBe(kind)
        const sure = Object.entries(found.fields).filter(
          ([name, { confidence }]) => confidence >= 0.9 && name !== "currency" && name !== "documentType"
        )
        expect(sure).toEqual([])
        expect(found.warnings[0]).toContain("check every field")
      })
    )

    it.effect("says that a language has no lexicon", () =>
      Effect.gen(function* () {
        const welsh = [
          "# Anfoneb",
          "Rhif anfoneb: 2024-118          Dyddiad: 14.05.2024",
          "Cwsmer: Melin y Coed            Dyddiad dyledus: 14.06.2024",
          "Disgrifiad            Nifer     Pris uned        Cyfanswm",
          "Gwaith ar y to        10        9.500            95.000",
          "Deunyddiau            1         30.000           30.000",
          "Treth ar werth                                   30.000",
          "Cyfanswm i'w dalu                               155.000"
        ].join("\n")
        const document = printedPage(welsh, { width: 595, height: 842 })
        const found = yield* extract.run({ document, using: ["rules"], fields, relations }, context)
        expect(found.warnings.join(" ")).toContain("a language that the lexicon does not have")
      })
    )

    it.effect.each(kindPages)("knows the language of $kind, $name", ({ document }) =>
      Effect.gen(function* () {
        const found = yield* extract.run({ document, using: ["rules"], fields, relations }, context)
        expect(found.warnings.join(" ")).not.toContain("lexicon")
      })
    )

    it.effect.each(kindPages.filter(({ kind }) => invoices.has(kind)))(
      "doubts nothing on $kind, $name",
      ({ document }) =>
        Effect.gen(function* () {
          const found = yield* extract.run({ document, using: ["rules"], fields, relations }, context)
          expect(found.warnings.filter((warning) => warning.includes("check every field"))).toEqual([])
        })
    )
  }
)
