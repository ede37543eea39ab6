import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { pageModel } from "../../../src/extraction/layout/PageModel.ts"
import { found, itemsOf, table } from "./PlacedItems.ts"
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

it.effect("codes under the first word of a heading describe nothing", () =>
  Effect.gen(function* () {
    const heading = { 40: "Artikel", 82: "Omschrijving", 300: "Aantal", 360: "Prijs", 440: "Totaal" }
    const items = linesOf(120, 12, [
      { 40: "40112", 82: "Werkbroek navy", 300: "4", 360: "47,95", 440: "191,80" },
      { 82: "verkeerde maat" },
      { 40: "51870", 82: "Schoen Dakar", 300: "1", 360: "89,50", 440: "89,50" },
      { 82: "naad los" }
    ])
    expect(yield* itemsOf(table(heading, items, { 300: "Subtotaal", 440: "281,30" }))).toEqual([
      ["Werkbroek navy verkeerde maat", 4, 47.95, 191.8],
      ["Schoen Dakar naad los", 1, 89.5, 89.5]
    ])
  })
)

it.effect("the name of one column may be two, with more words behind them", () =>
  Effect.gen(function* () {
    const heading = {
      40: "Artikel",
      82: "Bezeichnung",
      146: "der",
      166: "Arbeiten",
      300: "Menge",
      360: "Preis",
      440: "Betrag"
    }
    const items = linesOf(120, 12, [
      { 40: "S-22", 82: "Stuhl gepolstert", 300: "6", 360: "310,00", 440: "1.860,00" },
      { 40: "Z-9", 82: "Pflegeset", 300: "1", 360: "10,00", 440: "10,00" }
    ])
    expect(yield* itemsOf(table(heading, items, { 300: "Nettobetrag", 440: "1.870,00" }))).toEqual([
      ["Stuhl gepolstert", 6, 310, 1860],
      ["Pflegeset", 1, 10, 10]
    ])
  })
)

it.effect("`a` among the words of a heading is no heading", () =>
  Effect.gen(function* () {
    const headings = linesOf(94, 8, [
      {
        60: "Denumirea",
        112: "produselor",
        170: "sau",
        190: "a",
        300: "Cantitatea",
        370: "Preț unitar",
        450: "Valoarea"
      },
      { 100: "serviciilor" }
    ])
    const items = linesOf(120, 12, [
      { 40: "Saci menajeri 120 L rola", 175: "10", 189: "buc", 300: "50", 370: "7,35", 450: "367,50" },
      { 40: "Detergent", 300: "2", 370: "18,50", 450: "37,00" }
    ])
    const sum = linesOf(300, 12, [{ 300: "Total", 450: "404,50" }])
    expect(yield* itemsOf([...headings, ...items, ...sum])).toEqual([
      ["Saci menajeri 120 L rola 10 buc", 50, 7.35, 367.5],
      ["Detergent", 2, 18.5, 37]
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

it.effect("what looks like a note between two items leaves a doubt", () =>
  Effect.gen(function* () {
    const confidence = Effect.fnUntraced(function* (note: string) {
      const items = [
        ...linesOf(120, 12, [{ 40: "Fan motor", 300: "2", 360: "137.80", 440: "275.60" }, { 40: note }]),
        ...linesOf(160, 12, [{ 40: "Line set", 300: "3", 360: "208.60", 440: "625.80" }, { 40: "of copper" }])
      ]
      return (yield* found(table(heading, items, { 300: "Subtotal", 440: "901.40" })))?.confidence ?? 0
    })
    expect(yield* confidence("for 208 V")).toBeGreaterThan(0.9)
    expect(yield* confidence("** warranty 1 year **")).toBeLessThan(0.9)
  })
)

it.effect("words left of the descriptions leave a doubt, codes do not", () =>
  Effect.gen(function* () {
    const heading = { 40: "Activity", 120: "Description", 300: "Qty", 360: "Price", 440: "Amount" }
    const confidence = Effect.fnUntraced(function* ([one, two]: readonly [string, string]) {
      const items = linesOf(120, 12, [
        { 40: one, 120: "Running belt", 300: "2", 360: "137.80", 440: "275.60" },
        { 40: two, 120: "Deck", 300: "3", 360: "208.60", 440: "625.80" }
      ])
      return (yield* found(table(heading, items, { 300: "Subtotal", 440: "901.40" })))?.confidence ?? 0
    })
    expect(yield* confidence(["Parts", "Labor"])).toBeLessThan(0.9)
    expect(yield* confidence(["RB-126", "DK1"])).toBeGreaterThan(0.9)
  })
)

it.effect("the same headings come again above a second group, with its columns elsewhere", () =>
  Effect.gen(function* () {
    const again = { 40: "Description", 250: "Qty", 330: "Price", 440: "Amount" }
    const groups = [
      ...linesOf(120, 12, [
        { 40: "Cabinet", 300: "2", 360: "100.00", 440: "200.00" },
        { 40: "Power", 300: "3", 360: "50.00", 440: "150.00" },
        { 40: "Recurring", 360: "subtotal", 440: "350.00" },
        again,
        { 40: "Smart hands", 250: "3.5", 330: "140.00", 440: "490.00" },
        { 40: "Installation", 250: "2", 330: "80.00", 440: "160.00" },
        { 40: "One-time", 360: "subtotal", 440: "650.00" }
      ])
    ]
    const heading = { 40: "Description", 300: "Qty", 360: "Price", 440: "Amount" }
    expect(yield* itemsOf(table(heading, groups, { 300: "Total", 440: "1000.00" }))).toEqual([
      ["Cabinet", 2, 100, 200],
      ["Power", 3, 50, 150],
      ["Smart hands", 3.5, 140, 490],
      ["Installation", 2, 80, 160]
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
