import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { documentKindOf } from "../../../src/extraction/kinds/DocumentKind.ts"
import { pageModel } from "../../../src/extraction/layout/PageModel.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"
import { printed } from "../pages/PrintedLines.ts"
import { foundOn, readPrinted } from "../pages/ReadPrinted.ts"
import { kindOf } from "./KindOf.ts"

/** A document with a title and what bills have. */
const billed = (title: string, tax = "MWST 8,1 %") => [
  "Landtechnik Zbinder AG",
  "",
  title,
  "12.05.2026",
  "Material                                    120,00",
  `${tax.padEnd(44)}25,20`,
  "Total CHF                                   145,20"
]

describe("the kind of a document", () => {
  it.each([
    ["invoice", "Nota d'onorario 2026-118"],
    ["invoice", "Nota professionale 2026-118"],
    ["invoice", "Parcella 2026-118"],
    ["invoice", "Faktura 25-118402"],
    ["invoice", "Werkstattrechnung W 20488"],
    ["invoice", "2. Abschlagsrechnung Nr. 2025-A2-044"],
    ["invoice", "FACTURE FINALE N° 2025/0318"],
    ["invoice", "Note d’honoraires n° 2025-07"],
    ["credit-note", "FACTURA RECTIFICATIVA (ABONO)"],
    ["reminder", "2. Mahnung"],
    ["reminder", "Zahlungserinnerung zu unserer Rechnung Nr. 25-0417"],
    ["reminder", "2. Mahnung – Rechnung Nr. 25-0417"]
  ])("%s is that of its title, with a count, a number or another title behind it: %s", (kind, title) => {
    expect(kindOf(printed(billed(title)))).toBe(kind)
  })

  it.each([
    ["invoice", "Dachdeckerrechnung Nr. 2026-17", "zzgl. MwSt"],
    ["invoice", "Håndværkerregning nr. 882", "moms"],
    ["credit-note", "Teilgutschrift Nr. 77", "zzgl. MwSt"],
    ["other", "Kostenberechnung Nr. 78", "zzgl. MwSt"],
    ["other", "Spesenabrechnung Nr. 79", "zzgl. MwSt"]
  ])("%s is told by the last word of the compound: %s", (kind, title, tax) => {
    expect(kindOf(printed(billed(title, tax)))).toBe(kind)
  })

  it.each([
    ["credit-note", "TAX CREDIT NOTE", "Original invoice: 118"],
    ["credit-note", "CREDIT NOTE (DUPLICATE FOR SUPPLIER)", "Original invoice: 118"],
    ["quote", "PRELIMINARY ESTIMATE", "Valid until 1 June"],
    ["quote", "PRELIMINARY ESTIMATE (REVISED)", "Valid until 1 June"],
    ["other", "PLEASE SEE OUR ESTIMATE", "Valid until 1 June"],
    ["other", "AS in our ESTIMATE", "Valid until 1 June"]
  ])("%s is told by the last words of the title, without those in brackets: %s", (kind, title, hint) => {
    const work = "Repair of the pump in the southern field of the farm           120.00"
    expect(kindOf(printed([title, "Karoo Pump Works", hint, "", work]))).toBe(kind)
  })

  it.each(["1 er rappel – facture n° 2024118 du 12.11.2024", "2e rappel – facture n° 2024118"])(
    "is that of a title with a count and a dash: %s",
    (title) => {
      const lines = [
        "Menuiserie Delacombe Sàrl",
        title,
        "Sauf erreur de notre part, cette facture reste impayée.",
        "Facture n° 2024118 du 12.11.2024 748.60",
        "Total TTC 748.60 dont TVA 8.1% 56.09"
      ]
      expect(kindOf(printed(lines))).toBe("reminder")
    }
  )

  it.each([
    [
      "invoice",
      ["Nota di onorario 2026-118", "Data: 14.05.2026", "IVA 8,1%   97,20", "Totale CHF   1.297,20"]
    ],
    ["invoice", ["ΤΙΜΟΛΟΓΙΟ ΠΩΛΗΣΗΣ – ΔΕΛΤΙΟ ΑΠΟΣΤΟΛΗΣ", "ΓΕΝΙΚΟ ΣΥΝΟΛΟ 520,80"]],
    ["delivery-note", ["DODACÍ LIST č. DL24/04417", "Krenn Trade", "12,00", "Celkem hmotnost 24"]],
    ["order-confirmation", ["CONFERMA D'ORDINE CLIENTE", "Krenn Trade", "12,00", "Celkem hmotnost 24"]],
    ["other", ["CUSTOMS DECLARATION CN22", "2 scarves  0.310  54.00", "Invoice no. 20118", "Total  54.00"]],
    ["other", ["Aviso de transferencia", "Factura nº  Fecha  Importe", "F25-118  02/03/2025  1.210,00"]]
  ] as const)("%s by words of its language: %s", (kind, lines) => {
    expect(kindOf(printed(lines))).toBe(kind)
  })

  it("is that of the title in large print that begins with one", () => {
    const [first] = printed([
      "Quote for a new web shop",
      "Krenn Digital",
      "Basic setup 450",
      "Valid until 8 May",
      "Total 450"
    ]).pages
    const kindAt = (height: number) => {
      if (first === undefined) return
      const page = pageModel(first, shippedLexicon())
      const [title = [], ...rest] = page.rows
      const rows = [title.map((token) => Object.assign({}, token, { h: height })), ...rest]
      return documentKindOf([Object.assign({}, page, { rows })], shippedLexicon()).kind
    }
    expect([kindAt(18), kindAt(10)]).toEqual(["quote", "other"])
  })

  it.effect.each([
    ["FATTURA n. 347/2025 del 19 agosto 2025", "grounded"],
    ["FACTURA Nº T/2025/0917", "grounded"]
  ])("is likely where the number is behind the title: %s", ([title = "", status = ""]) =>
    Effect.gen(function* () {
      const { found } = yield* readPrinted([
        "Albergo Bellavista S.n.c.",
        "P.IVA e C.F. 01448820037",
        title,
        "Imponibile IVA 10%        610,91",
        "IVA 10%                    61,09",
        "TOTALE EURO               672,00"
      ])
      expect(found["documentType"]).toMatchObject({ value: "invoice", status })
      expect(found["documentType"]?.confidence).toBeGreaterThan(0.75)
    })
  )

  it.effect.each([
    ["INVOICE", ["Larkspur Surveys Limited", "To: Northmoor Credit Union Ltd", "INVOICE LS/2026/0031"]],
    ["INVOICE", ["Larkspur Surveys Limited", "To: First Credit Bank plc", "INVOICE LS/2026/0031"]],
    ["INVOICE", ["Larkspur Surveys Limited", "To: Volksbank Credit Partner eG", "INVOICE LS/2026/0031"]],
    ["Rechnungsbetrag", ["Praxis am Wehr", "Leistungsaufstellung Nr. 26/0093", "Wir berechnen:"]]
  ] as const)("is no word of a customer's name, nor the word for number: %s, %s", ([text, head]) =>
    Effect.gen(function* () {
      const rows = [
        ...head.map((line) => ({ 40: line })),
        { 40: "Description", 200: "Qty", 300: "Price", 400: "Amount" },
        { 40: "Survey", 200: "1", 300: "113.67", 400: "113.67" },
        { 40: "Rechnungsbetrag", 400: "113.67" }
      ]
      const kind = yield* foundOn(placedPage(linesOf(40, 16, rows)), "invoice.documentType")
      expect([kind?.value, kind?.text]).toEqual(["invoice", text])
    })
  )
})
