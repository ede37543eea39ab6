import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"
import { printed } from "../pages/PrintedLines.ts"
import { foundOn, readPrinted } from "../pages/ReadPrinted.ts"

it.effect.each<[string, ReadonlyArray<string>, string | null]>([
  ["two parts of a form", ["FACTURA", "Punto de Venta: 00006 Comp. Nro: 00014482"], "00006-00014482"],
  ["a series of one letter", ["Rechnung R 67/2025"], "R 67/2025"],
  ["a series of one letter", ["Kontantfaktura N° A 2025/796"], "A 2025/796"],
  [
    "a series in letters of one width, and no number of a register",
    [
      "FACTURA FISCALA",
      "Seria si numarul    : HDS 118204",
      "FURNIZOR                          CLIENT",
      "HORECA DISTRIB SRL                PENSIUNEA BRADUL SRL",
      "RO 18840275 J08/1544/2006         RO 30214466 J08/0327/2012"
    ],
    "HDS 118204"
  ],
  ["a series and a number", ["FACTURĂ FISCALĂ", "Seria CLJ nr. 004418", "Data: 02.06.2025"], "CLJ 004418"],
  [
    "of an invoice, not of the order that it bills",
    ["INVOICE", "Invoice Number: 47", "P.O./S.O. Number: LCB-2026-009", "Invoice Date: May 15, 2026"],
    "47"
  ],
  ["of two digits behind the word for it", ["FATTURA n. 12 del 3 marzo 2024"], "12"],
  [
    "in groups of any length behind letters",
    ["AVOIR", "Numéro d'avoir       Date", "AV 7100 44 2189      12.06.2025"],
    "AV 7100 44 2189"
  ],
  [
    "of Greek forms with its series",
    ["ΤΙΜΟΛΟΓΙΟ", "ΣΕΙΡΑ / ΑΡΙΘΜΟΣ      ΗΜΕΡΟΜΗΝΙΑ", "ΤΔΑ-Α 003871         20/06/2025"],
    "ΤΔΑ-Α 003871"
  ],
  [
    "under its heading, two cells behind the label of a register",
    [
      "FURNIZOR                      FACTURA FISCALA      CLIENT",
      "DEPOZIT PRAHOVA                                    CASA VERDE SRL",
      "S.R.L.                             Numar           CIF: RO40117385     J29/2207/2018",
      "CIF: RO18822407  J29/1340/2006  DPC-25104478       Str. Orizontului 4"
    ],
    "DPC-25104478"
  ],
  [
    "with the colon that recognition put before it",
    ["TAX INVOICE", "Invoice No      :SIN-AE-0118"],
    "SIN-AE-0118"
  ],
  [
    "behind a colon of full width",
    ["請求書", "請求日：2025年9月30日", "請求書番号：INV-20250930-07"],
    "INV-20250930-07"
  ],
  ["behind the abbreviation of number", ["RAČUN br.118-25", "Datum računa: 12.09.2025."], "118-25"],
  ["without the word for number", ["Račun St.25-0088"], "25-0088"],
  ["without the word for number", ["Faktura C.20250088"], "20250088"],
  ["without the word for number", ["ARVE NR 250318"], "250318"],
  ["without the slash before its date", ["Invoice no. 90118822/ 16.09.2025"], "90118822"],
  ["no period", ["Rechnung 20.-29.10.2025"], null],
  ["no period", ["Rechnung 20.10.-02.11.2025"], null],
  ["no period", ["Rechnung 01.10.2025-31.10.2025"], null],
  ["no period", ["Rechnung 1/10-31/10/2025"], null],
  [
    "like a date, where it is asked for",
    ["Numer faktury: 2/11/2023", "Data wystawienia: 30.11.2023"],
    "2/11/2023"
  ],
  [
    "like a date, where it is asked for",
    ["Invoice number    Date", "7-12-2024         15 Dec 2024"],
    "7-12-2024"
  ],
  [
    "like a date, where it is asked for",
    ["Rechnungsnummer: 2024-03-10t172205", "Datum: 2024-03-10"],
    "2024-03-10t172205"
  ],
  ["no date", ["Invoice 2/11/2023", "Terms 30 days"], null],
  ["no date that a label is right before", ["Rechnung         Nummer", "Kunde 88  Datum: 02.11.2023"], null],
  ...[
    ["Rechnungsnummer 4417", "Ausführung laut Angebot 2025-118."],
    ["Rechnungs-Nr. 4417", "gemäß Kostenvoranschlag Nr. 2025-118"],
    ["Fakturanr 4417", "Avser takomläggning enligt offert 2025-118."],
    ["Factuurnummer 4417", "volgens offerte 2025-118."],
    ["Invoice no. 4417", "as per our quotation no. 2025-118"]
  ].map(([own = "", other = ""]): [string, ReadonlyArray<string>, string] => [
    "short, but not that of another document in the text",
    [own, "Date 28.11.2025", "", other],
    "4417"
  ])
])("the number of an invoice: %s: %j", ([, lines, number]) =>
  Effect.gen(function* () {
    const page = printed(["Acme Ltd", ...lines, "Total 100.00"], { recognized: true })
    expect((yield* foundOn(page, "invoice.number"))?.value ?? null).toBe(number)
  })
)

