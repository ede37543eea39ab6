import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { documentKindOf } from "../../../src/extraction/kinds/DocumentKind.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { pageModel } from "../../../src/extraction/layout/PageModel.ts"
import { printed } from "../pages/PrintedLines.ts"
import { readPrinted as read } from "../pages/ReadPrinted.ts"

const sumsOf = ({ values }: Effect.Success<ReturnType<typeof read>>) => [
  values["subtotal"],
  values["taxAmount"],
  values["totalAmount"]
]

const head = ["Bergmann Ltd                     INVOICE 4711", "", "Invoice date: 3 March 2025", ""]

describe("amounts that are easily confused", () => {
  it.effect("two taxes under each other are no net amount and its tax", () =>
    Effect.gen(function* () {
      const result = yield* read([
        ...head,
        "Description            Qty      Price       Amount",
        "Water heater             1   1,180.00     1,180.00",
        "Labour                   2     150.00       300.00",
        "Subtotal                                  1,480.00",
        "GST 5%                                       74.00",
        "QST 9.975%                                  147.63",
        "TOTAL                                     1,701.63"
      ])
      assert.deepStrictEqual(sumsOf(result), [1480, 221.63, 1701.63])
    })
  )

  it.effect("two taxes with the amounts that they are of are added, however small the second is", () =>
    Effect.gen(function* () {
      const result = yield* read([
        ...head,
        "Description            Qty      Price       Amount",
        "Frame, gilded         12.5      65.00       812.50",
        "Gold leaf                3      48.20       144.60",
        "Catalogue                2      35.00        70.00",
        "Subtotal                                  1,027.10",
        "VAT 21% on 957.10                           200.99",
        "VAT 6% on 70.00                               4.20",
        "Amount due                                1,232.29"
      ])
      assert.deepStrictEqual(sumsOf(result), [1027.1, 205.19, 1232.29])
    })
  )

  it.effect("the only line that was read whole is not the net amount, of which another one is printed", () =>
    Effect.gen(function* () {
      const result = yield* read([
        "Samuel Mason         INVOICE",
        "",
        "# INV-204",
        "Date: Jan 1, 2022",
        "",
        "Payment Terms: Net 30 days",
        "Due Date: Jan 31, 2022",
        "Balance Due:   $127.50",
        "",
        "Item                   Quantity      Rate       Amount",
        "Service A                    12    $10.00      $120.00",
        "Description: Repair",
        "Notes: Replaced capacitor",
        "Tax: 02%",
        "Service B                           $1.50        $7.50",
        "Description: Cleaning",
        "Notes: Removed",
        "Tax: 0.4%",
        "                                Subtotal:      $127.50",
        "                                Tax (0%):        $0.00",
        "                                   Total:      $127.50"
      ])
      assert.deepStrictEqual(sumsOf(result), [127.5, 0, 127.5])
    })
  )

  it.effect("two equal taxes are no net amount and its tax", () =>
    Effect.gen(function* () {
      const { found, values } = yield* read([
        ...head,
        "Description            Quantity      Rate       Amount",
        "Gear wheel                   10  3,250.00    32,500.00",
        "Shaft grinding                4  2,500.00    10,000.00",
        "CGST                                  9 %     3,825.00",
        "SGST                                  9 %     3,825.00",
        "Total                                        50,150.00",
        "",
        "HSN/SAC    Taxable Value    CGST      SGST   Total Tax Amount",
        "8483           32,500.00  2,925.00  2,925.00          5,850.00",
        "9988           10,000.00    900.00    900.00          1,800.00",
        "Total          42,500.00  3,825.00  3,825.00          7,650.00"
      ])
      assert.strictEqual(values["totalAmount"], 50150)
      assert.notStrictEqual(values["subtotal"], 3825)
      assert.isBelow(values["taxAmount"] === 7650 ? 0 : (found["taxAmount"]?.confidence ?? 0), 0.9)
    })
  )

  it.effect("nothing left to pay is no tax of nothing", () =>
    Effect.gen(function* () {
      const { values } = yield* read([
        ...head,
        "Product                Qty      Price     Subtotal",
        "Red wine                 2      53.70       107.40",
        "Champagne                2      34.94        69.88",
        "Subtotal                                    177.28",
        "Discount                                    -10.00",
        "Shipping                                      5.94",
        "Total incl. VAT                             173.22",
        "Paid                                       -173.22",
        "Outstanding                                   0.00"
      ])
      assert.notStrictEqual(values["taxAmount"], 0)
      assert.strictEqual(values["totalAmount"], 173.22)
    })
  )
})

describe("numbers and dates that are easily confused", () => {
  it.effect("a date under another heading is not the document's", () =>
    Effect.gen(function* () {
      const { values } = yield* read([
        "SZÁMLA                       Számlaszám: ZK-2025/714",
        "Fizetési mód    Teljesítés dátuma    Számla kelte    Fizetési határidő",
        "átutalás        2025.08.10.          2025.08.12.     2025.08.27."
      ])
      assert.deepStrictEqual(
        [values["invoiceNumber"], values["invoiceDate"], values["dueDate"]],
        ["ZK-2025/714", "2025-08-12", "2025-08-27"]
      )
    })
  )

  it.effect("a series and a number are one number, and a date is no part of one", () =>
    Effect.gen(function* () {
      const series = yield* read(["FACTURĂ FISCALĂ", "Seria CLJ nr. 004418", "Data: 02.06.2025"])
      assert.strictEqual(series.values["invoiceNumber"], "CLJ 004418")
      const bill = yield* read(["INVOICE", "TOTAL AMOUNT DUE    $91.47", "AFTER 09/05/2025 PAY    $96.04"])
      assert.notStrictEqual(bill.values["invoiceNumber"], "AFTER 09/05/2025")
    })
  )

  it.effect("a label and its value are parted at a full-width colon", () =>
    Effect.gen(function* () {
      const { values } = yield* read(["請求書", "請求日：2025年9月30日", "請求書番号：INV-20250930-07"])
      assert.deepStrictEqual(
        [values["invoiceNumber"], values["invoiceDate"]],
        ["INV-20250930-07", "2025-09-30"]
      )
    })
  )
})

