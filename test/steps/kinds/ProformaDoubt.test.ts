import { assert, it } from "@effect/vitest"
import { kindDoubt } from "../../../src/extraction/kinds/KindDoubt.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { invoiceFields } from "../../fixtures/InvoiceFields.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = Object.entries(invoiceFields).map(([name, field]) => fieldOf(name, field))

const titled = (title: string) => [
  `Lindner & Voss Messtechnik OHG              ${title}`,
  "Nummer 2025-014                   Datum 06.03.2025",
  "Bezeichnung              Menge      Preis       Betrag",
  "Kalibrierset                 1      805,00      805,00",
  "Gesamtbetrag EUR                                805,00"
]

it("a proforma invoice is no invoice: none of its values is sure", () => {
  const proforma = kindDoubt(printed(titled("PROFORMA-RECHNUNG")), fields, shippedLexicon())
  assert.isTrue(proforma.otherKind)
  assert.include(proforma.warnings[0], "a proforma invoice")
  assert.isFalse(kindDoubt(printed(titled("RECHNUNG")), fields, shippedLexicon()).otherKind)
})
