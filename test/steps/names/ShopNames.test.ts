import { assert, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { readDocument } from "../../../src/extraction/layout/Reading.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { merchantFinder } from "../../../src/extraction/names/Merchant.ts"
import { printedPage } from "../../fixtures/kinds/PrintedPage.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"
import { foundOn } from "../pages/ReadPrinted.ts"

const receipt = (head: ReadonlyArray<string>) =>
  printedPage(
    [
      ...head,
      "12/04/2025 07:48",
      "Rolls 4          24.00",
      "Coffee           32.00",
      "TOTAL            56.00",
      "CASH             60.00"
    ].join("\n"),
    { width: 227, height: 260 }
  )

const nameIn = (head: ReadonlyArray<string>) => foundOn(receipt(head), "receipt.merchantName")

it.effect.each([
  ["KESTREL MARKET", "Store #118 2207 Foothill Blvd", "Ogden, UT 84403"],
  ["KESTREL MARKET", "Store 118 2207 Foothill Trail", "Ogden, UT 84403"],
  ["Cedar & Pine Outfitters", "Bend, OR  Store #118", "11/16/2025 3:18 PM  Reg 02"],
  ["Löwen-Apotheke", "Inh. Dr. Beate Struck e.K.", "Kirchplatz 2, 48143 Münster"],
  ["Lantboden i Mörsil", "Hushållsost 1,1 kg     71,50"],
  ["BAGER HOLM", "Nørregade 14, 5000 Odense"],
  ["The Otter Inn", "Main Street 4, Cong", "Tel 094 95 46 001"],
  ["Frituur De Hoek", "Kerkplein 3, 9340 Lede"],
  ["LOS OLIVOS", "C/ Mayor 3 - 44001 Teruel"],
  ["HARBOUR FILLING STATION", "cnr Main & Quay", "VAT 4110223344"],
  ["Hospoda U Sedmi koní", "Jan Malý, Dolní 8, Telč", "IČO 66554433 DIČ CZ7805121188"],
  [
    "La Table de Mathurin",
    "12, quai des Tanneurs",
    "38000 GRENOBLE",
    "04 76 51 08 33",
    "Note 20514   Table 12"
  ],
  [
    "ALING ROSA'S EATERY",
    "Owned by: Rosa P. Cruz",
    "Rizal St., Brgy. Poblacion",
    "VAT REG TIN 203-441-887-000"
  ]
])("a shop's name has its address, its number, its owner or its register below: %s", (head) =>
  Effect.gen(function* () {
    const found = yield* nameIn(head)
    expect(found?.value).toBe(head[0])
  })
)

it.effect.each([
  ["BAKERY", "Nørregade 14, 5000 Odense"],
  ["we ask you", "Nørregade 14, 5000 Odense"],
  ["Nørregade 14, 5000 Odense", "Open every day"]
])("what says only what a shop is, words of a sentence and addresses are not: %s", (head) =>
  Effect.gen(function* () {
    const found = yield* nameIn(head)
    expect(found?.confidence ?? 0).toBeLessThan(0.9)
  })
)

it.effect("a line is no name where a larger one is below it, or where nothing says whose it is", () =>
  Effect.gen(function* () {
    const slogan = yield* nameIn(["Always fresh for you", "# HARBOUR MART", "VAT 4110223344"])
    expect(slogan?.value === "HARBOUR MART" ? 0 : slogan?.confidence).toBeLessThan(0.9)
    const bare = yield* nameIn(["CITY OF HARBOUR PARKING", "QUAY PLAZA GARAGE"])
    expect(bare?.confidence).toBeLessThan(0.9)
  })
)

it.effect.each([
  ["HOLLIN BANK", "FARM SHOP & BUTCHERY", "Moss Lane, Skipton BD23 6AA"],
  ["CAPTAIN BLUEY'S", "FISH & CHIPS", "3 Marine Pde, Yamba NSW 2464"]
])("what a shop sells, below its name, goes on with it: %s", (head) =>
  Effect.gen(function* () {
    const found = yield* nameIn(head)
    expect(found?.value).toBe(`${head[0]} ${head[1]}`)
  })
)

it.effect("a line that says what a shop is, in other letters than its name, may be no part of it", () =>
  Effect.gen(function* () {
    const found = yield* nameIn(["RELAIS DES CAUSSES", "Station-service Supérette", "12100 Millau"])
    expect(found?.confidence).toBeLessThan(0.9)
  })
)

it.effect("what is above an address of its own block may name the shop, but not what is next to it", () =>
  Effect.gen(function* () {
    const page = placedPage(
      linesOf(40, 14, [
        { 40: "Corner Bakery", 300: "Thank you" },
        { 40: "12 Mill Lane, 4020 Linz", 300: "Come again" }
      ])
    )
    const field = fieldOf("shop", { preset: "receipt.merchantName" })
    const reading = yield* readDocument(page, [field], undefined)
    const above = merchantFinder
      .propose?.(reading, field)
      .flatMap(({ features, value }) => (features?.addressBelow === 1 ? [value] : []))
    assert.deepStrictEqual(above, ["Corner Bakery"])
  })
)