it.effect.each<[string, ReadonlyArray<Readonly<Record<number, string>>>, string | null]>([
  ["with its groups", [{ 40: "Kreditnota nr.", 160: "K 70 2291" }], "K 70 2291"],
  ["with its groups", [{ 40: "Invoice No", 160: "R-88" }], "R-88"],
  [
    "without a space where words touch, as in lines that change their direction",
    [{ 40: "Invoice No", 160: "INV", 175: "-10452" }],
    "INV-10452"
  ],
  [
    "no day in the cell below a label",
    [{ 320: "25055120" }, { 320: "Fakturanummer" }, { 320: "03.03.2025" }, { 320: "Fakturadato" }],
    null
  ],
  [
    "no state and its postcode",
    [{ 40: "DURAL NSW 2158", 300: "Invoice Number" }, { 300: "INV-0873" }],
    "INV-0873"
  ],
  [
    "behind its label, and none below it, such as the first code of a table",
    [
      { 40: "FACTURA: A25/004471 Fecha: 17-06-2025" },
      { 40: "Ref.", 100: "Descripción", 440: "Importe" },
      { 40: "KR-", 100: "Champú", 440: "400.00" },
      { 40: "0140" }
    ],
    "A25/004471"
  ]
])("the number of an invoice in columns: %s", ([, lines, number]) =>
  Effect.gen(function* () {
    const page = placedPage(
      linesOf(60, 14, [{ 40: "Krenn Trade" }, ...lines, { 40: "Total", 440: "400.00" }])
    )
    expect((yield* foundOn(page, "invoice.number"))?.value).toBe(number)
  })
)

it.effect.each([
  ["CASEIFICIO S.R.L.   P.IVA/C.F. 01188220171 - REA BS-411882", "Tipo documento     Numero       Data"],
  ["INVOICE", "TOTAL AMOUNT DUE    $91.47", "AFTER 09/05/2025 PAY    $96.04"]
])("the number of a register, or what is due after a date, is not the number: %s", (lines) =>
  Effect.gen(function* () {
    const { values } = yield* readPrinted([...lines, "FATTURA DIFFERITA  1188/FE       31/05/2025"])
    expect(["01188220171", "AFTER 09/05/2025"]).not.toContain(values["invoiceNumber"])
  })
)

it.effect("a number with the hyphen of typesetting is read with a plain one", () =>
  Effect.gen(function* () {
    const { found } = yield* readPrinted([
      "Ledgerly Inc.",
      "Invoice number   7C41A9E0\u20110007",
      "Total   $49.00"
    ])
    const { text, value } = found["invoiceNumber"] ?? {}
    expect([value, text]).toEqual(["7C41A9E0-0007", "7C41A9E0\u20110007"])
  })
)
