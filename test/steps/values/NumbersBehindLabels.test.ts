import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { invoiceFields } from "../../fixtures/InvoiceFields.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = Object.entries(invoiceFields).map(([name, field]) => fieldOf(name, field))

const read = (lines: ReadonlyArray<string>) => extractByRules(printed(lines), { fields, relations: [] })

it.effect.each([
  [
    "two parts of a form",
    [
      "EL SURCO S.R.L.",
      "FACTURA",
      "Punto de Venta: 00006 Comp. Nro: 00014482",
      "Fecha de Emisión: 04/06/2025",
      "Total 2,00"
    ],
    "00006-00014482"
  ],
  [
    "a series of one letter",
    ["Tischlerei Prantner e.U.", "", "Rechnung R 67/2025", "Summe 5.564,20"],
    "R 67/2025"
  ],
  [
    "a series in letters of one width, and no number of a register",
    [
      "FACTURA FISCALA",
      "Seria si numarul    : HDS 118204",
      "FURNIZOR                          CLIENT",
      "HORECA DISTRIB SRL                PENSIUNEA BRADUL SRL",
      "RO 18840275 J08/1544/2006         RO 30214466 J08/0327/2012",
      "TOTAL 4,524.60"
    ],
    "HDS 118204"
  ],
  [
    "of an invoice, not of the order that it bills",
    [
      "Larkhill Catering Co.                 INVOICE",
      "Invoice Number: 47",
      "P.O./S.O. Number: LCB-2026-009",
      "Invoice Date: May 15, 2026",
      "Total 573.98"
    ],
    "47"
  ],
  [
    "below its label, not the postcode on its right, which is printed again",
    [
      "TAX INVOICE                    Invoice Date        Korow Gorge Shearing Limited",
      "                               31 Jul 2025         17 Bledisloe Street",
      "                               Invoice Number      KOROW 9435",
      "Otemata Downs Partnership      INV-0613            NEW ZEALAND",
      "Subtotal                       15,126.40",
      "Total GST 15%                   2,268.96",
      "Total NZD                      17,395.36",
      "To: Korow Gorge Shearing Limited    Customer           Otemata Downs Partnership",
      "KOROW 9435                          Amount Due         17,395.36"
    ],
    "INV-0613"
  ],
  [
    "in groups of any length behind letters",
    ["AVOIR", "Numéro d'avoir       Date", "AV 7100 44 2189      12.06.2025", "Total TTC 655,85"],
    "AV 7100 44 2189"
  ],
  [
    "of Greek forms with its series",
    ["ΤΙΜΟΛΟΓΙΟ", "ΣΕΙΡΑ / ΑΡΙΘΜΟΣ      ΗΜΕΡΟΜΗΝΙΑ", "ΤΔΑ-Α 003871         20/06/2025", "ΣΥΝΟΛΟ 4,00"],
    "ΤΔΑ-Α 003871"
  ],
  [
    "under its heading, two cells behind the label of a register",
    [
      "FURNIZOR                      FACTURA FISCALA      CLIENT",
      "DEPOZIT PRAHOVA                                    CASA VERDE SRL",
      "S.R.L.                             Numar           CIF: RO40117385     J29/2207/2018",
      "CIF: RO18822407  J29/1340/2006  DPC-25104478       Str. Orizontului 4",
      "TOTAL 4,00"
    ],
    "DPC-25104478"
  ]
] as const)("the number of an invoice: %s", ([, lines, number]) =>
  Effect.gen(function* () {
    const { invoiceNumber } = yield* read(lines)
    expect(invoiceNumber?.value).toBe(number)
  })
)

it.effect("the day behind a label in capitals below the number is the invoice's", () =>
  Effect.gen(function* () {
    const { invoiceDate } = yield* read([
      "Cartref Homes Ltd                  Application / Invoice No RA/1593",
      "Subcontract Accounts               Tax point        28/02/2025",
      "",
      "Variation 3, as instructed by D. Pugh 11/02/25       410.00",
      "Invoice total                                        410.00"
    ])
    expect(invoiceDate?.value).toBe("2025-02-28")
  })
)

it.effect(
  "the day behind the invoice's own number, below its title, is the invoice's; that of a contract is not",
  () =>
    Effect.gen(function* () {
      const { invoiceDate } = yield* read([
        "Ninewells Software Limited",
        "",
        "Invoice",
        "NW-2025-118 issued on 30 June 2025",
        "",
        "Under statement of work SOW-4 dated 3 March 2025. Your PO: BL-4711-IT",
        "Total                                      14,840.00"
      ])
      expect(invoiceDate?.value).toBe("2025-06-30")
    })
)
