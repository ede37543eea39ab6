import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { FieldDefinition } from "../../../src/extraction/fields/FieldDefinition.ts"
import { documentOf, look, pageOf, type Piece } from "./GroundingPages.ts"
import { defined } from "../../../src/support/Defined.ts"

type Rows = ReadonlyArray<string | ReadonlyArray<Piece>>

const text: FieldDefinition = { type: "string" }
const identifier: FieldDefinition = { type: "identifier" }
const money: FieldDefinition = { type: "money" }
const date: FieldDefinition = { type: "date" }

const words = (rows: Rows, definition: FieldDefinition, value: string | number | boolean, quote?: string) =>
  Effect.map(
    look(documentOf(pageOf(rows)), definition, { value, ...defined({ quote }) }),
    (seen) => seen?.words
  )

/** What is on the page, the value, and the words that the box must cover. */
const stands: ReadonlyArray<readonly [Rows, FieldDefinition, string | number, string]> = [
  [["Name: Acme  Tools Ltd"], text, "ACME tools ltd", "Acme Tools Ltd"],
  [
    ["the of\uFB01ce \u201CNord\u201D \u2013 Kiel"],
    text,
    'office "Nord" - Kiel',
    "the of\uFB01ce \u201CNord\u201D \u2013 Kiel".slice(4)
  ],
  [["Rech-", "nung of May"], text, "Rechnung", "Rech- nung"],
  [
    ["Acme Tools", "1 High Street", "London"],
    text,
    "Acme Tools, 1 High Street, London",
    "Acme Tools 1 High Street London"
  ],
  [["請求書番号は合計金額のとおり"], text, "合計金額", "請求書番号は合計金額のとおり"],
  [["サンプル株式会社 御中"], text, "サンプル株式会社", "サンプル株式会社"],
  [["ООО Ромашка"], text, "ооо ромашка", "ООО Ромашка"],
  [["Ε.Π.Ε. Αθήνα"], text, "Αθήνα", "Αθήνα"],
  [["Your order ABC-1234/9 of May"], identifier, "ABC-1234", "ABC-1234/9"],
  [
    ["IBAN: DE89 3704 0044 0532 0130 00"],
    identifier,
    "DE89370400440532013000",
    "DE89 3704 0044 0532 0130 00"
  ],
  [["Call (030) 123-4567 now"], text, "+49301234567", "(030) 123-4567"],
  [["Summe 1.234,50 €"], money, 1234.5, "1.234,50"],
  [["Total USD 1,234.50"], money, 1234.5, "1,234.50"],
  [["à payer : 1 234,50 EUR"], money, 1234.5, "1 234,50"],
  [["CHF 1'234.50"], money, 1234.5, "1'234.50"],
  [["₹1,23,456.00 only"], money, 123456, "₹1,23,456.00"],
  [["合計１２，３４５円"], money, 12345, "合計１２，３４５円"],
  [["المجموع ١٢٣٤٫٥٠"], money, 1234.5, "١٢٣٤٫٥٠"],
  [["Discount (12.00)"], money, -12, "(12.00)"],
  [["Weight 120kg net"], { type: "number" }, 120, "120kg"],
  [["VAT 19 % of it"], { type: "number" }, 19, "19"],
  [["am 1. März 2024 in Kiel"], date, "2024-03-01", "1. März 2024"],
  [["issued March 1st, 2024"], date, "2024-03-01", "March 1st, 2024"],
  [["le 1er février 2024"], date, "2024-02-01", "1er février 2024"],
  [["発行日2024年3月1日"], date, "2024-03-01", "発行日2024年3月1日"],
  [["2024년 3월 1일"], date, "2024-03-01", "2024년 3월 1일"],
  [["On 01/03/24 it rained"], date, "2024-03-01", "01/03/24"],
  [["Amount in EUR"], { type: "currency" }, "EUR", "EUR"],
  [["We owe £12.50"], { type: "currency" }, "GBP", "£12.50"]
]

/** What is on the page, and a value that does not, though something like it does. */
const standsNot: ReadonlyArray<readonly [Rows, FieldDefinition, string | number]> = [
  [["Total 1.234,50 €"], money, 1234.05],
  [["Total 1.234,50 €"], money, 234.5],
  [["Total 1.234,50 €"], identifier, "234"],
  [["Total 12.00"], money, -12],
  [["Invoice INV-2024-17"], money, 2024],
  [["Invoice INV-2024-17"], money, 17],
  [["on 31.12.2024"], money, 31.12],
  [["Room A4"], { type: "integer" }, 4],
  [
    [
      [
        { x: 50, text: "1" },
        { x: 90, text: "2" }
      ]
    ],
    identifier,
    "12"
  ],
  [
    [
      [
        { x: 50, text: "123" },
        { x: 120, text: "456" }
      ]
    ],
    identifier,
    "123456"
  ],
  [["Policy ABC-1234"], identifier, "ABC-1235"],
  [["Policy ABC-1234"], identifier, "BC-1234"],
  [["Bernstein Ltd"], text, "Stein"],
  [["Müller GmbH"], text, "Muller GmbH"],
  [["due 31/12/2024"], date, "2024-12-30"],
  // The other date of the document proves how this one is meant.
  [["from 13/02/2024", "to 03/04/2024"], date, "2024-03-04"],
  [["IBAN: DE89 3704 0044 0532 0130 00"], identifier, "DE89370400440532013001"],
  [["Call (030) 123-4567"], text, "+49301234568"],
  [["We owe £12.50"], { type: "currency" }, "EUR"]
]

