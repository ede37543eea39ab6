import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { DocumentIR } from "../../../src/domain/DocumentIR.ts"
import { pageModel } from "../../../src/extraction/layout/PageModel.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { withPlainDigits } from "../../../src/extraction/values/Numbers.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { documentOf, look, pageOf } from "../grounding/GroundingPages.ts"
import { placedPage } from "../pages/PlacedLines.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = [
  fieldOf("number", { preset: "invoice.number" }),
  fieldOf("date", { preset: "invoice.date" }),
  fieldOf("seller", { preset: "invoice.vendorName" }),
  fieldOf("total", { preset: "invoice.totalAmount" }),
  fieldOf("lines", { preset: "invoice.lineItems" })
]

const found = (document: DocumentIR) => extractByRules(document, { fields, relations: [] })

describe("digits of other scripts", () => {
  it.each([
    ["١٢٣٤٫٥٠", "1234.50"],
    ["٢٬٢٨٠٫٠٠", "2,280.00"],
    ["٪١٤", "%14"],
    ["۱۴۰۴", "1404"],
    ["१२,३४५.५०", "12,345.50"],
    ["๒๕๖๘", "2568"],
    ["１２３，４５６", "123,456"],
    ["৫০০", "500"],
    ["合計：１２", "合計：12"],
    ["￥", "¥"],
    ["Müller 12", "Müller 12"]
  ])("%s is %s", (text, plain) => assert.strictEqual(withPlainDigits(text), plain))
})

/** Words from right to left, as a reader gives them: each with its place, in the order of the page. */
const fromRight = (y: number, right: number, text: string) => {
  let x = right
  return text.split(" ").map((word) => {
    x -= word.length * 5.5
    const placed = { x, y, text: word }
    x -= 5.5
    return placed
  })
}

it("three narrow letters do not run up the page", () => {
  const bbox = { x: 40, y: 100, w: 4.5, h: 10 }
  const words = [{ text: "III", bbox }]
  const line = { lineId: "p1_l1", text: "III", bbox, startChar: 0, endChar: 3, words }
  const { rows } = pageModel({ pageNumber: 1, width: 595, height: 842, lines: [line] }, shippedLexicon())
  assert.deepStrictEqual(
    rows.flat().map(({ text }) => text),
    ["III"]
  )
})

it.each([
  ["（小写）¥20000.00", "（小写） ¥20000.00"],
  ["合計￥1,247", "合計 ¥1,247"],
  ["Total(net)€12.00", "Total(net) €12.00"],
  ["合計1,247", "合計1,247"],
  ["(02)¥5", "(02)¥5"],
  ["RM12.00", "RM12.00"],
  ["US$12.00", "US$12.00"]
])(
  "an amount with its sign is a word of its own behind brackets and scripts without spaces: %s",
  (text, words) => {
    const { rows } = pageModel(printed([text]).pages[0] ?? assert.fail(), shippedLexicon())
    assert.strictEqual(
      rows
        .flat()
        .map((token) => token.text)
        .join(" "),
      words
    )
  }
)

describe("a page from right to left", () => {
  it.effect("has its values behind their labels, in reading order, and its rows", () =>
    Effect.gen(function* () {
      const { date, lines, number, seller, total } = yield* found(
        placedPage([
          ...fromRight(40, 550, 'ארז מערכות מיזוג בע"מ'),
          ...fromRight(80, 550, "מספר חשבונית: 30118"),
          ...fromRight(95, 550, "תאריך חשבונית: 25/02/2025"),
          ...fromRight(140, 550, "תיאור"),
          ...fromRight(140, 330, "כמות"),
          ...fromRight(140, 230, "מחיר"),
          ...fromRight(140, 100, "סכום"),
          ...fromRight(155, 550, "התקנת מזגן מיני"),
          ...fromRight(155, 330, "2"),
          ...fromRight(155, 230, "3,500.00"),
          ...fromRight(155, 100, "7,000.00"),
          ...fromRight(170, 550, "קו ניקוז"),
          ...fromRight(170, 330, "4"),
          ...fromRight(170, 230, "300.00"),
          ...fromRight(170, 100, "1,200.00"),
          ...fromRight(200, 230, 'סה"כ לתשלום'),
          ...fromRight(200, 100, "8,200.00")
        ])
      )
      assert.deepStrictEqual(
        [seller?.value, number?.value, date?.value, total?.value],
        ['ארז מערכות מיזוג בע"מ', "30118", "2025-02-25", 8200]
      )
      assert.deepStrictEqual(lines?.value, [
        { description: "התקנת מזגן מיני", quantity: 2, unitPrice: 3500, amount: 7000 },
        { description: "קו ניקוז", quantity: 4, unitPrice: 300, amount: 1200 }
      ])
      // Evidence is where the page has it, not where its mirror image does.
      assert.deepStrictEqual(number?.bbox?.x, 550 - 14 * 5.5 - 5.5 * 5)
    })
  )
})

const date = (lines: ReadonlyArray<string>) => Effect.map(found(printed(lines)), (all) => all["date"])

describe("names of months that mean two", () => {
  it.effect("are those of the language of the page", () =>
    Effect.gen(function* () {
      const croatian = yield* date([
        "Račun br. 12",
        "Kupac: Hotel Lungomare",
        "Datum računa: 14. listopada 2025."
      ])
      const polish = yield* date([
        "Faktura nr 12",
        "Nabywca: Hotel Giewont",
        "Data wystawienia: 14 listopada 2025"
      ])
      assert.deepStrictEqual([croatian?.value, polish?.value], ["2025-10-14", "2025-11-14"])
    })
  )

  it.effect("are never sure where nothing tells the language", () =>
    Effect.gen(function* () {
      const open = yield* date(["Invoice 12", "Invoice date: 14 listopada 2025"])
      assert.isBelow(open?.confidence ?? 0, 0.9)
    })
  )

  it.effect("are found on the page in both meanings, and in no other", () =>
    Effect.gen(function* () {
      const page = documentOf(pageOf(["Date: 14 listopada 2025"]))
      const seen = yield* Effect.forEach(["2025-10-14", "2025-11-14", "2025-12-14"], (value) =>
        look(page, { type: "date" }, { value })
      )
      assert.deepStrictEqual(
        seen.map((place) => place?.words),
        ["14 listopada 2025", "14 listopada 2025", undefined]
      )
    })
  )
})
