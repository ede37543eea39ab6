import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { lineAt, rolesOf } from "../../../src/extraction/candidates/BlockRoles.ts"
import { blocksOf, type Role, roles } from "../../../src/extraction/layout/PageBlocks.ts"
import { readDocument } from "../../../src/extraction/layout/Reading.ts"
import * as fc from "../../support/FastCheck.ts"
import { linesOf, placedPage } from "./PlacedLines.ts"

const printed = fc.record({
  x: fc.integer({ min: 0, max: 500 }),
  y: fc.integer({ min: 0, max: 800 }),
  text: fc.constantFrom("Total", "Bill to", "12,00", "Firma GmbH", "04.05.2025", "Rechnung Nr. 7", "Oak")
})

const invoice = placedPage([
  ...linesOf(40, 13, [
    { 40: "Harbour Joinery Ltd", 380: "Invoice no. 4711" },
    { 40: "7 Quay Street, Bristol BS1 4UZ", 380: "Invoice date 12/03/2025" },
    { 40: "VAT No GB 123 4567 89", 380: "Due date 11/04/2025" },
    { 40: "www.harbourjoinery.example" }
  ]),
  ...linesOf(130, 13, [{ 40: "Bill to" }, { 40: "Mrs Ada Penrose" }, { 40: "3 Mill Lane, Truro TR1 2AB" }]),
  ...linesOf(220, 13, [
    { 40: "Description", 300: "Quantity", 380: "Unit price", 480: "Amount" },
    { 40: "Oak shelf", 300: "2", 380: "80.00", 480: "160.00" },
    { 40: "Fitting", 300: "3", 380: "40.00", 480: "120.00" },
    { 40: "Varnish", 300: "1", 380: "20.00", 480: "20.00" }
  ]),
  ...linesOf(300, 13, [
    { 380: "Subtotal", 480: "300.00" },
    { 380: "VAT 20 %", 480: "60.00" },
    { 380: "Total", 480: "360.00" }
  ])
])

const pageOf = (page: typeof invoice) => readDocument(page, [], undefined)

describe("the blocks of a page", () => {
  it.effect("are the phrases of each column without a wide gap", () =>
    Effect.map(pageOf(invoice), (reading) => {
      const found = blocksOf(reading, 0).all.map(({ lines }) => lines.map(({ text }) => text))
      const begins = (first: string) => found.find(([line]) => line === first)
      assert.deepStrictEqual(begins("Harbour Joinery Ltd")?.length, 4)
      assert.deepStrictEqual(begins("Bill to"), ["Bill to", "Mrs Ada Penrose", "3 Mill Lane, Truro TR1 2AB"])
      assert.deepStrictEqual(begins("Subtotal"), ["Subtotal", "VAT 20 %", "Total"])
      assert.deepStrictEqual(begins("Invoice no. 4711")?.length, 3)
    })
  )

  it.effect.each<[Role, string]>([
    ["seller", "Harbour Joinery Ltd"],
    ["customer", "Bill to"],
    ["numbers", "Invoice no. 4711"],
    ["items", "Amount"],
    ["totals", "300.00"]
  ])("has one that is most surely that of %s", ([role, first]) =>
    Effect.map(pageOf(invoice), (reading) => {
      const [likeliest] = blocksOf(reading, 0).all.toSorted(
        (one, two) => rolesOf(reading, two)[role] - rolesOf(reading, one)[role]
      )
      assert.strictEqual(likeliest?.lines[0]?.text, first)
    })
  )

  it.effect("hold each word of any page once, from top to bottom", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(printed, { minLength: 1, maxLength: 40 }), async (texts) => {
          const reading = await Effect.runPromise(pageOf(placedPage(texts)))
          const { all } = blocksOf(reading, 0)
          const words = (reading.pages[0]?.rows ?? []).flatMap((tokens, row) =>
            tokens.map((_, from) => ({ page: 0, row, from, to: from }))
          )
          const held = all.flatMap(({ lines }) => lines.map(({ span }) => span.to - span.from + 1))
          assert.strictEqual(
            held.reduce((sum, count) => sum + count, 0),
            words.length
          )
          for (const { lines } of all)
            assert.isTrue(lines.every(({ span }, i) => i === 0 || span.row > (lines[i - 1]?.span.row ?? 0)))
          for (const span of words) {
            const odds = lineAt(reading, span)?.odds
            assert.isTrue(roles.every((role) => Number.isFinite(odds?.[role])))
          }
        })
      )
    )
  )
})
