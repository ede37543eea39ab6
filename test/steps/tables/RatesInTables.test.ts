import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { itemsOf, table } from "./PlacedItems.ts"
import { linesOf } from "../pages/PlacedLines.ts"

it.effect("a rate of exchange is no quantity, though it makes the amounts with the price", () =>
  Effect.gen(function* () {
    const heading = { 40: "CHARGE", 240: "CURR", 290: "EX RATE", 350: "QTY", 390: "UNIT RATE", 470: "AMOUNT" }
    const items = linesOf(120, 14, [
      { 40: "OCEAN FREIGHT", 240: "USD", 290: "1.3050", 350: "1", 390: "1,000.00", 470: "1,305.00" },
      { 40: "TERMINAL HANDLING", 240: "SGD", 290: "1.0000", 350: "1", 390: "258.00", 470: "258.00" },
      { 40: "PERMIT DECLARATION", 240: "SGD", 290: "1.0000", 350: "2", 390: "67.125", 470: "134.25" },
      { 40: "INSURANCE", 240: "USD", 290: "1.3050", 350: "3", 390: "20.00", 470: "78.30" }
    ])
    expect(yield* itemsOf(table(heading, items, { 390: "TOTAL SGD", 470: "1,775.55" }))).toEqual([
      ["OCEAN FREIGHT", 1, 1000, 1305],
      ["TERMINAL HANDLING", 1, 258, 258],
      ["PERMIT DECLARATION", 2, 67.125, 134.25],
      ["INSURANCE", 3, 20, 78.3]
    ])
  })
)

it.effect("a weight with three decimals is no rate of exchange", () =>
  Effect.gen(function* () {
    const heading = { 40: "DESCRIPTION", 240: "PCS", 320: "KG", 390: "PRICE", 470: "AMOUNT" }
    const items = linesOf(120, 14, [
      { 40: "Lamb shoulder", 240: "1", 320: "1.250", 390: "8.00", 470: "10.00" },
      { 40: "Beef brisket", 240: "1", 320: "2.500", 390: "12.00", 470: "30.00" },
      { 40: "Pork loin", 240: "1", 320: "0.750", 390: "16.00", 470: "12.00" }
    ])
    expect(yield* itemsOf(table(heading, items, { 390: "TOTAL", 470: "52.00" }))).toEqual([
      ["Lamb shoulder", 1.25, 8, 10],
      ["Beef brisket", 2.5, 12, 30],
      ["Pork loin", 0.75, 16, 12]
    ])
  })
)
