import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { parseEquation } from "../../../src/extraction/sums/Equation.ts"
import { violationWarning } from "../../../src/steps/extract/sources/RulesSource.ts"
import { violationsOf } from "../../../src/extraction/sums/RelationVerdicts.ts"
import { reviewOf } from "../../../src/steps/extract/Review.ts"
import { readByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"
import { printed } from "../pages/PrintedLines.ts"

const relation = "subtotal + taxAmount = totalAmount"
const sums = {
  subtotal: { preset: "invoice.subtotal" },
  taxAmount: { preset: "invoice.taxAmount" },
  totalAmount: { preset: "invoice.totalAmount", required: true }
} as const
const receipt = {
  merchantName: { preset: "receipt.merchantName" },
  totalAmount: { preset: "receipt.totalAmount" }
} as const

const read = (
  lines: ReadonlyArray<string>,
  definitions: Parameters<typeof Object.entries<Parameters<typeof fieldOf>[1]>>[0],
  options: Parameters<typeof printed>[1] = {}
) => {
  const fields = Object.entries(definitions).map(([name, definition]) => fieldOf(name, definition))
  const relations = definitions === sums ? [relation] : []
  return Effect.map(readByRules(printed(lines, options), { fields, relations }), (result) => ({
    fields,
    ...result
  }))
}

describe("doubt", () => {
  it.effect("is never sure of amounts that break a relation, and says which numbers", () =>
    Effect.gen(function* () {
      const { alternatives, fields, found, violations } = yield* read(
        ["INVOICE", "Acme Ltd", "Subtotal 401,196.00", "VAT 20% 3,998.92", "Total 23,993.53"],
        sums
      )
      for (const name of ["subtotal", "taxAmount", "totalAmount"])
        assert.isBelow(found[name]?.confidence ?? 1, 0.8, name)
      const warnings = violations.map((violation) => violationWarning(violation, alternatives))
      assert.match(
        warnings.join(),
        /subtotal \+ taxAmount = totalAmount does not hold: 405194\.92 is not 23993\.53/u
      )
      const review = reviewOf(fields, found, { below: 0.8, relations: [relation], warnings })
      assert.deepStrictEqual(
        review.map(({ field }) => field),
        ["subtotal", "taxAmount", "totalAmount"]
      )
      assert.match(review[0]?.reason ?? "", /does not hold/u)
    })
  )

  it.effect("is never sure of a recognized number in which a zero may be an O", () =>
    Effect.gen(function* () {
      const numberOf = Effect.fnUntraced(function* (number: string, confidence?: number) {
        const page = placedPage(
          [
            ...linesOf(40, 16, [{ 40: "Loomline Software Ltd" }, { 40: "INVOICE" }]),
            ...linesOf(90, 16, [
              { 40: "Invoice number", 200: number },
              { 40: "Invoice date", 200: "14 June 2025" },
              { 40: "Due date", 200: "14 July 2025" },
              { 40: "Total", 200: "$1,141.00" }
            ])
          ],
          confidence
        )
        const presets = {
          number: "invoice.number",
          date: "invoice.date",
          total: "invoice.totalAmount"
        } as const
        const fields = Object.entries(presets).map(([name, preset]) => fieldOf(name, { preset }))
        const { found } = yield* readByRules(page, { fields, relations: [] })
        assert.strictEqual(found["number"]?.value, number)
        return found["number"]?.confidence ?? 0
      })
      assert.isAtLeast(yield* numberOf("FOC8D21A-0007"), 0.9)
      assert.isAtLeast(yield* numberOf("INV-2025-0007", 0.97), 0.9)
      assert.isBelow(yield* numberOf("FOC8D21A-0007", 0.97), 0.9)
      assert.isBelow(yield* numberOf("F0C8D21A-0007", 0.97), 0.9)
    })
  )

  it.effect("accepts an amount that is printed between a sum and its parts", () =>
    Effect.gen(function* () {
      const { found, violations } = yield* read(
        [
          "INVOICE",
          "Acme Ltd",
          "Subtotal 18,420.00",
          "VAT 21% 3,868.20",
          "Rounding -0.20",
          "Total 22,288.00"
        ],
        sums
      )
      assert.deepStrictEqual(
        ["subtotal", "taxAmount", "totalAmount"].map((name) => found[name]?.value),
        [18420, 3868.2, 22288]
      )
      assert.deepStrictEqual(violations, [])
    })
  )

  const day = { invoiceDate: { preset: "invoice.date" } } as const

  it.effect("reads the month first where a state and a ZIP code are printed", () =>
    Effect.gen(function* () {
      const lines = ["INVOICE", "Tri-County Bearing", "Toledo, OH 43612", "Invoice date 6/11/2025"]
      const { found } = yield* read(lines, day)
      assert.strictEqual(found["invoiceDate"]?.value, "2025-06-11")
    })
  )

  it.effect("is not sure of a date whose order nothing tells", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2025, 11, 1))
      const open = yield* read(["INVOICE", "Acme", "Invoice date 6/11/2025"], day)
      assert.isAtMost(open.found["invoiceDate"]?.confidence ?? 1, 0.75)
      const british = yield* read(["INVOICE", "Acme", "Invoice date 6/11/2025", "Total £12.00"], day)
      assert.isAbove(british.found["invoiceDate"]?.confidence ?? 0, 0.75)
      assert.strictEqual(british.found["invoiceDate"]?.value, "2025-11-06")
    })
  )

  it("offers what an amount could be instead, if the relation would hold with it", () => {
    const equation = parseEquation(relation)
    assert.isDefined(equation)
    const [violation] = violationsOf(
      equation === undefined ? [] : [equation],
      new Map([
        ["subtotal", 100],
        ["taxAmount", 20],
        ["totalAmount", 100]
      ]),
      new Map()
    )
    assert.isDefined(violation)
    if (violation === undefined) return
    const told = `${relation} does not hold: 120 is not 100.`
    const warningWith = (...others: ReadonlyArray<readonly [string, ReadonlyArray<number>]>) =>
      violationWarning(violation, new Map(others))
    assert.strictEqual(
      warningWith(["subtotal", [120]], ["totalAmount", [90, 120]]),
      `${told} Check the amounts: totalAmount could also be 120.`
    )
    assert.strictEqual(warningWith(["subtotal", [120]]), told)
  })

  it.effect("is surer of amounts that add up", () =>
    Effect.gen(function* () {
      const { found, violations } = yield* read(
        ["INVOICE", "Acme Ltd", "Subtotal 100.00", "VAT 20% 20.00", "Total 120.00"],
        sums
      )
      assert.deepStrictEqual(violations, [])
      assert.isAtLeast(found["totalAmount"]?.confidence ?? 0, 0.9)
    })
  )

  it.effect("is never sure of what is recognized badly", () =>
    Effect.gen(function* () {
      const lines = ["ABC STORES SDN BHD", "Tea 4.50", "TOTAL 12.00", "CASH 12.00"]
      const badly = yield* read(lines, receipt, { recognized: true, confidence: 0.5 })
      const well = yield* read(lines, receipt, { recognized: true, confidence: 0.97 })
      for (const name of ["merchantName", "totalAmount"]) {
        assert.isBelow(badly.found[name]?.confidence ?? 1, 0.9, name)
        assert.isBelow(badly.found[name]?.confidence ?? 1, well.found[name]?.confidence ?? 0, name)
      }
    })
  )

  it.effect("is not sure of a date of a receipt with a doubted digit", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(Date.UTC(2018, 11, 1))
      const lines = [
        "ABC STORES SDN BHD",
        "12 JALAN BESAR, 81100 JOHOR BAHRU",
        "Date: 17/05/2018 13:14",
        "Tea 4.50",
        "Cake 7.50",
        "TOTAL RM12.00"
      ]
      const paid = ["CASH 20.00", "CHANGE 8.00"]
      const fields = [
        fieldOf("merchantName", { preset: "receipt.merchantName" }),
        fieldOf("date", { preset: "receipt.date" }),
        fieldOf("totalAmount", { preset: "receipt.totalAmount" }),
        fieldOf("currency", { preset: "invoice.currency" }),
        fieldOf("cash", { preset: "receipt.cash" }),
        fieldOf("change", { preset: "receipt.change" })
      ]
      const confidenceOf = Effect.fnUntraced(function* (
        name: string,
        more: ReadonlyArray<string>,
        of: number
      ) {
        const document = printed([...lines, ...more], { recognized: true, confidence: of })
        const { found } = yield* readByRules(document, {
          fields,
          relations: ["totalAmount + change = cash"]
        })
        return found[name]?.confidence ?? 0
      })
      assert.isAtLeast(yield* confidenceOf("date", paid, 0.97), 0.9)
      assert.isAtMost(yield* confidenceOf("date", paid, 0.79), 0.8)
      assert.isAtLeast(yield* confidenceOf("totalAmount", paid, 0.97), 0.9)
    })
  )

  it.effect("takes no total of a tax summary for what was paid", () =>
    Effect.gen(function* () {
      const { found } = yield* read(
        [
          "KEDAI HOCK LEE SDN BHD",
          "File box 29.70",
          "Pens 16.00",
          "Total Incl. GST 45.70",
          "GST SUMMARY Amount(RM) Tax(RM)",
          "SR @ 6% 38.71 2.32",
          "ZR @ 0% 4.67 0.00",
          "Total 43.38 2.32"
        ],
        receipt,
        { recognized: true }
      )
      assert.strictEqual(found["totalAmount"]?.value, 45.7)
    })
  )
})

describe("sellers", () => {
  const seller = { vendorName: { preset: "invoice.vendorName" } } as const

  it.effect.each([
    ["a street behind a dash", "Au bon moulin SARL- 1242 chemin de lolive", "Au bon moulin SARL"],
    ["a sentence", "Fenland Energy Supply Limited. Registered in Wales", "Fenland Energy Supply Limited"]
  ] as const)("cuts the name off from %s", ([, line, name]) =>
    Effect.gen(function* () {
      const { found } = yield* read([line, "Invoice 1007", "Invoice date 06.11.2025"], seller)
      assert.strictEqual(found["vendorName"]?.value, name)
    })
  )

  it.effect("prefers the whole name to a short one that is printed in the head", () =>
    Effect.gen(function* () {
      const { found } = yield* read(
        ["brightloom", "Brightloom Labs, Inc.", "548 Market Street", "Invoice", "Total $12.00"],
        seller
      )
      assert.strictEqual(found["vendorName"]?.value, "Brightloom Labs, Inc.")
    })
  )
})
