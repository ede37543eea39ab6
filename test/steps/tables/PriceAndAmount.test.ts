import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { itemsOf, table } from "./PlacedItems.ts"
import { linesOf } from "../pages/PlacedLines.ts"

it.effect("price and amount are the two columns of money of which both make all rows add up", () =>
  Effect.gen(function* () {
    const heading = {
      40: "Popis",
      250: "Množství",
      320: "J.cena",
      380: "Cena",
      430: "%DPH",
      470: "DPH",
      520: "Celkem"
    }
    const items = linesOf(114, 14, [
      {
        40: "Práce mechanika",
        250: "5,5",
        320: "890,00",
        380: "4 895,00",
        430: "21%",
        470: "1 027,95",
        520: "5 922,95"
      },
      {
        40: "Sada rozvodů",
        250: "1",
        320: "4 280,00",
        380: "4 280,00",
        430: "21%",
        470: "898,80",
        520: "5 178,80"
      },
      {
        40: "Olej motorový",
        250: "4,5",
        320: "245,00",
        380: "1 102,50",
        430: "21%",
        470: "231,53",
        520: "1 334,03"
      },
      {
        40: "Filtr olejový",
        250: "1",
        320: "219,00",
        380: "219,00",
        430: "21%",
        470: "45,99",
        520: "264,99"
      },
      { 40: "Likvidace", 250: "1", 320: "123,50", 380: "123,50", 430: "21%", 470: "25,93", 520: "149,43" }
    ])
    const found = yield* itemsOf(
      table(heading, items, { 250: "Součet položek", 370: "10 620,00", 520: "12 850,20" })
    )
    expect(found.map(([, quantity, price, amount]) => [quantity, price, amount])).toEqual([
      [5.5, 890, 4895],
      [1, 4280, 4280],
      [4.5, 245, 1102.5],
      [1, 219, 219],
      [1, 123.5, 123.5]
    ])
  })
)
