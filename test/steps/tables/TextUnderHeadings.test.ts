import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { pageModel } from "../../../src/extraction/layout/PageModel.ts"
import { itemsOf, table } from "./PlacedItems.ts"
import { linesOf } from "../pages/PlacedLines.ts"

const figures = { 380: "Qtà", 430: "Prezzo", 500: "Importo" }

it.effect("text goes on under all words of its heading", () =>
  Effect.gen(function* () {
    const heading = { 100: "Descrizione", 164: "dei", 184: "beni", ...figures }
    const items = linesOf(120, 12, [
      {
        40: "Cuscinetto",
        98.5: "a",
        107: "sfere",
        138: "NBR",
        158: "6305",
        184: "2RS",
        380: "2",
        430: "9,00",
        500: "18,00"
      },
      { 40: "Cinghia", 82: "XPA", 380: "1", 430: "18,00", 500: "18,00" },
      {
        40: "Riduttore",
        93: "vite",
        118.5: "fine",
        144: "per",
        164.5: "W63",
        380: "1",
        430: "412,00",
        500: "412,00"
      }
    ])
    expect(yield* itemsOf(table(heading, items, { 380: "Totale", 500: "448,00" }))).toEqual([
      ["Cuscinetto a sfere NBR 6305 2RS", 2, 9, 18],
      ["Cinghia XPA", 1, 18, 18],
      ["Riduttore vite fine per W63", 1, 412, 412]
    ])
  })
)

const heading = { 40: "Description", 300: "Qty", 360: "Price", 440: "Amount" }

it.effect("a weight in brackets ends no table", () =>
  Effect.gen(function* () {
    const items = linesOf(120, 12, [
      { 40: "Stretch film 50 cm x", 300: "60", 360: "2.00", 440: "120.00" },
      { 40: "300 m (net 2.20 kg)" },
      { 40: "Tape", 300: "2", 360: "5.00", 440: "10.00" }
    ])
    expect(yield* itemsOf(table(heading, items, { 300: "Total", 440: "130.00" }))).toEqual([
      ["Stretch film 50 cm x 300 m (net 2.20 kg)", 60, 2, 120],
      ["Tape", 2, 5, 10]
    ])
  })
)

it.effect("what costs nothing is an item of its group", () =>
  Effect.gen(function* () {
    const items = linesOf(120, 12, [
      { 40: "Flyer", 300: "2", 360: "60.00", 440: "120.00" },
      { 300: "Subtotal print", 440: "120.00" },
      { 40: "Courier", 300: "1", 360: "42.50", 440: "42.50" },
      { 40: "Packaging", 300: "10", 360: "0.00", 440: "0.00" },
      { 300: "Subtotal delivery", 440: "42.50" }
    ])
    expect(yield* itemsOf(table(heading, items, { 300: "Total", 440: "162.50" }))).toEqual([
      ["Flyer", 2, 60, 120],
      ["Courier", 1, 42.5, 42.5],
      ["Packaging", 10, 0, 0]
    ])
  })
)

it("three narrow letters do not run up the page", () => {
  const bbox = { x: 40, y: 100, w: 4.5, h: 10 }
  const line = {
    lineId: "p1_l1",
    text: "III",
    bbox,
    startChar: 0,
    endChar: 3,
    words: [{ text: "III", bbox }]
  }
  const page = { pageNumber: 1, width: 595, height: 842, lines: [line] }
  expect(
    pageModel(page, shippedLexicon())
      .rows.flat()
      .map(({ text }) => text)
  ).toEqual(["III"])
})
