import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { invoiceFields, invoiceRelations as relations } from "../../fixtures/InvoiceFields.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = Object.entries(invoiceFields).map(([name, definition]) => fieldOf(name, definition))
const read = (lines: ReadonlyArray<string>) => extractByRules(printed(lines), { fields, relations })

/** A test that these lines are read with these values. */
const finds = (
  title: string,
  lines: ReadonlyArray<string>,
  expected: Readonly<Record<string, string | number | null>>
) =>
  it.effect(title, () =>
    Effect.gen(function* () {
      const found = yield* read(lines)
      const values = Object.keys(expected).map((name) => [name, found[name]?.value ?? null])
      assert.deepStrictEqual(Object.fromEntries(values), expected)
    })
  )

const rate = (label: string) => [fieldOf("rate", { type: "percent", labels: [label] })]

describe("dates of other things", () => {
  finds(
    "a date behind the number of another document is that document's",
    [
      "Ceramiche Vasari S.r.l.",
      "",
      "Tipo documento       Numero        Data          Causale",
      "NOTA DI CREDITO      NC 31/2025    02/10/2025    Rif. 1188/2025 del 18/09/2025",
      "",
      "Totale imponibile                                684,00",
      "Totale imposta                                   150,48",
      "Totale documento                                 834,48"
    ],
    { invoiceDate: "2025-10-02" }
  )

  finds(
    "a date behind the number of the credited invoice is that invoice's",
    [
      "Skogslund Maskin AB              KREDITFAKTURA",
      "                                 Nummer 90118",
      "                                 Datum 2025-04-28",
      "                                 Krediterar faktura 88220 daterad 2025-04-02",
      "Netto                            -2 400,00",
      "Moms 25%                           -600,00"
    ],
    { invoiceDate: "2025-04-28" }
  )

  finds(
    "a date behind the number of the invoice is the invoice's",
    [
      "Ceramiche Vasari S.r.l.",
      "",
      "Fattura n. 1188/2025 del 18/09/2025",
      "",
      "Totale                                           834,48"
    ],
    { invoiceDate: "2025-09-18" }
  )

  it.effect("the days of the lines are not the day of the invoice", () =>
    Effect.gen(function* () {
      const found = yield* read([
        "Abernathy Stokes LLP",
        "",
        "Invoice No. 118422                        Invoice date October 8, 2025",
        "",
        "Date        Services                      Hours       Amount",
        "09/04/25    Review of the lease            3.20     1,328.00",
        "09/11/25    Conference with the broker     2.70     1,120.50",
        "09/19/25    Research                       4.10     1,209.50",
        "",
        "Total due                                           3,658.00"
      ])
      assert.strictEqual(found["invoiceDate"]?.value, "2025-10-08")
      const without = yield* read([
        "Abernathy Stokes LLP",
        "",
        "Invoice No. 118422",
        "",
        "Date        Services                      Hours       Amount",
        "09/04/25    Review of the lease            3.20     1,328.00",
        "09/11/25    Conference with the broker     2.70     1,120.50",
        "09/19/25    Research                       4.10     1,209.50",
        "",
        "Total due                                           3,658.00"
      ])
      assert.isBelow(without["invoiceDate"]?.confidence ?? 0, 0.4)
    })
  )
})

const head = ["Bergmann Ltd                     INVOICE 4711", "", "Invoice date: 3 March 2025", ""]

describe("the day of the invoice", () => {
  finds(
    "is the last day of a document where a clear label says so",
    [
      "The Lathrop Grand Hotel",
      "Folio No.         448210",
      "Arrival           11-13-25",
      "Departure         11-16-25",
      "Invoice Date      11-16-25",
      "Total Charges     726.40"
    ],
    { invoiceDate: "2025-11-16" }
  )

  finds(
    "is the date that a letter begins with",
    [
      "Abernathy Stokes LLP",
      "",
      "October 18, 2025",
      "",
      "Invoice No. 118422",
      "FOR SERVICES THROUGH September 30, 2025:",
      "Total due                    3,658.00"
    ],
    { invoiceDate: "2025-10-18" }
  )
})

describe("amounts of other things", () => {
  it.effect("lines whose amount is printed twice are no net amount and its tax", () =>
    Effect.gen(function* () {
      const found = yield* read([
        ...head,
        "Charge                    Cur.   Amount     VAT    Amount EUR",
        "Terminal handling          EUR   265.00      0%        265.00",
        "Customs clearance          EUR    85.00     21%         85.00",
        "Delivery                   EUR   225.00     21%        225.00",
        "VAT base 0%        VAT base 21%        VAT 21%      Total EUR",
        "265.00                   310.00          65.10         640.10"
      ])
      assert.strictEqual(found["totalAmount"]?.value, 640.1)
      assert.notStrictEqual(found["taxAmount"]?.value, 85)
    })
  )

  finds(
    "the groups of an account number are no amounts",
    [...head, "Please transfer the total amount to", "account DE44 6405 0000 0000 1234 56"],
    { totalAmount: null }
  )

  finds(
    "a unit in small letters is no currency",
    [
      ...head,
      "Articles                 Unit price       Amount",
      "12 rm  Letterhead            600.00     7,200.00",
      "Total                                   7,200.00"
    ],
    { currency: null }
  )

  finds(
    "amounts in a sentence are amounts",
    [
      ...head,
      "Details                        Amount incl. GST",
      "Switchboard                             $585.00",
      "Cable                                   $547.00",
      "",
      "Total to pay: $1,132.00 (includes GST of $147.65)."
    ],
    { taxAmount: 147.65, totalAmount: 1132 }
  )
})

describe("numbers in groups", () => {
  finds(
    "a number printed in groups of figures is read whole",
    [
      "Heidetal Energie GmbH              Kundennummer    20 448 117",
      "                                   Rechnungs-Nr.   VR 7 701 882 340",
      "                                   Datum           11.02.2025",
      "Rechnungsbetrag                                    1.424,10"
    ],
    { invoiceNumber: "VR 7 701 882 340" }
  )

  finds(
    "a colon recognized together with its value is no part of it",
    [
      "Straits Air Cargo Ltd        TAX INVOICE",
      "Invoice No      :SIN-AE-0118",
      "Invoice Date    :22 Sep 2025",
      "Due Date        :22 Oct 2025"
    ],
    { invoiceNumber: "SIN-AE-0118", invoiceDate: "2025-09-22", dueDate: "2025-10-22" }
  )

  it.effect("a label that says % leads to a bare figure", () =>
    Effect.gen(function* () {
      const lines = ["VAT (%)     20", "Discount    15", "Total    96.00"]
      const percent = yield* extractByRules(printed(lines), { fields: rate("VAT (%)"), relations: [] })
      const none = yield* extractByRules(printed(lines), { fields: rate("Discount"), relations: [] })
      assert.deepStrictEqual([percent["rate"]?.value, none["rate"]?.value ?? null], [20, null])
    })
  )
})
