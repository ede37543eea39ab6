import { assert, it, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { LocalDocuments } from "../../../src/providers/documents/LocalDocuments.ts"
import { Llm } from "../../../src/providers/llm/Llm.ts"
import { extract } from "../../../src/steps/Extract.ts"
import { kindDoubt } from "../../../src/extraction/kinds/KindDoubt.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import type { FieldDefinition } from "../../../src/extraction/fields/FieldDefinition.ts"
import { invoiceFields, invoiceRelations as relations } from "../../fixtures/InvoiceFields.ts"
import { kindPages } from "../../fixtures/kinds/KindPages.ts"
import { printedPage } from "../../fixtures/kinds/PrintedPage.ts"
import { sharedReader } from "../../support/SharedReader.ts"
import { context } from "../pages/Pages.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields: Readonly<Record<string, FieldDefinition>> = {
  ...invoiceFields,
  documentType: { preset: "invoice.documentType" }
}

const others = kindPages.filter(
  ({ kind }) => !["invoice", "credit-note", "utility-bill", "other"].includes(kind)
)

const statement = printedPage(
  [
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
  ].join("\n"),
  { width: 595, height: 842 }
)

const titled = (title: string) =>
  kindDoubt(
    printed([
      `Lindner & Voss Messtechnik OHG              ${title}`,
      "Nummer 2025-014                   Datum 06.03.2025",
      "Bezeichnung              Menge      Preis       Betrag",
      "Kalibrierset                 1      805,00      805,00",
      "Gesamtbetrag EUR                                805,00"
    ]),
    Object.entries(invoiceFields).map(([name, field]) => fieldOf(name, field)),
    shippedLexicon()
  )

it("a proforma invoice is no invoice: none of its values is sure", () => {
  const proforma = titled("PROFORMA-RECHNUNG")
  assert.isTrue(proforma.otherKind)
  assert.include(proforma.warnings[0], "a proforma invoice")
  assert.isFalse(titled("RECHNUNG").otherKind)
})

layer(Layer.mergeAll(sharedReader, LocalDocuments.layer, Llm.layerNone), { excludeTestServices: true })(
  "a document of another kind, read as an invoice",
  (it) => {
    it.effect.each(others)("is surely of the kind that its title says: $kind, $name", ({ document, kind }) =>
      Effect.gen(function* () {
        const found = yield* extract.run({ document, using: ["rules"], fields, relations }, context)
        assert.strictEqual(found.values["documentType"], kind)
        assert.isAtLeast(found.fields["documentType"]?.confidence ?? 0, 0.8)
        assert.notInclude(
          found.review.map(({ field }) => field),
          "documentType"
        )
      })
    )

    it.effect("has its rows in review", () =>
      Effect.gen(function* () {
        const found = yield* extract.run(
          { document: statement, using: ["rules"], fields, relations },
          context
        )
        assert.isArray(found.values["lineItems"])
        assert.include(
          found.review.map(({ field }) => field),
          "lineItems"
        )
      })
    )

    it.effect("has no rows in review where none were found", () =>
      Effect.gen(function* () {
        const letter = printedPage("# STATEMENT\n\nBalance   100.00", { width: 595, height: 842 })
        const found = yield* extract.run({ document: letter, using: ["rules"], fields, relations }, context)
        assert.notInclude(
          found.review.map(({ field }) => field),
          "lineItems"
        )
      })
    )
  }
)
