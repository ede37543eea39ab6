import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"
import { readPage, readPrinted } from "../pages/ReadPrinted.ts"

const rowsOn = (lines: Parameters<typeof placedPage>[0]) =>
  Effect.map(readPage(placedPage(lines)), ({ values }) => {
    const rows: ReadonlyArray<Readonly<Record<string, unknown>>> = Array.isArray(values["lineItems"])
      ? values["lineItems"]
      : []
    return rows
  })

/** The lines at the head of a gardener's invoice, above its table. */
const above = ["Hollybank Gardens", "14 Orchard Way, Ludlow", "Invoice HB/2025/0412      14 May 2025"]

/** A row of a table that has only descriptions and amounts. */
const item = (description: string, amount: number) => ({
  description,
  quantity: null,
  unitPrice: null,
  amount
})

describe("tables without known headings", () => {
  it.effect("may have amounts without cents, in a currency", () =>
    Effect.gen(function* () {
      const rows = yield* rowsOn([
        ...linesOf(120, 14, [
          { 40: "Label illustrations", 420: "$1,750" },
          { 40: "Rush revision, a weekend", 432: "$400" }
        ]),
        ...linesOf(170, 14, [{ 40: "Please pay", 420: "$2,150" }])
      ])
      expect(rows.map(({ amount }) => amount)).toStrictEqual([1750, 400])
    })
  )

  it.effect("keep columns without a name apart from the descriptions", () =>
    Effect.gen(function* () {
      const rows = yield* rowsOn([
        ...linesOf(120, 14, [
          { 40: "08.09.", 100: "Bremen – Hamburg – Kiel", 330: "312", 380: "1,48", 450: "461,76" },
          { 40: "09.09.", 100: "Bremen – Paris", 330: "884", 380: "1,39", 444: "1.228,76" }
        ]),
        ...linesOf(170, 14, [{ 320: "Netto", 444: "1.690,52" }])
      ])
      expect(rows.map(({ description }) => description)).toStrictEqual([
        "Bremen – Hamburg – Kiel",
        "Bremen – Paris"
      ])
    })
  )
})

describe("headings that figures explain", () => {
  it.effect("are the price and the amount where the named amount times the quantity is the next column", () =>
    Effect.gen(function* () {
      const rows = yield* rowsOn([
        ...linesOf(100, 14, [
          { 40: "Bezeichnung", 220: "Menge", 270: "Listenpr.", 340: "Rab%", 390: "Netto", 450: "Gesamt €" }
        ]),
        ...linesOf(120, 14, [
          { 40: "Eckventil", 230: "24", 285: "5,90", 346: "35", 396: "3,84", 460: "92,16" },
          { 40: "Waschtisch", 235: "6", 280: "89,00", 346: "42", 390: "51,62", 455: "309,72" }
        ]),
        ...linesOf(170, 14, [{ 330: "Zwischensumme", 455: "401,88" }])
      ])
      expect(rows.map(({ amount, quantity, unitPrice }) => [quantity, unitPrice, amount])).toStrictEqual([
        [24, 3.84, 92.16],
        [6, 51.62, 309.72]
      ])
    })
  )
})

