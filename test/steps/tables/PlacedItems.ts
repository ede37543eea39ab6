import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

/** The texts of a line, by the x they begin at. */
export type Line = Readonly<Record<number, string>>

/** The items of a page with texts at given places, as the rules read them. */
export const found = Effect.fnUntraced(function* (texts: Parameters<typeof placedPage>[0]) {
  const presets = { subtotal: "invoice.subtotal", lineItems: "invoice.lineItems" } as const
  const fields = Object.entries(presets).map(([name, preset]) => fieldOf(name, { preset }))
  const { lineItems } = yield* extractByRules(placedPage(texts), { fields, relations: [] })
  return lineItems
})

/** The same, each as its description, quantity, price and amount. */
export const itemsOf = Effect.fnUntraced(function* (texts: Parameters<typeof placedPage>[0]) {
  const lineItems = yield* found(texts)
  const rows: ReadonlyArray<Readonly<Record<string, unknown>>> = Array.isArray(lineItems?.value)
    ? lineItems.value
    : []
  return rows.map(({ amount, description, quantity, unitPrice }) => [
    description,
    quantity,
    unitPrice,
    amount
  ])
})

/** The headings of a table at 100 points from the top, its items, and its sum at 300. */
export const table = (heading: Line, items: Parameters<typeof placedPage>[0], sum: Line) => [
  ...linesOf(100, 12, [heading]),
  ...items,
  ...linesOf(300, 12, [sum])
]
