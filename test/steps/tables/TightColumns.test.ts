import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { pageModel } from "../../../src/extraction/layout/PageModel.ts"
import { columnEdges } from "../../../src/extraction/tables/ColumnEdges.ts"
import { columnNames } from "../../../src/extraction/tables/ColumnNames.ts"
import { tableHeader } from "../../../src/extraction/tables/TableHeader.ts"
import { found, itemsOf, type Line, table } from "./PlacedItems.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"

const modelOf = (texts: Parameters<typeof placedPage>[0]) =>
  placedPage(texts).pages.map((page) => pageModel(page, shippedLexicon()))

it.effect("a wide word of a second line is cut by no column", () =>
  Effect.gen(function* () {
    const heading = { 40: "Description", 210: "Period", 300: "Qty", 360: "Price", 440: "Amount" }
    const items = [
      ...linesOf(120, 12, [
        { 40: "Diesel generator", 215: "01/07 to", 300: "1", 360: "10.00", 440: "10.00" },
        { 40: "asset GE-0418", 195: "31/07/2025" }
      ]),
      ...linesOf(160, 12, [
        { 40: "Lighting tower", 215: "01/07 to", 300: "3", 360: "5.00", 440: "15.00" },
        { 40: "asset TI-0077", 195: "31/07/2025" }
      ])
    ]
    expect(yield* itemsOf(table(heading, items, { 300: "Subtotal", 440: "25.00" }))).toEqual([
      ["Diesel generator asset GE-0418", 1, 10, 10],
      ["Lighting tower asset TI-0077", 3, 5, 15]
    ])
  })
)

it.effect("words at the left of a table are none of its lines", () =>
  Effect.gen(function* () {
    const heading = { 180: "Description", 320: "Qty", 380: "Price", 460: "Amount" }
    const items = [
      ...linesOf(120, 12, [
        { 20: "BE 0715.338.264", 180: "Workplaces, period", 320: "2", 380: "10.00", 460: "20.00" }
      ]),
      ...linesOf(127, 12, [{ 20: "RPR Antwerpen" }]),
      ...linesOf(132, 12, [{ 180: "April to June" }]),
      ...linesOf(152, 12, [{ 180: "Licences, monthly", 320: "3", 380: "5.00", 460: "15.00" }]),
      ...linesOf(158, 12, [{ 20: "Bank" }]),
      ...linesOf(164, 12, [{ 180: "for the suite" }])
    ]
    expect(yield* itemsOf(table(heading, items, { 320: "Subtotal", 460: "35.00" }))).toEqual([
      ["Workplaces, period April to June", 2, 10, 20],
      ["Licences, monthly for the suite", 3, 5, 15]
    ])
  })
)

it.effect("headings set closely are parted where columns are", () =>
  Effect.gen(function* () {
    const heading = {
      40: "Art.",
      90: "Bezeichnung",
      300: "Flaschen / Stk. Preis",
      430: "Rabatt",
      480: "Summe"
    }
    const items = linesOf(120, 12, [
      { 40: "GV22", 90: "Veltliner", 360: "36", 388: "11,80", 430: "10 %", 480: "382,32" },
      { 40: "RI21", 90: "Riesling", 360: "18", 388: "17,50", 430: "10 %", 480: "283,50" },
      { 40: "ZW20", 90: "Zweigelt", 360: "24", 388: "8,90", 480: "213,60" }
    ])
    expect(yield* itemsOf(table(heading, items, { 300: "Nettosumme", 480: "879,42" }))).toEqual([
      ["Veltliner", 36, 11.8, 382.32],
      ["Riesling", 18, 17.5, 283.5],
      ["Zweigelt", 24, 8.9, 213.6]
    ])
  })
)

it.effect("two names over one column are one heading", () =>
  Effect.gen(function* () {
    const headings = linesOf(94, 8, [
      { 40: "Megnevezés", 180: "Mennyiség", 256: "Nettó", 330: "Nettó ár", 440: "Bruttó ár" },
      { 240: "egységár" }
    ])
    const items = linesOf(120, 12, [
      { 40: "Póló", 200: "40", 260: "2 190", 336: "87 600", 446: "111 252" },
      { 40: "Softshell dzseki", 200: "12", 254: "11 490", 330: "137 880", 446: "175 108" }
    ])
    const sum = linesOf(300, 12, [{ 300: "Nettó összesen", 440: "225 480" }])
    expect(yield* itemsOf([...headings, ...items, ...sum])).toEqual([
      ["Póló", 40, 2190, 87_600],
      ["Softshell dzseki", 12, 11_490, 137_880]
    ])
  })
)

it.effect("the price is the one after the discount, where both are printed", () =>
  Effect.gen(function* () {
    const heading = {
      40: "Nazwa",
      200: "Ilość",
      250: "Cena",
      310: "Rabat %",
      370: "Po rabacie",
      450: "Wartość"
    }
    const items = linesOf(120, 12, [
      { 40: "Przewód", 205: "6", 250: "238,00", 315: "32", 375: "161,84", 450: "971,04" },
      { 40: "Kabel", 205: "2", 250: "78,40", 315: "35", 375: "50,96", 450: "101,92" }
    ])
    expect(yield* itemsOf(table(heading, items, { 300: "Razem netto", 450: "1 072,96" }))).toEqual([
      ["Przewód", 6, 161.84, 971.04],
      ["Kabel", 2, 50.96, 101.92]
    ])
  })
)

