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

  it.effect(
    "reads invoices of languages that are one file each: Albanian, Macedonian, Uzbek, Indonesian",
    () =>
      Effect.gen(function* () {
        const invoices = {
          ALL: [
            "Drita e Re Sh.p.k",
            "Rruga e Kavajës 12, Tiranë",
            "NIPT: L91234567A",
            "",
            "Faturë tatimore",
            "Numri i faturës: 77/2025",
            "Data e lëshimit: 03.03.2025",
            "Afati i pagesës: 18.03.2025",
            "",
            "Përshkrimi      Sasia   Çmimi     Vlera",
            "Dritare druri      4   5.000,00   20.000,00",
            "",
            "Vlera pa TVSH   20.000,00",
            "TVSH 20%   4.000,00",
            "Totali me TVSH   24.000,00 Lekë"
          ],
          MKD: [
            "Зелена Градба ДООЕЛ",
            "ул. Партизанска 12, Скопје",
            "ЕДБ: 4030999123456",
            "",
            "Фактура",
            "Број на фактура: 77/2025",
            "Датум на издавање: 03.03.2025",
            "Рок на плаќање: 18.03.2025",
            "",
            "Опис      Количина   Цена     Износ",
            "Прозорец      4   5.000,00   20.000,00",
            "",
            "Износ без ДДВ   20.000,00",
            "ДДВ 20%   4.000,00",
            "Вкупно за плаќање   24.000,00 ден."
          ],
          UZS: [
            "Yashil Bogʻ MChJ",
            "Amir Temur koʻchasi 12, Toshkent",
            "STIR: 301234567",
            "",
            "Hisobvaraq-faktura",
            "Hisobvaraq-faktura raqami: 77/2025",
            "Hujjat sanasi: 03.03.2025",
            "Toʻlov muddati: 18.03.2025",
            "",
            "Mahsulot nomi      Miqdori   Narxi     Summa",
            "Eshik      4   5 000,00   20 000,00",
            "",
            "QQSsiz jami   20 000,00",
            "QQS summasi 20%   4 000,00",
            "Toʻlanadigan summa   24 000,00 soʻm"
          ],
          IDR: [
            "PT Cahaya Baru",
            "Jl. Merdeka 12, Bandung",
            "NPWP: 01.234.567.8-901.000",
            "",
            "Faktur",
            "Nomor Faktur: 77/2025",
            "Tanggal Faktur: 03.03.2025",
            "Jatuh Tempo: 18.03.2025",
            "",
            "Keterangan      Kuantitas   Harga     Jumlah Harga",
            "Jendela      4   5.000,00   20.000,00",
            "",
            "Dasar Pengenaan Pajak   20.000,00",
            "PPN 20%   4.000,00",
            "Total Tagihan   Rp 24.000,00"
          ]
        }
        for (const [currency, lines] of Object.entries(invoices))
          assert.deepInclude((yield* readPrinted(lines)).values, {
            documentType: "invoice",
            invoiceNumber: "77/2025",
            invoiceDate: "2025-03-03",
            dueDate: "2025-03-18",
            vendorName: lines[0],
            currency,
            subtotal: 20_000,
            taxAmount: 4_000,
            totalAmount: 24_000
          })
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
