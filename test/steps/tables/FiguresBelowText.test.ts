import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { itemsOf, table } from "./PlacedItems.ts"
import { linesOf } from "../pages/PlacedLines.ts"

it.effect(
  "the price of an item is the last of the lines below it that times the quantity makes its amount",
  () =>
    Effect.gen(function* () {
      const heading = {
        40: "Pos",
        80: "Material",
        160: "Bezeichnung",
        360: "Menge ME",
        430: "Preis",
        500: "Wert"
      }
      const items = linesOf(120, 12, [
        { 40: "000010", 80: "ZN-8812", 160: "Halteblech links, Zink-Nickel", 360: "400 ST" },
        { 160: "Bruttopreis", 430: "2,00", 500: "800,00" },
        { 160: "Mengenrabatt", 430: "5,000- %", 500: "40,00-" },
        { 160: "Nettopreis", 430: "1,90", 500: "760,00" },
        {
          40: "000020",
          80: "EL-2201",
          160: "Wellenzapfen, chemisch Nickel",
          360: "85 ST",
          430: "6,45",
          500: "548,25"
        }
      ])
      expect(yield* itemsOf(table(heading, items, { 360: "Summe netto", 500: "1.308,25" }))).toEqual([
        ["Halteblech links, Zink-Nickel", 400, 1.9, 760],
        ["Wellenzapfen, chemisch Nickel", 85, 6.45, 548.25]
      ])
    })
)

it.effect(
  "a quantity that is alone in the line of its price is none of the text above it, nor is the heading of a group",
  () =>
    Effect.gen(function* () {
      const heading = { 40: "Pos.-Nr.", 125: "Leistung", 400: "EP", 480: "Positionspreis" }
      const items = [
        ...linesOf(120, 12, [
          { 40: "01", 125: "Erdarbeiten" },
          { 40: "01.01", 125: "Oberboden abtragen, i.M. 30 cm" },
          { 250: "186,50 m²", 400: "14,80", 480: "2.760,20" }
        ]),
        ...linesOf(166, 12, [
          { 40: "01.02", 125: "Baugrubenaushub profilgerecht" },
          { 250: "142,25 m³", 400: "22,40", 480: "3.186,40" }
        ]),
        ...linesOf(200, 22, [{ 125: "Summe 01 Erdarbeiten", 480: "5.946,60" }]),
        ...linesOf(222, 12, [
          { 40: "07", 125: "Betonarbeiten" },
          { 40: "07.01", 125: "Fundamentplatte Beton C25/30" },
          { 250: "38,75 m³", 400: "189,40", 480: "7.339,25" }
        ]),
        ...linesOf(268, 22, [{ 125: "Summe 07 Betonarbeiten", 480: "7.339,25" }])
      ]
      expect(yield* itemsOf(table(heading, items, { 125: "Nettosumme", 480: "13.285,85" }))).toEqual([
        ["Oberboden abtragen, i.M. 30 cm", 186.5, 14.8, 2760.2],
        ["Baugrubenaushub profilgerecht", 142.25, 22.4, 3186.4],
        ["Fundamentplatte Beton C25/30", 38.75, 189.4, 7339.25]
      ])
    })
)

it.effect.each([
  [
    "below",
    [
      { 40: "25-00382", 150: "MET-9", 250: "Soil", 360: "6", 420: "34.50", 500: "207.00" },
      { 40: "Metals suite in soil by ICP-OES after aqua regia digestion" },
      { 40: "25-00382", 150: "PAH-16", 250: "Soil", 360: "6", 420: "48.00", 500: "288.00" },
      { 40: "Speciated PAH in soil by gas chromatography" },
      { 40: "25-00391", 150: "GW-3", 250: "Water", 360: "3", 420: "67.50", 500: "202.50" },
      { 40: "Groundwater suite with major ions and ammonia" }
    ]
  ],
  [
    "above",
    [
      { 40: "1", 80: "978-3-8811", 150: "Metals suite in soil by ICP-OES after aqua regia digestion" },
      { 360: "6", 420: "34.50", 500: "207.00" },
      { 40: "2", 80: "978-3-8812", 150: "Speciated PAH in soil by gas chromatography" },
      { 360: "6", 420: "48.00", 500: "288.00" },
      { 40: "3", 80: "978-3-8813", 150: "Groundwater suite with major ions and ammonia" },
      { 360: "3", 420: "67.50", 500: "202.50" }
    ]
  ]
] as const)("descriptions may be in lines of their own, across all columns, %s the figures", ([, lines]) =>
  Effect.gen(function* () {
    const heading = {
      40: "Lab job",
      150: "Analysis",
      250: "Matrix",
      350: "No. tests",
      420: "Each",
      500: "Value"
    }
    const items = linesOf(120, 12, lines)
    expect(yield* itemsOf(table(heading, items, { 350: "Net", 500: "697.50" }))).toEqual([
      ["Metals suite in soil by ICP-OES after aqua regia digestion", 6, 34.5, 207],
      ["Speciated PAH in soil by gas chromatography", 6, 48, 288],
      ["Groundwater suite with major ions and ammonia", 3, 67.5, 202.5]
    ])
  })
)