describe("shops", () => {
  it.effect("are not named by their owners", () =>
    Effect.gen(function* () {
      const { values } = yield* read(
        ["Löwen-Apotheke", "Inh. Dr. Beate Struck e.K.", "Kirchplatz 2, 48143 Münster", "Summe EUR  24,45"],
        { merchantName: { preset: "receipt.merchantName" } }
      )
      assert.strictEqual(values["merchantName"], "Löwen-Apotheke")
    })
  )
})

const kindOf = (lines: ReadonlyArray<string>): string =>
  documentKindOf(
    printed(lines).pages.map((page) => pageModel(page, shippedLexicon())),
    shippedLexicon()
  ).kind

describe("documents that are easily confused", () => {
  it("a remittance advice lists invoices and is none", () => {
    const lines = [
      "REMITTANCE ADVICE",
      "",
      "Granite Hospital            Payment No. 448120",
      "Accounts Payable            Payment Date 07/18/2025",
      "",
      "Invoice No.   Invoice Date     Gross    Discount    Net Paid",
      "88120         06/02/2025    4,410.00        0.00    4,410.00",
      "88204         06/09/2025    1,288.50       25.77    1,262.73",
      "Total Payment                            USD 5,672.73"
    ]
    assert.strictEqual(kindOf(lines), "other")
  })

  it("a letter is what its subject says, not what its table lists", () => {
    const lines = [
      "Cartotecnica Valsesia S.p.A.",
      "Varallo, 4 aprile 2025",
      "",
      "Oggetto: secondo sollecito di pagamento",
      "",
      "Gentile Cliente, ci risultano ancora insolute le seguenti fatture:",
      "Fattura     Data          Scadenza      Importo",
      "218/25      15/01/2025    14/02/2025    1.220,00",
      "244/25      31/01/2025    28/02/2025      488,00",
      "Distinti saluti"
    ]
    assert.strictEqual(kindOf(lines), "reminder")
  })
})

const rowsOf = ({ values }: Effect.Success<ReturnType<typeof read>>) => values["lineItems"]

describe("columns that are easily confused", () => {
  it.effect("a heading goes on as far as what is under it", () =>
    Effect.gen(function* () {
      const result = yield* read([
        ...head,
        "Pos  Description      Qty   Unit price   Amount CHF",
        "1    Oak door           3       980.00     2,940.00",
        "2    Lock               2        86.10       172.20"
      ])
      assert.deepStrictEqual(rowsOf(result), [
        { description: "Oak door", quantity: 3, unitPrice: 980, amount: 2940 },
        { description: "Lock", quantity: 2, unitPrice: 86.1, amount: 172.2 }
      ])
    })
  )

  it.effect("amounts are what quantity and price come to, not with tax", () =>
    Effect.gen(function* () {
      const result = yield* read([
        ...head,
        "Description      Qty     Rate   Taxable amt   VAT amt   Total AED",
        "Cleaning           2   700.00      1,400.00     70.00    1,470.00",
        "Duct cleaning     22   200.00      4,400.00    220.00    4,620.00"
      ])
      assert.deepStrictEqual(rowsOf(result), [
        { description: "Cleaning", quantity: 2, unitPrice: 700, amount: 1400 },
        { description: "Duct cleaning", quantity: 22, unitPrice: 200, amount: 4400 }
      ])
    })
  )

  it.effect("items are described by words, not by their codes", () =>
    Effect.gen(function* () {
      const result = yield* read([
        "FAKTURA 9021",
        "",
        "Artikel     Visning              Antal    Á-pris     Belopp",
        "KF-POS-M    Kassasystem licens       3   1195,00    3585,00",
        "KF-TERM     Kortterminal hyra        3    249,00     747,00"
      ])
      assert.deepStrictEqual(rowsOf(result), [
        { description: "Kassasystem licens", quantity: 3, unitPrice: 1195, amount: 3585 },
        { description: "Kortterminal hyra", quantity: 3, unitPrice: 249, amount: 747 }
      ])
    })
  )

  it.effect("a heading that ends in a currency is the one of the amounts", () =>
    Effect.gen(function* () {
      const result = yield* read([
        "RECHNUNG 2025-44",
        "",
        "Beschreibung                     Honorar EUR",
        "Vorentwurf und Entwurf             14.580,00",
        "Einreichplanung                     9.720,00"
      ])
      assert.deepStrictEqual(rowsOf(result), [
        { description: "Vorentwurf und Entwurf", quantity: null, unitPrice: null, amount: 14580 },
        { description: "Einreichplanung", quantity: null, unitPrice: null, amount: 9720 }
      ])
    })
  )
})