describe("finding a value in a document", () => {
  it.live.each(stands)("finds it in %j as %j: %j", ([rows, definition, value, wanted]) =>
    Effect.gen(function* () {
      const found = yield* words(rows, definition, value)
      assert.isDefined(found)
      assert.isTrue(
        found === wanted || (definition.type !== "string" && found?.includes(wanted)),
        `"${found}"`
      )
    })
  )

  it.live.each(standsNot)("does not find in %j as %j: %j", ([rows, definition, value]) =>
    Effect.gen(function* () {
      assert.isUndefined(yield* words(rows, definition, value))
    })
  )

  it.live("finds text of several lines in one of two columns", () =>
    Effect.gen(function* () {
      const rows = [
        [
          { x: 50, text: "Acme Tools Ltd" },
          { x: 350, text: "Bill to: Jane" }
        ],
        [
          { x: 50, text: "1 High Street" },
          { x: 350, text: "9 Low Lane" }
        ],
        [
          { x: 50, text: "London" },
          { x: 350, text: "Leeds" }
        ]
      ]
      const seen = yield* look(documentOf(pageOf(rows)), text, {
        value: "Acme Tools Ltd, 1 High Street, London"
      })
      assert.strictEqual(seen?.words, "Acme Tools Ltd 1 High Street London")
    })
  )

  it.live("finds right-to-left text in reading order and as it is on the page", () =>
    Effect.gen(function* () {
      // Reading order: the first word is at the right.
      const line = pageOf([
        [
          { x: 300, text: "חברת" },
          { x: 260, text: "הדוגמה" }
        ]
      ])
      const seen = yield* look(documentOf(line), text, { value: "חברת הדוגמה" })
      assert.strictEqual(seen?.words, "חברת הדוגמה")
    })
  )

  it.live("takes what recognition misreads for what it is, but never one figure for another", () =>
    Effect.gen(function* () {
      const scan = documentOf(pageOf(["Invoice 1NV-2O24-77"], 1, "ocr"))
      assert.strictEqual((yield* look(scan, identifier, { value: "INV-2024-77" }))?.words, "1NV-2O24-77")
      assert.isUndefined(yield* look(scan, identifier, { value: "INV-2024-78" }))
      const printed = documentOf(pageOf(["Invoice 1NV-2O24-77"]))
      assert.isUndefined(yield* look(printed, identifier, { value: "INV-2024-77" }))
    })
  )

  it.live("takes the place that the quote means, else the one next to the label, else the page", () =>
    Effect.gen(function* () {
      const definition = { type: "money", labels: ["Grand total"] } as const
      const pages = documentOf(
        pageOf(["Deposit 80.00", "Grand total 80.00", "Refund 80.00"]),
        pageOf(["Carried over 80.00"], 2)
      )
      const y = (claim: { quote?: string; page?: number }) =>
        Effect.map(look(pages, definition, { value: 80, ...claim }), (seen) => [seen?.page, seen?.box?.y])
      assert.deepStrictEqual(yield* y({ quote: "Refund 80.00" }), [1, 48])
      assert.deepStrictEqual(yield* y({ quote: "> Refund\n> 80.00" }), [1, 48])
      assert.deepStrictEqual(yield* y({}), [1, 34])
      const unlabelled = { type: "money" } as const
      const onTwo = yield* look(pages, unlabelled, { value: 80, page: 2 })
      assert.strictEqual(onTwo?.page, 2)
    })
  )

  it.live("believes yes and no only in the words that were quoted", () =>
    Effect.gen(function* () {
      const rows = ["Smoker: no", "Insured: yes"]
      const boolean = { type: "boolean" } as const
      assert.strictEqual(yield* words(rows, boolean, false, "Smoker: no"), "no")
      assert.isUndefined(yield* words(rows, boolean, true, "Smoker: no"))
      assert.isUndefined(yield* words(rows, boolean, true))
    })
  )

  it.live("does not take words for a value because they were quoted", () =>
    Effect.gen(function* () {
      const rows = ["Total 100.00", "Date 1 May 2024"]
      assert.isUndefined(yield* words(rows, money, 900, "Total 100.00"))
      assert.isUndefined(yield* words(rows, date, "2024-05-02", "Date 1 May 2024"))
      assert.isUndefined(yield* words(rows, text, "Acme", "Total 100.00"))
    })
  )
})
