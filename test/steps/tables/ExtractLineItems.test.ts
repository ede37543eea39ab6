import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import type { FieldDefinition } from "../../../src/extraction/fields/FieldDefinition.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

const definitions: Readonly<Record<string, FieldDefinition>> = {
  subtotal: { preset: "invoice.subtotal" },
  taxAmount: { preset: "invoice.taxAmount" },
  totalAmount: { preset: "invoice.totalAmount" },
  lineItems: { preset: "invoice.lineItems" }
}
const withCode = (heading: string): FieldDefinition => ({
  preset: "invoice.lineItems",
  columns: {
    code: { type: "string", labels: [heading] },
    description: "string",
    quantity: "number",
    unitPrice: "money",
    amount: "money"
  }
})

const extract = (
  texts: Parameters<typeof placedPage>[0],
  more: Readonly<Record<string, FieldDefinition>> = {},
  confidence?: number
) =>
  Effect.gen(function* () {
    const fields = Object.entries({ ...definitions, ...more }).map(([name, field]) => fieldOf(name, field))
    const relations = ["subtotal + taxAmount = totalAmount", "sum(lineItems.amount) = subtotal"]
    const { lineItems } = yield* extractByRules(placedPage(texts, confidence), { fields, relations })
    const rows: ReadonlyArray<Readonly<Record<string, unknown>>> = Array.isArray(lineItems?.value)
      ? lineItems.value
      : []
    const { cells = [], doubts = [] } = lineItems ?? {}
    return { rows, cells, confidence: lineItems?.confidence ?? 0, doubts }
  })

const headings = { 40: "Description", 300: "Qty", 360: "Price", 440: "Amount" }
const sums = (y: number, subtotal: string) =>
  linesOf(y, 12, [
    { 340: "Subtotal", 440: subtotal },
    { 340: "VAT 0 %", 440: "0.00" },
    { 340: "Total", 440: subtotal }
  ])

describe("descriptions of several lines", () => {
  const first = { 300: "2", 360: "10.00", 440: "20.00" }
  const second = { 300: "3", 360: "5.00", 440: "15.00" }
  const wanted = ["Oak table with drawers", "Chair of pine"]

  it.effect("are whole where the figures are at their top", () =>
    Effect.gen(function* () {
      const { confidence, rows } = yield* extract([
        ...linesOf(100, 12, [headings]),
        ...linesOf(120, 12, [{ 40: "Oak table", ...first }, { 40: "with drawers" }]),
        ...linesOf(150, 12, [{ 40: "Chair", ...second }, { 40: "of pine" }]),
        ...sums(200, "35.00")
      ])
      expect(rows.map(({ description }) => description)).toEqual(wanted)
      expect(confidence).toBeGreaterThanOrEqual(0.9)
    })
  )

  it.effect("are whole where the figures are at their bottom", () =>
    Effect.gen(function* () {
      const { rows } = yield* extract([
        ...linesOf(100, 12, [headings]),
        ...linesOf(120, 12, [{ 40: "Oak table" }, { 40: "with drawers", ...first }]),
        ...linesOf(150, 12, [{ 40: "Chair" }, { 40: "of pine", ...second }]),
        ...sums(200, "35.00")
      ])
      expect(rows.map(({ description }) => description)).toEqual(wanted)
    })
  )

  it.effect("are whole where the figures are between their lines", () =>
    Effect.gen(function* () {
      const { rows } = yield* extract([
        ...linesOf(100, 12, [headings]),
        ...linesOf(120, 12, [{ 40: "Oak table" }, { 40: "with drawers" }]),
        ...linesOf(126, 12, [first]),
        ...linesOf(150, 12, [{ 40: "Chair" }, { 40: "of pine" }]),
        ...linesOf(156, 12, [second]),
        ...sums(200, "35.00")
      ])
      expect(rows.map(({ description }) => description)).toEqual(wanted)
    })
  )

  it.effect("are never sure where all lines are equally far apart", () =>
    Effect.gen(function* () {
      const { confidence, rows } = yield* extract([
        ...linesOf(100, 12, [
          headings,
          { 40: "Oak table", ...first },
          { 40: "with drawers" },
          { 40: "Chair", ...second },
          { 40: "of pine" }
        ]),
        ...sums(200, "35.00")
      ])
      expect(rows.map(({ description }) => description)).toEqual(wanted)
      expect(confidence).toBeLessThan(0.9)
    })
  )
})

