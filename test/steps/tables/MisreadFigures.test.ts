import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import type { DocumentIR } from "../../../src/domain/DocumentIR.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

type Figures = readonly [quantity: string, price: string, amount: string]

const rows = (first: Figures, sum: string) => [
  ...linesOf(100, 12, [{ 40: "Description", 300: "Qty", 360: "Price", 440: "Amount" }]),
  ...linesOf(116, 16, [
    { 40: "Proof reading", 300: first[0], 360: first[1], 440: first[2] },
    { 40: "Typesetting", 300: "3", 360: "5.00", 440: "15.00" }
  ]),
  ...linesOf(160, 12, [{ 340: "Subtotal", 440: sum }])
]

/** The page with the confidence of some words lowered. */
const doubted = (page: DocumentIR, text: string): DocumentIR => ({
  ...page,
  pages: page.pages.map((one) => ({
    ...one,
    lines: one.lines.map((line) => ({
      ...line,
      words: (line.words ?? []).map((word) =>
        word.text === text ? Object.assign({}, word, { confidence: 0.6 }) : word
      )
    }))
  }))
})

const lineItemsOf = (page: DocumentIR) =>
  Effect.gen(function* () {
    const presets = { subtotal: "invoice.subtotal", lineItems: "invoice.lineItems" } as const
    const fields = Object.entries(presets).map(([name, preset]) => fieldOf(name, { preset }))
    const { lineItems } = yield* extractByRules(page, { fields, relations: [] })
    expect(lineItems?.confidence).toBeLessThan(0.9)
    const [first] = Array.isArray(lineItems?.value) ? lineItems.value : []
    return first
  })

describe("a figure of a scanned row that the other two contradict", () => {
  it.effect("is the one that follows from them if recognition lost its decimal point", () =>
    Effect.gen(function* () {
      const quantity = placedPage(rows(["45", "82.50", "371.25"], "386.25"), 0.95)
      expect(yield* lineItemsOf(quantity)).toMatchObject({ quantity: 4.5, unitPrice: 82.5, amount: 371.25 })
      const amount = placedPage(rows(["4.5", "82.50", "37125"], "386.25"), 0.95)
      expect(yield* lineItemsOf(amount)).toMatchObject({ quantity: 4.5, unitPrice: 82.5, amount: 371.25 })
    })
  )

  it.effect("is the one that follows from them if recognition doubted a digit", () =>
    Effect.gen(function* () {
      const page = doubted(placedPage(rows(["9", "80.00", "640.00"], "655.00"), 0.95), "9")
      expect(yield* lineItemsOf(page)).toMatchObject({ quantity: 8, unitPrice: 80, amount: 640 })
    })
  )

  it.effect("stays as it was read if prices are for a hundred pieces", () =>
    Effect.gen(function* () {
      const page = placedPage(rows(["1200", "148.20", "1778.40"], "1793.40"), 0.95)
      expect(yield* lineItemsOf(page)).toMatchObject({ quantity: 1200, unitPrice: 148.2, amount: 1778.4 })
    })
  )

  it.effect("stays as it was read if nothing says which of the three is wrong", () =>
    Effect.gen(function* () {
      const page = placedPage(rows(["9", "80.00", "640.00"], "655.00"), 0.95)
      expect(yield* lineItemsOf(page)).toMatchObject({ quantity: 9, unitPrice: 80, amount: 640 })
    })
  )

  it.effect("stays as it is printed where nothing was recognized", () =>
    Effect.gen(function* () {
      const page = placedPage(rows(["45", "82.50", "371.25"], "386.25"))
      expect(yield* lineItemsOf(page)).toMatchObject({ quantity: 45, unitPrice: 82.5, amount: 371.25 })
    })
  )
})

const item = (quantity: string, text: string, price: string, amount: string) => {
  return { 40: quantity, 90: text, 360: price, 440: amount }
}

describe("rows below the sum of a group", () => {
  it.effect("belong to the table, although recognition lost or misread their quantities", () =>
    Effect.gen(function* () {
      const table = [
        ...linesOf(100, 12, [{ 40: "Qty", 90: "Description", 360: "Price", 440: "Amount" }]),
        ...linesOf(116, 14, [
          item("3", "Whole milk", "14.62", "43.86"),
          item("2", "Salted butter", "96.40", "192.80"),
          { 360: "Group total", 440: "236.66" },
          item("a", "Flour", "19.84", "79.36"),
          item("4", "Frying oil", "37.25", "111.75"),
          { 360: "Group total", 440: "191.11" },
          { 360: "Subtotal", 440: "427.77" }
        ])
      ]
      const page = doubted(placedPage(table, 0.95), "4")
      const fields = [
        fieldOf("subtotal", { preset: "invoice.subtotal" }),
        fieldOf("lineItems", { preset: "invoice.lineItems" })
      ]
      const { lineItems } = yield* extractByRules(page, { fields, relations: [] })
      expect(lineItems?.value).toMatchObject([
        { quantity: 3 },
        { quantity: 2 },
        { description: "Flour", quantity: 4, amount: 79.36 },
        { description: "Frying oil", quantity: 3, amount: 111.75 }
      ])
    })
  )
})
