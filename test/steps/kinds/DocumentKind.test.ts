import { describe, expect, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { DocumentIR } from "../../../src/domain/DocumentIR.ts"
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

const run = (document: DocumentIR) =>
  Effect.map(extract.run({ document, using: ["rules"], fields, relations }, context), (found) => ({
    ...found,
    reviewed: found.review.map(({ field }) => field),
    isDoubted: found.warnings.some((warning) => warning.includes("check every field"))
  }))

const a4 = { width: 595, height: 842 }

const titled = (title: string) =>
  printedPage(
    [
      `Lindner & Voss Messtechnik OHG              ${title}`,
      "Nummer 2025-014                   Datum 06.03.2025",
      "Bezeichnung              Menge      Preis       Betrag",
      "Kalibrierset                 1      805,00      805,00",
      "Gesamtbetrag EUR                                805,00"
    ].join("\n"),
    a4
  )

describe("the kind of a document", () => {
  it.each(kindPages.map((page) => [page.kind, page.name, page] as const))(
    "%s: %s",
    (kind, _, { document }) => {
      const { evidence, kind: found, probabilities } = verdictOn(document)
      expect(found).toBe(kind)
      expect(evidence.length > 0).toBe(kind !== "other")
      expect(probabilities.reduce((sum, [, probability]) => sum + probability, 0)).toBeCloseTo(1, 9)
    }
  )
})

layer(Layer.mergeAll(sharedReader, LocalDocuments.layer, Llm.layerNone), { excludeTestServices: true })(
  "extract with the presets of invoices",
  (it) => {
    it.effect.each(kindPages.filter(({ kind }) => invoices.has(kind)))(
      "doubts nothing on $kind, $name, and knows its language",
      ({ document }) =>
        Effect.gen(function* () {
          const found = yield* run(document)
          expect(found.isDoubted).toBe(false)
          expect(found.warnings.join(" ")).not.toContain("lexicon")
        })
    )

    it.effect.each(kindPages.filter(({ kind }) => !invoices.has(kind)))(
      "is sure of nothing but the kind on $kind, $name, says why, and knows its language",
      ({ document, kind }) =>
        Effect.gen(function* () {
          const found = yield* run(document)
          expect(found.values["documentType"]).toBe(kind)
          const { currency: _, documentType, ...others } = found.fields
          expect(Object.entries(others).filter(([, { confidence }]) => confidence >= 0.9)).toEqual([])
          expect(found.warnings[0]).toContain("check every field")
          expect(found.warnings.join(" ")).not.toContain("lexicon")
          if (kind === "other") return
          expect(documentType?.confidence).toBeGreaterThanOrEqual(0.8)
          expect(found.reviewed).not.toContain("documentType")
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
        const found = yield* run(printedPage(welsh, a4))
        expect(found.warnings.join(" ")).toContain("a language that the lexicon does not have")
      })
    )

    it.effect("has the rows of another kind in review, if there are any", () =>
      Effect.gen(function* () {
        const statement = [
          "Otter Vale Motors                    # STATEMENT",
          "Customer: R. Pell                    Date: 30 June 2026",
          "",
          "Quantity    Description               Unit price     Amount",
          "1           Invoice 3381 service          240.00     240.00",
          "2           Invoice 3390 tyres            178.00     356.00",
          "",
          "Subtotal                                             596.00",
          "Balance brought forward                              100.00",
          "Total outstanding                                    596.00"
        ].join("\n")
        const found = yield* run(printedPage(statement, a4))
        expect(found.values["lineItems"]).not.toEqual([])
        expect(found.reviewed).toContain("lineItems")
        const empty = yield* run(printedPage("# STATEMENT\n\nBalance   100.00", a4))
        expect(empty.reviewed).not.toContain("lineItems")
      })
    )

    it.effect("takes a proforma invoice for none", () =>
      Effect.gen(function* () {
        const proforma = yield* run(titled("PROFORMA-RECHNUNG"))
        expect(proforma.warnings[0]).toContain("like a proforma")
        expect([proforma.isDoubted, (yield* run(titled("RECHNUNG"))).isDoubted]).toEqual([true, false])
      })
    )
  }
)

it("a document is a bill where invoice and utility bill are each less probable than one half", () => {
  const { kind, probabilities } = verdictOn(
    printedPage(
      [
        "Heidetal GmbH                           Kundennummer 20 448 117",
        "Postfach 11 20, 29633 Munster           Rechnungs-Nr. VR 7 701 882 340",
        "                                        Datum 11.02.2025",
        "Ihre Stromrechnung für die Zeit vom 01.02.2024 bis 31.01.2025",
        "Zähler 1 EMH00 7718820                  Verbrauch 3.412 kWh",
        "Nettobetrag                             1.196,72",
        "Umsatzsteuer 19 %                         227,38",
        "Rechnungsbetrag EUR                     1.424,10"
      ].join("\n"),
      a4
    )
  )
  expect(probabilities[0]?.[1]).toBeLessThan(0.5)
  expect(invoices.has(kind)).toBe(true)
})