describe("columns of a flow's own", () => {
  it.effect.each(["SKU", "Code", "EAN", "Ref", "Item"])("are read under the narrow heading %s", (heading) =>
    Effect.gen(function* () {
      const { confidence, rows } = yield* extract(
        [
          ...linesOf(100, 12, [{ 40: heading, 118: "Product", 300: "Qty", 360: "Price", 440: "Amount" }]),
          ...linesOf(120, 18, [
            { 40: "4012345001235", 118: "Oak table", 300: "2", 360: "10.00", 440: "20.00" },
            { 40: "40123-AB/7", 118: "Chair", 300: "3", 360: "5.00", 440: "15.00" }
          ]),
          ...sums(200, "35.00")
        ],
        { lineItems: withCode(heading) }
      )
      expect(rows.map(({ code }) => code)).toEqual(["4012345001235", "40123-AB/7"])
      expect(rows.map(({ description }) => description)).toEqual(["Oak table", "Chair"])
      expect(confidence).toBeGreaterThanOrEqual(0.9)
    })
  )
})

const rowsAt = (amounts: ReadonlyArray<string>) =>
  linesOf(
    120,
    18,
    amounts.map((amount, i) => ({ 40: `Thing ${i}`, 300: "2", 360: "10.00", 440: amount }))
  )

describe("headings", () => {
  const row = { 40: "Hull cleaning and polishing", 300: "1", 360: "35.00", 440: "35.00" }
  const found = (heading: Readonly<Record<number, string>>) =>
    Effect.map(
      extract([...linesOf(100, 12, [heading, row]), ...sums(200, "35.00")]),
      ({ rows }) => rows[0]?.["description"]
    )

  it.each([
    ["in two languages", "Description / Omschrijving"],
    ["in two scripts", "Description الوصف"],
    ["of unknown words, in front of all figures", "Stay"]
  ])("%s name one column", (_, description) =>
    Effect.runPromise(
      Effect.map(found({ 40: description, 300: "Qty", 360: "Price", 440: "Amount" }), (text) =>
        expect(text).toBe("Hull cleaning and polishing")
      )
    )
  )
})

it.effect.each<[string, ReadonlyArray<Readonly<Record<number, string>>>, Array<number | null>]>([
  [
    "the price as the amount, where it is what adds up",
    [
      { 40: "Product", 240: "Quantity", 380: "Price" },
      { 40: "Soy candle", 240: "2", 380: "37.98" },
      { 40: "Subtotal", 380: "37.98" }
    ],
    [2, null, 37.98]
  ],
  [
    "the amount behind a discount in one cell",
    [
      { 40: "Description", 240: "Qty", 310: "Unit price", 400: "Disc. %", 450: "Amount" },
      { 40: "Coffee beans", 240: "48", 310: "142.50", 441: "12.00 6019.20" }
    ],
    [48, 142.5, 6019.2]
  ]
])("the figures of rows tell %s", ([, lines, wanted]) =>
  Effect.gen(function* () {
    const { rows } = yield* extract(linesOf(100, 14, lines))
    expect(rows.map(({ amount, quantity, unitPrice }) => [quantity, unitPrice, amount])).toEqual([wanted])
  })
)

