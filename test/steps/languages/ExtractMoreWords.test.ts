import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { documentKindOf } from "../../../src/extraction/kinds/DocumentKind.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { pageModel } from "../../../src/extraction/layout/PageModel.ts"
import { printed } from "../pages/PrintedLines.ts"
import { readPrinted } from "../pages/ReadPrinted.ts"

const kindOf = (lines: ReadonlyArray<string>) => {
  const lexicon = shippedLexicon()
  return documentKindOf(
    printed(lines).pages.map((page) => pageModel(page, lexicon)),
    lexicon
  ).kind
}

describe("words", () => {
  it.effect("reads an Icelandic invoice", () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        "Fjarðarafl ehf.",
        "Hafnargata 18, 710 Seyðisfjörður",
        "",
        "Reikningur",
        "Reikningsnúmer: R-2209",
        "Útgáfudagur: 27.02.2025",
        "Eindagi: 14.03.2025",
        "",
        "Lýsing                  Magn   Ein.verð    Samtals",
        "Vinna rafvirkja            8     14.000    112.000",
        "Efni og akstur             1     30.000     30.000",
        "",
        "Samtals án VSK                              142.000",
        "VSK 24%                                      34.080",
        "Til greiðslu kr.                            176.080"
      ])
      assert.deepInclude(values, {
        documentType: "invoice",
        invoiceNumber: "R-2209",
        invoiceDate: "2025-02-27",
        dueDate: "2025-03-14",
        vendorName: "Fjarðarafl ehf.",
        subtotal: 142_000,
        taxAmount: 34_080,
        totalAmount: 176_080
      })
      assert.deepStrictEqual(values["lineItems"], [
        { description: "Vinna rafvirkja", quantity: 8, unitPrice: 14_000, amount: 112_000 },
        { description: "Efni og akstur", quantity: 1, unitPrice: 30_000, amount: 30_000 }
      ])
    })
  )

  it("knows titles of invoices and credit notes with a remark or a second title", () => {
    assert.strictEqual(kindOf(["Note d’honoraires n° 2025-07", "Relecture 620,00 €"]), "invoice")
    assert.strictEqual(kindOf(["FACTURA RECTIFICATIVA (ABONO)", "Nº AB25-0031", "-257,00 €"]), "credit-note")
    assert.strictEqual(kindOf(["ΤΙΜΟΛΟΓΙΟ ΠΩΛΗΣΗΣ – ΔΕΛΤΙΟ ΑΠΟΣΤΟΛΗΣ", "ΓΕΝΙΚΟ ΣΥΝΟΛΟ 520,80"]), "invoice")
  })

  it.effect("turns the quantity of a line of a credit note together with its amount", () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        "GUTSCHRIFT",
        "Gutschrift Nr. GS-77",
        "",
        "Bezeichnung        Menge     Preis      Betrag",
        "Weinglas             -12     17,70     -212,40",
        "",
        "Nettobetrag                            -212,40",
        "MwSt 19 %                               -40,36",
        "Gesamtbetrag                           -252,76"
      ])
      assert.deepStrictEqual(values["lineItems"], [
        { description: "Weinglas", quantity: 12, unitPrice: 17.7, amount: 212.4 }
      ])
    })
  )
})