it.effect("a row of one piece, which is not said, is one where its text is above its figures", () =>
  Effect.gen(function* () {
    const heading = { 40: "Descrizione", 300: "Quantità", 360: "Prezzo", 440: "Importo" }
    const items = [
      ...linesOf(120, 20, [
        { 40: "Giardiniere", 300: "14", 360: "68.00", 440: "952.00" },
        { 40: "Apprendista", 300: "14", 360: "38.00", 440: "532.00" }
      ]),
      ...linesOf(160, 6, [
        { 40: "Trasporto dei rifiuti" },
        { 360: "120.00", 440: "120.00" },
        { 40: "a Compodino" }
      ])
    ]
    expect(yield* itemsOf(table(heading, items, { 300: "Totale", 440: "1604.00" }))).toEqual([
      ["Giardiniere", 14, 68, 952],
      ["Apprendista", 14, 38, 532],
      ["Trasporto dei rifiuti a Compodino", null, 120, 120]
    ])
  })
)

it("no column begins inside of a number", () => {
  const [model] = modelOf(
    linesOf(100, 12, [
      { 420: "Rab%", 458: "Belopp" },
      { 446: "1 188,00" },
      { 446: "1 562,40" },
      { 462: "57,60" }
    ])
  )
  const [names = [], ...rows] = model?.rows ?? []
  const headings = names.map((name) => ({ bbox: name, quality: 0 }))
  const [edge] = columnEdges(headings, rows, [], 10)
  expect(edge?.at).toBeLessThan(446)
})

it.effect("running text below a table that names its columns is no heading", () =>
  Effect.gen(function* () {
    const [model] = modelOf([
      ...linesOf(100, 12, [{ 40: "Code", 100: "Description", 380: "Unit price UM", 460: "Amount" }]),
      ...linesOf(330, 12, [
        { 20: "PRICE PER HUNDRED. CLAIMS FOR DAYS. RETURNED GOODS AT 20% RESTOCKING CHARGE" }
      ])
    ])
    const { columns } = fieldOf("lineItems", { preset: "invoice.lineItems" })
    const header = model && (yield* tableHeader(model, columnNames(columns, shippedLexicon())))
    expect(header?.firstRow).toBe(0)
  })
)

const codes = { 40: "Artikel", 110: "Omschrijving", 300: "Aantal", 360: "Prijs", 440: "Bedrag" }
const sides = [
  ...linesOf(120, 12, [
    { 40: "2504-", 110: "Zijplaat links gezet", 300: "2", 360: "10,00", 440: "20,00" },
    { 40: "011", 110: "uw tekening 88" }
  ]),
  ...linesOf(160, 12, [
    { 40: "2504-", 110: "Zijplaat rechts gezet", 300: "3", 360: "5,00", 440: "15,00" },
    { 40: "012", 110: "uw tekening 89" }
  ])
]

it.effect("codes that narrow cells break at a hyphen are no descriptions", () =>
  Effect.gen(function* () {
    expect(yield* itemsOf(table(codes, sides, { 300: "Subtotaal", 440: "35,00" }))).toEqual([
      ["Zijplaat links gezet uw tekening 88", 2, 10, 20],
      ["Zijplaat rechts gezet uw tekening 89", 3, 5, 15]
    ])
  })
)

const remarked = (text: string) =>
  linesOf(120, 12, [
    { 40: "plaat", 110: text, 300: "2", 360: "10,00", 440: "20,00" },
    { 40: "kap", 110: text, 300: "3", 360: "5,00", 440: "15,00" }
  ])

it.effect("a table with more text under an unknown heading than in its descriptions is in doubt", () =>
  Effect.gen(function* () {
    const heading = { 40: "Artikel", 110: "Bijzonderheden", 300: "Aantal", 360: "Prijs", 440: "Bedrag" }
    const confidence = Effect.fnUntraced(function* (text: string) {
      const lineItems = yield* found(table(heading, remarked(text), { 300: "Subtotaal", 440: "35,00" }))
      return lineItems?.confidence ?? 0
    })
    expect(yield* confidence("Zijplaat links, gelaserd en gezet")).toBeLessThan(0.9)
    expect(yield* confidence("zw")).toBeGreaterThanOrEqual(0.9)
  })
)

const withText = (text: Line) => [
  ...linesOf(120, 12, [{ 40: "Generator", 215: "01/07 to", 300: "1", 360: "10.00", 440: "10.00" }, text]),
  ...linesOf(160, 12, [{ 40: "Tower", 215: "01/07 to", 300: "3", 360: "5.00", 440: "15.00" }, text])
]

it.effect("a table that loses words between its items is in doubt", () =>
  Effect.gen(function* () {
    const heading = { 40: "Description", 210: "Period", 300: "Qty", 360: "Price", 440: "Amount" }
    const confidence = Effect.fnUntraced(function* (text: Line) {
      const lineItems = yield* found(table(heading, withText(text), { 300: "Subtotal", 440: "25.00" }))
      return lineItems?.confidence ?? 0
    })
    expect(yield* confidence({ 40: "asset GE", 130: "internationalTransportRegister" })).toBeLessThan(0.9)
    expect(yield* confidence({ 40: "asset GE" })).toBeGreaterThanOrEqual(0.9)
  })
)