describe("a table that does not add up", () => {
  it.effect("is not sure where a row fails its product", () =>
    Effect.gen(function* () {
      const { cells, confidence, doubts, rows } = yield* extract([
        ...linesOf(100, 12, [headings]),
        ...rowsAt(["20.00", "21.00"]),
        ...sums(200, "41.00")
      ])
      expect(rows).toHaveLength(2)
      expect(confidence).toBeLessThan(0.9)
      expect(doubts).toEqual(["Row 2: 2 × 10.00 is not 21.00."])
      expect(cells[1]?.["amount"]).toEqual({
        page: 1,
        bbox: { x: 440, y: 138, w: 27.5, h: 10 },
        text: "21.00",
        confidence: 0.5
      })
      expect(cells[0]?.["amount"]?.confidence).toBeGreaterThan(0.5)
    })
  )

  it.effect.each([
    ["a percentage", { heading: "Discount", of: ["5 %", "", "10%"] }, ["3,515.00", "299.00", "186.03"]],
    [
      "a percentage without its sign",
      { heading: "Disc. %", of: ["5", "", "10"] },
      ["3,515.00", "299.00", "186.03"]
    ],
    ["an amount", { heading: "Rebate", of: ["50.00", "", "0.70"] }, ["3,650.00", "299.00", "206.00"]]
  ] as const)("is sure of rows with a discount, %s", ([, { heading, of }, amounts]) =>
    Effect.gen(function* () {
      const columns = { 40: "Description", 250: "Qty", 300: "Price", 380: heading, 460: "Amount" }
      const subtotal = amounts.reduce((sum, amount) => sum + Number(amount.replace(",", "")), 0).toFixed(2)
      const { cells, confidence, doubts } = yield* extract([
        ...linesOf(100, 14, [
          columns,
          { 40: "Cargo bike long", 250: "2", 300: "1,850.00", 380: of[0], 460: amounts[0] },
          { 40: "Rain cover", 250: "2", 300: "149.50", 380: of[1], 460: amounts[1] },
          { 40: "Fitting at home", 250: "3", 300: "68.90", 380: of[2], 460: amounts[2] }
        ]),
        ...sums(200, subtotal)
      ])
      expect(doubts).toEqual([])
      expect(confidence).toBeGreaterThan(0.7)
      expect(cells.map(({ amount }) => amount?.confidence ?? 0)).toEqual(
        cells.map(() => expect.closeTo(confidence, 1))
      )
    })
  )

  it.effect("is not sure of a row that no figure of it explains", () =>
    Effect.gen(function* () {
      const { doubts } = yield* extract([
        ...linesOf(100, 14, [
          { 40: "Description", 250: "Qty", 300: "Price", 380: "Disc. %", 460: "Amount" },
          { 40: "Cargo bike long", 250: "2", 300: "1,850.00", 380: "7", 460: "3,515.00" }
        ]),
        ...sums(200, "3,515.00")
      ])
      expect(doubts).toEqual(["Row 1: 2 × 1850.00 is not 3515.00."])
    })
  )

  it.effect("is not sure where its amounts add up to nothing that is printed", () =>
    Effect.gen(function* () {
      const { confidence, doubts, rows } = yield* extract([
        ...linesOf(100, 12, [headings]),
        ...rowsAt(["20.00", "20.00"]),
        ...sums(200, "60.00")
      ])
      expect(rows).toHaveLength(2)
      expect(doubts).toEqual(["The amounts add up to 40.00, which is not printed."])
      expect(confidence).toBeLessThan(0.9)
    })
  )
})

describe("rows with nothing but an amount", () => {
  it.effect("are items where the sum says so: a discount", () =>
    Effect.gen(function* () {
      const { rows } = yield* extract([
        ...linesOf(100, 12, [headings]),
        ...linesOf(120, 18, [
          { 40: "Oak table", 300: "2", 360: "10.00", 440: "20.00" },
          { 40: "Chair", 300: "3", 360: "5.00", 440: "15.00" },
          { 40: "Discount for regulars", 440: "-5.00" }
        ]),
        ...sums(220, "30.00")
      ])
      expect(rows.map(({ amount }) => amount)).toEqual([20, 15, -5])
    })
  )

  it.effect("are none where they only say what a group adds up to", () =>
    Effect.gen(function* () {
      const { rows } = yield* extract([
        ...linesOf(100, 12, [headings]),
        ...linesOf(120, 18, [
          { 40: "Oak table", 300: "2", 360: "10.00", 440: "20.00" },
          { 40: "Chair", 300: "3", 360: "5.00", 440: "15.00" },
          { 40: "Subtotal of group 1", 440: "35.00" },
          { 40: "Lamp", 300: "2", 360: "4.00", 440: "8.00" },
          { 40: "Shade", 300: "2", 360: "1.00", 440: "2.00" },
          { 40: "Subtotal of group 2", 440: "10.00" }
        ]),
        ...sums(260, "45.00")
      ])
      expect(rows.map(({ amount }) => amount)).toEqual([20, 15, 8, 2])
    })
  )
})
