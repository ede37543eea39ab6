import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { printedPage } from "../../fixtures/kinds/PrintedPage.ts"
import { printed } from "../pages/PrintedLines.ts"
import { foundOn } from "../pages/ReadPrinted.ts"
import { kindOf } from "./KindOf.ts"

const roll = { width: 227, height: 300 }
const a4 = { width: 595, height: 842 }

/** What tills of different countries print, as they call it. */
const tills = {
  "TAX INVOICE": [
    "Kowhai Street Store",
    "9 Kowhai St, Timaru",
    "GST 71-204-118",
    "TAX INVOICE",
    "11 Mar 2025 4:12pm",
    "Cheese scone           $4.80",
    "Flat white             $5.50",
    "Total                 $10.30",
    "EFTPOS                $10.30",
    "GST included           $1.34"
  ],
  "Rechnung Nr.": [
    "Konditorei Aumeier",
    "Hauptplatz 3, 4020 Linz",
    "Rechnung Nr. 20417",
    "04.03.2025 09:31",
    "Topfenstrudel          4,20 A",
    "Verlängerter           3,60 B",
    "Summe EUR              7,80",
    "Bar                   10,00",
    "Rückgeld               2,20"
  ],
  "FACTURE #": [
    "BISTRO DU CANAL",
    "2210 rue Notre-Dame",
    "FACTURE #B-1187",
    "2025/05/08 12:41",
    "Soupe du jour          7.25",
    "Sandwich              11.50",
    "SOUS-TOTAL            18.75",
    "TPS 5%                 0.94",
    "TOTAL                 19.69 $",
    "PAIEMENT Interac      19.69 $"
  ],
  "Bill No": [
    "UDIPI GRAND",
    "14, Temple Road, Mangalore",
    "Bill No: 2208    Table: 11",
    "Date: 14/06/2025 20:15",
    "Paper Dosa            90.00",
    "Badam Milk            60.00",
    "Sub Total            150.00",
    "CGST 2.5%              3.75",
    "Grand Total          157.50"
  ],
  "VAT-ticket": [
    "Broodjes Leie",
    "Koornmarkt 2, 9000 Gent",
    "VAT-ticket 0010221",
    "12/02/2026 12:20",
    "Broodje kaas           4,60 B",
    "Te betalen             4,60 EUR",
    "Bancontact             4,60 EUR"
  ],
  "KEEP THIS RECEIPT": [
    "HARBOR LOT 4",
    "ENTRY 02/07/2025 09:02 AM",
    "EXIT  02/07/2025 11:47 AM",
    "PARKING FEE           $9.00",
    "TOTAL PAID            $9.00",
    "VISA ****2207",
    "KEEP THIS RECEIPT"
  ],
  "CUPOM FISCAL": [
    "PADARIA BOM DIA LTDA",
    "CNPJ 22.334.455/0001-66",
    "CUPOM FISCAL ELETRONICO",
    "001 PAO DE QUEIJO     12,00",
    "TOTAL R$              12,00",
    "Cartao Debito         12,00",
    "14/03/2025 07:55:02"
  ]
}

const cases = Object.entries(tills)

describe("the kind of a page as a till prints it", () => {
  it.each(cases)("is a receipt whatever its title: %s", (_, lines) => {
    expect(kindOf(printedPage(lines.join("\n"), roll))).toBe("receipt")
  })

  it.each(cases.filter(([, lines]) => lines.some((line) => /\d:\d\d/u.test(line))))(
    "is a receipt in one narrow column of a wide page with the time of day: %s",
    (title, lines) => {
      const text = lines.map((line) => `                        ${line}`).join("\n")
      expect([title, kindOf(printedPage(text, a4))]).toEqual([title, "receipt"])
    }
  )

  it("is an invoice where it is a letter that was paid by card", () => {
    const lines = [
      "# TAX INVOICE",
      "Kowhai Joinery Limited                                   Invoice number: 2025-118",
      "14 Mill Road, Timaru                                     Invoice date: 11 Mar 2025",
      "Bill to: Harbour Cafe, 2 Quay Street",
      "Description                        Qty        Price              Amount",
      "Oak shelf, fitted                    2       180.00              360.00",
      "Call out 14:30                       1        60.00               60.00",
      "Total                                                            483.00",
      "Paid by card VISA ****4410                                       483.00"
    ]
    expect(kindOf(printedPage(lines.join("\n"), a4))).toBe("invoice")
  })

  it("is an invoice on a narrow letter without any sign of a till", () => {
    const lines = [
      "Invoice number: 118",
      "Invoice date: 11 Mar 2025",
      "Due date: 25 Mar 2025",
      "Total  483.00"
    ]
    expect(kindOf(printedPage(`# INVOICE\n${lines.join("\n")}`, a4))).toBe("invoice")
  })
})

describe("the name of a shop in a picture", () => {
  const names = [
    ["Bakery", 0.89],
    ["Rosewood Bakery", 1]
  ] as const

  it.effect.each(names)("is in doubt where it says only what the shop is: %s", ([name, most]) =>
    Effect.gen(function* () {
      const [, ...rest] = tills["TAX INVOICE"]
      const found = yield* foundOn(printed([name, ...rest], { recognized: true }), "receipt.merchantName")
      expect(found?.value).toBe(name)
      expect(found?.confidence).toBeLessThanOrEqual(most)
      expect(found?.confidence).toBeGreaterThan(most - 0.4)
    })
  )
})