describe("a table of descriptions and amounts", () => {
  it.effect("without headings has the rows that add up to the sum below them, and is not sure", () =>
    Effect.gen(function* () {
      const { found, values } = yield* readPrinted([
        ...above,
        "Clearing of borders, two days                   260.00",
        "Hedge trimming                                   95.00",
        "   front and back",
        "Removal of green waste                           55.00",
        "                                  Net           410.00",
        "                                  VAT 20%        82.00",
        "                                  Total         492.00"
      ])
      expect(values["lineItems"]).toStrictEqual([
        item("Clearing of borders, two days", 260),
        item("Hedge trimming", 95),
        item("Removal of green waste", 55)
      ])
      expect(found["lineItems"]?.confidence ?? 1).toBeLessThan(0.9)
    })
  )

  it.effect("begins below a balance of before that was paid", () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        ...above,
        "Previous balance                                129.81",
        "Payment received, thank you                    -129.81",
        "Weekly mowing                                    79.95",
        "Edging                                           24.95",
        "Total                                           104.90"
      ])
      expect(values["lineItems"]).toStrictEqual([item("Weekly mowing", 79.95), item("Edging", 24.95)])
    })
  )

  it.effect("is found under headings that nobody knows, with another column between", () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        ...above,
        "Undertaking            When         Pounds inc tax",
        "Survey of the drains   3 May                300.00",
        "New manhole cover      9 May                180.00",
        "Total to pay                               £480.00"
      ])
      expect(values["lineItems"]).toStrictEqual([
        item("Survey of the drains", 300),
        item("New manhole cover", 180)
      ])
    })
  )

  it.effect("is none where the rows do not add up, or where a single amount is repeated", () =>
    Effect.gen(function* () {
      const wrong = yield* readPrinted([
        ...above,
        "Deposit held                                    260.00",
        "Insured value                                    95.00",
        "Total                                           492.00"
      ])
      const single = yield* readPrinted([...above, "Balance brought over      492.00", "Total      492.00"])
      expect([wrong.values["lineItems"], single.values["lineItems"]]).toStrictEqual([null, null])
    })
  )

  it.effect("is none where its own rows cancel each other out, and nothing else is their sum", () =>
    Effect.gen(function* () {
      const { values } = yield* readPrinted([
        ...above,
        "Deposit held                                     50.00",
        "Credit brought over                             -20.00",
        "Charge brought over                              20.00",
        "Total                                           492.00"
      ])
      expect(values["lineItems"] ?? null).toBeNull()
    })
  )

  it.effect(
    "has columns of whole amounts by their products where the headings are not above the figures",
    () =>
      Effect.gen(function* () {
        const rows = yield* rowsOn([
          ...linesOf(100, 14, [
            { 40: "No.", 80: "Description", 260: "Quantity", 330: "Unit Price", 400: "Amount" }
          ]),
          ...linesOf(120, 14, [
            { 40: "1", 80: "Logo design", 310: "1", 380: "1,500,000", 480: "1,500,000" },
            { 40: "2", 80: "Business cards", 310: "3", 380: "100,000", 480: "300,000" },
            { 40: "3", 80: "Web banners", 310: "4", 380: "150,000", 480: "600,000" }
          ])
        ])
        expect(rows).toStrictEqual([
          { description: "Logo design", quantity: 1, unitPrice: 1_500_000, amount: 1_500_000 },
          { description: "Business cards", quantity: 3, unitPrice: 100_000, amount: 300_000 },
          { description: "Web banners", quantity: 4, unitPrice: 150_000, amount: 600_000 }
        ])
      })
  )

  it.effect("has its descriptions between figures, under a heading that is no known word", () =>
    Effect.gen(function* () {
      const rows = yield* rowsOn([
        ...linesOf(100, 14, [{ 60: "Quantity", 150: "Xyzzy", 400: "Unit Price", 480: "Amount" }]),
        ...linesOf(120, 14, [
          { 70: "2", 110: "Shower tray of resin", 410: "36.50", 490: "73.00" },
          { 70: "1", 110: "Thermostatic mixer", 405: "164.50", 485: "164.50" }
        ])
      ])
      expect(rows.map(({ description }) => description)).toStrictEqual([
        "Shower tray of resin",
        "Thermostatic mixer"
      ])
    })
  )

  it.effect("has its net amounts, also where the tax comes first", () =>
    Effect.gen(function* () {
      const rows = yield* rowsOn([
        ...linesOf(120, 14, [
          { 40: "Survey of the drains", 330: "60.00", 400: "300.00", 470: "360.00" },
          { 40: "New manhole cover", 330: "36.00", 400: "180.00", 470: "216.00" },
          { 40: "Totals", 330: "96.00", 400: "480.00", 470: "576.00" }
        ])
      ])
      expect(rows.map(({ amount }) => amount)).toStrictEqual([300, 180])
    })
  )
})
