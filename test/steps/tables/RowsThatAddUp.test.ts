import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { itemsOf, table } from "./PlacedItems.ts"
import { linesOf } from "../pages/PlacedLines.ts"
import { readPrinted } from "../pages/ReadPrinted.ts"

const heading = { 40: "Work done", 360: "Hours", 430: "Rate", 500: "Amount" }
const hours = [
  { 40: "Advising on heads of terms", 360: "3.4", 430: "295.00", 500: "1,003.00" },
  { 40: "Reviewing title and lease", 360: "7.2", 430: "210.00", 500: "1,512.00" }
]
const read = [
  ["Advising on heads of terms", 3.4, 295, 1003],
  ["Reviewing title and lease", 7.2, 210, 1512]
]

it.effect("costs in groups below the sum of the hours are rows where they make the net amount", () =>
  Effect.gen(function* () {
    const items = [
      ...linesOf(120, 12, [
        ...hours,
        { 360: "Our charges", 500: "2,515.00" },
        { 40: "Expenses subject to tax" },
        { 40: "Bank transfer fee and courier", 500: "28.20" }
      ]),
      ...linesOf(190, 12, [
        { 40: "Disbursements not subject to tax" },
        { 40: "Land Registry registration fee", 500: "303.00" }
      ])
    ]
    const sum = { 300: "Total before VAT", 500: "2,846.20" }
    expect(yield* itemsOf(table(heading, items, sum))).toEqual([
      ...read,
      ["Bank transfer fee and courier", null, null, 28.2],
      ["Land Registry registration fee", null, null, 303]
    ])
  })
)

it.effect("the text of a cost has all of its words, across the columns of hours", () =>
  Effect.gen(function* () {
    const wide = { 40: "Date", 100: "Atty", 150: "Description", 380: "Hours", 440: "Rate", 500: "Amount" }
    const items = [
      ...linesOf(120, 12, [
        {
          40: "10/02/26",
          100: "MRA",
          150: "Review of comments to the lease",
          380: "1.40",
          440: "425.00",
          500: "595.00"
        },
        {
          40: "10/05/26",
          100: "JKT",
          150: "Review of the title commitment",
          380: "0.60",
          440: "285.00",
          500: "171.00"
        },
        { 100: "Total fees", 380: "2.00", 500: "766.00" },
        { 40: "Costs Advanced" }
      ]),
      ...linesOf(172, 12, [
        { 40: "10/27/26", 100: "Recording fees, Multnomah County", 500: "402.00" },
        { 40: "10/05/26", 100: "Lien and UCC search, Cascade Abstract", 500: "117.25" },
        { 100: "Total costs", 500: "519.25" }
      ])
    ]
    const rows = yield* itemsOf(table(wide, items, { 100: "Subtotal", 500: "1,285.25" }))
    expect(rows.slice(2)).toEqual([
      ["Recording fees, Multnomah County", null, null, 402],
      ["Lien and UCC search, Cascade Abstract", null, null, 117.25]
    ])
  })
)

it.effect("groups may say their sums in their headings, and all of them again below", () =>
  Effect.gen(function* () {
    const items = linesOf(120, 12, [
      { 40: "FEES", 500: "2,515.00" },
      ...hours,
      { 40: "COSTS", 500: "331.20" },
      { 40: "Bank transfer fee and courier", 500: "28.20" },
      { 40: "Copies", 360: "1010", 430: "0.30", 500: "303.00" }
    ])
    const sums = linesOf(216, 12, [
      { 300: "Sum of fees", 500: "2,515.00" },
      { 300: "Sum of costs", 500: "331.20" }
    ])
    const page = table(heading, [...items, ...sums], { 300: "Subtotal", 500: "2,846.20" })
    expect(yield* itemsOf(page)).toEqual([
      ...read,
      ["Bank transfer fee and courier", null, null, 28.2],
      ["Copies", 1010, 0.3, 303]
    ])
  })
)

it.effect("a tax on what is used is a row where whole rows follow it", () =>
  Effect.gen(function* () {
    const { values } = yield* readPrinted([
      "Luzsierra S.L.U.                      Factura 4711",
      "Concepto                        Cantidad     Precio     Importe",
      "Energía consumida punta              412       0,20       82,40",
      "Energía consumida llano              356       0,10       35,60",
      "Impuesto sobre electricidad (5,11 %)                      12,81",
      "Alquiler de equipos de medida         31       0,05        1,55",
      "Base imponible                                           132,36",
      "IVA 21 %                                                  27,80",
      "TOTAL                                                    160,16"
    ])
    const { lineItems } = values
    expect(Array.isArray(lineItems) ? lineItems.map(({ amount }) => amount) : []).toEqual([
      82.4, 35.6, 12.81, 1.55
    ])
  })
)

it.effect.each([
  ["a charge between two sums", { 40: "Postage", 500: "10.00" }, "2,525.00"],
  ["a discount on the whole", { 40: "Loyalty discount", 500: "-15.00" }, "2,500.00"]
] as const)("is no row: %s", ([, charge, net]) =>
  Effect.gen(function* () {
    const items = linesOf(120, 12, [...hours, { 300: "Goods", 500: "2,515.00" }, charge])
    expect(yield* itemsOf(table(heading, items, { 300: "Subtotal", 500: net }))).toEqual(read)
  })
)
