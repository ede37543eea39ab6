import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { shippedFields } from "../../../bench/ShippedFlow.ts"
import { decimalOf } from "../../../src/extraction/values/Numbers.ts"
import { nameLengths } from "../../../src/extraction/names/NameLengths.ts"
import { nameWords } from "../../../src/extraction/lexicon/NameWords.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { printed } from "./PrintedLines.ts"

const invoice = shippedFields("invoice")
const receipt = shippedFields("receipt")

/** What the shipped flow reads in lines of plain text. */
const valuesIn = (lines: ReadonlyArray<string>, { fields, relations } = invoice) =>
  Effect.map(extractByRules(printed(lines), { fields, relations }), (found) =>
    Object.fromEntries(Object.entries(found).map(([name, { value }]) => [name, value]))
  )

describe("unusual documents", () => {
  it.effect("amounts are in thousandths where the currency is only abbreviated", () =>
    Effect.gen(function* () {
      const { currency, subtotal, taxAmount, totalAmount } = yield* valuesIn([
        "HUILERIE SAHEL SARL            FACTURE N° 2025/0077",
        "M.F. : 1188220/K/A/M/000       Sfax, le 05/06/2025",
        "Total H.T                                   750,000",
        "TVA 19%                                     142,500",
        "Timbre fiscal                                 1,000",
        "Net à payer (DT)                            893,500"
      ])
      assert.deepStrictEqual([subtotal, taxAmount, totalAmount], [750, 142.5, 893.5])
      assert.strictEqual(currency, "TND")
    })
  )

  it.effect("a tax breakdown may have a row for what is not taxed", () =>
    Effect.gen(function* () {
      const { subtotal, taxAmount, totalAmount } = yield* valuesIn([
        "Gasthof Hirschen                          Rechnung 2025-2207",
        "Rechnungsbetrag EUR                                 648,80",
        "USt        Netto       Steuer       Brutto",
        "10%       501,82        50,18       552,00",
        "20%        63,33        12,67        76,00",
        "0%         20,80         0,00        20,80"
      ])
      assert.deepStrictEqual([subtotal, taxAmount, totalAmount], [585.95, 62.85, 648.8])
    })
  )

  it.effect(
    "the currency of the sums outweighs that of the country, in which only the tax is stated again",
    () =>
      Effect.gen(function* () {
        const { currency } = yield* valuesIn([
          "SZÁMLA / INVOICE No. EXP-2025/00118",
          "Tiszamenti Konzerv Kft., 5000 Szolnok, Adószám: 11882207-2-16",
          "IBAN HU18 1177 0000 1188 2207 7118 8220",
          "Összesen nettó                   4 000,00 EUR",
          "ÁFA 27%                          1 080,00 EUR",
          "Fizetendő                        5 080,00 EUR",
          "ÁFA összege forintban: 433 836 HUF"
        ])
        assert.strictEqual(currency, "EUR")
      })
  )

  it.each([
    ["BAM", "Pilana Vlašić d.o.o.   ID broj: 4236118820007", "Ukupno 4.914,00"],
    ["PKR", "Chenab Textile Traders   STRN 3277876118822", "Total 305,000"],
    ["LKR", "Nuwara Tea Machinery, Sri Lanka", "Amount in words: five thousand rupees"],
    ["USD", "FLORES DEL COTOPAXI   R.U.C.: 0591188220001", "VALOR TOTAL 977.00"],
    ["PEN", "TRANSPORTES CHIRA   R.U.C. 20411882207", "Importe total 3,186.00"]
  ])("%s follows from a register or the country", (wanted, ...lines) =>
    Effect.runPromise(
      Effect.map(valuesIn(["INVOICE 118", ...lines]), ({ currency }) => assert.strictEqual(currency, wanted))
    )
  )

  it.effect("the number of another invoice, or of a register, is not that of the invoice", () =>
    Effect.gen(function* () {
      const corrected = yield* valuesIn([
        "Fliesen Odenwald e.K.          Rechnungskorrektur",
        "Kellereistr. 7                 Nr. RK-25-0118",
        "64720 Michelstadt              zu Rechnung RE-25-0077 vom 31.01.2025"
      ])
      assert.strictEqual(corrected["invoiceNumber"], "RK-25-0118")
      const registered = yield* valuesIn([
        "CASEIFICIO VAL TROMPIA S.R.L.   P.IVA/C.F. 01188220171 - REA BS-411882",
        "Tipo documento          Numero         Data",
        "FATTURA DIFFERITA       1188/FE        31/05/2025"
      ])
      assert.notInclude(String(registered["invoiceNumber"]), "01188220171")
    })
  )

  it.effect("the number of an invoice that is taken off is not that of the invoice", () =>
    Effect.gen(function* () {
      const { dueDate, invoiceNumber } = yield* valuesIn([
        "Zimmerei Holzinger GbR                          Rottweil, 11. Juni 2025",
        "2. Abschlagsrechnung Nr. 2025-A2-044",
        "Leistungsstand                                              16.000,00 €",
        "abzgl. 1. Abschlagsrechnung Nr. 2025-A1-031                 -8.000,00 €",
        "Abschlag netto                                               8.000,00 €",
        "Bitte zahlen Sie bis 25.06.2025."
      ])
      assert.strictEqual(invoiceNumber, "2025-A2-044")
      assert.strictEqual(dueDate, "2025-06-25")
    })
  )

  it.effect("the abbreviation of number is no part of one that is printed right behind it", () =>
    Effect.gen(function* () {
      const { invoiceNumber } = yield* valuesIn([
        "Pilana Vlašić d.o.o.",
        "RAČUN br.118-25",
        "Datum računa: 12.09.2025."
      ])
      assert.strictEqual(invoiceNumber, "118-25")
    })
  )

  it("a sign that sets thousands apart is none of decimals", () => {
    assert.strictEqual(decimalOf(["1.250.000", "412.000", "8.0", "1.662.000"]), ",")
  })

  it.effect("the day until which numbers may be issued is no day to pay by", () =>
    Effect.gen(function* () {
      const { dueDate } = yield* valuesIn([
        "IMPRENTA RINCÓN S.A.            e-Factura A 0118822",
        "FECHA 01/07/2025",
        "TOTAL A PAGAR 14.640,00",
        "CAE 90250118822 Fecha de vencimiento CAE 14/03/2027"
      ])
      assert.isNull(dueDate)
    })
  )

  it.each([
    [
      "Menuiserie Schroeder & Fils S.à r.l.",
      [
        "SCHROEDER",
        "FACTURE N° 2025/0318 du 22/07/2025",
        "1  Escalier hêtre   2,00   6.400,00   12.800,00",
        "2  Garde-corps inox   28,00   200,00   5.600,00",
        "Total   21.528,00",
        "Paiement à 30 jours",
        "Menuiserie Schroeder & Fils S.à r.l. · 18, rue de l'Industrie, L-3895 Foetz"
      ]
    ],
    [
      'SIA "Kurzemes Malka"',
      [
        "RĒĶINS Nr. KM-25/0771",
        'Piegādātājs:   SIA "Kurzemes Malka", Reģ. Nr. 41203118822',
        "Adrese:   Kuldīgas iela 18, Ventspils",
        "Kopā 919,60"
      ]
    ]
  ])("the sender is %s: its whole name, no logo and no label", (wanted, lines) =>
    Effect.runPromise(Effect.map(valuesIn(lines), ({ vendorName }) => assert.strictEqual(vendorName, wanted)))
  )

  it.effect("a document of another kind still has a name at its head", () =>
    Effect.gen(function* () {
      const { documentType, vendorName } = yield* valuesIn([
        "CHENAB TEXTILE TRADERS",
        "Shop 18, Kohinoor Plaza, Faisalabad",
        "Date 09-05-2025",
        "Cotton grey cloth",
        "Bed linen print"
      ])
      assert.strictEqual(documentType, "other")
      assert.strictEqual(vendorName, "CHENAB TEXTILE TRADERS")
    })
  )

  it("the heading of a column is no legal form, and a close corporation is one", () => {
    const { endsInForm } = nameWords(shippedLexicon())
    assert.deepStrictEqual(
      ["Consignee Buyer Sl", "Vinos del Sur S.L.", "Vinos del Sur SL", "Kalahari Solar CC"].map(endsInForm),
      [false, true, true, true]
    )
  })

  it("a logo may have the first words of a name", () => {
    const names = [
      "Kalahari Solar",
      "Kalahari Solar Supplies Namibia",
      "Etosha Bush Lodge",
      "Poggio Sereno",
      "Azienda Agricola Poggio Sereno di Landi Chiara"
    ].map((value, row) => ({
      span: { page: 0, row, from: 0, to: 1 },
      bbox: { x: 10, y: 20 * row, w: 100, h: 10 },
      text: value,
      value,
      quality: 1
    }))
    const lengths = nameLengths(shippedLexicon(), names)
    assert.deepStrictEqual(
      names.map((name) => lengths(name)["partOfLonger"]),
      [1, 0, 0, 1, 0]
    )
  })

  it.effect("a tax breakdown may have a rate, an amount and its tax alone", () =>
    Effect.gen(function* () {
      const { subtotal, taxAmount, totalAmount } = yield* valuesIn([
        "Fjällgården Hotell AB            Faktura K-90214",
        "Summa                                   3 985,00",
        "Moms         Netto       Momsbelopp",
        "12 %      3 387,50           406,50",
        "25 %        152,80            38,20"
      ])
      assert.deepStrictEqual([subtotal, taxAmount, totalAmount], [3540.3, 444.7, 3985])
    })
  )

  it.effect("the number of a store names no shop", () =>
    Effect.gen(function* () {
      const { merchantName } = yield* valuesIn(
        [
          "  Cedar & Pine Outfitters",
          "    Bend, OR  Store #118",
          "11/16/2025 3:18 PM  Reg 02",
          "WOOL BASE LAYER     48.60",
          "Total              $48.60"
        ],
        receipt
      )
      assert.strictEqual(merchantName, "Cedar & Pine Outfitters")
    })
  )
})
