import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { linesOf, placedPage } from "../pages/PlacedLines.ts"
import { printedPage } from "../../fixtures/kinds/PrintedPage.ts"

const fields = [
  fieldOf("merchantName", { preset: "receipt.merchantName" }),
  fieldOf("date", { preset: "receipt.date" }),
  fieldOf("totalAmount", { preset: "receipt.totalAmount" })
]

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

const nameIn = (head: ReadonlyArray<string>) =>
  Effect.map(extractByRules(receipt(head), { fields, relations: [] }), ({ merchantName }) => merchantName)

it.effect.each([
  ["KESTREL MARKET", "Store #118 2207 Foothill Blvd", "Ogden, UT 84403"],
  ["KESTREL MARKET", "Store 118 2207 Foothill Trail", "Ogden, UT 84403"]
])("the number and street of a shop are not its name: %s, %s", (head) =>
  Effect.gen(function* () {
    expect((yield* nameIn(head))?.value).toBe(head[0])
  })
)

it.effect.each([
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
])("a shop's name has its address or the number of its register below: %s", (head) =>
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

it.effect(
  "the name of a shop on paper of full size is that of its column, not joined with the customer's",
  () =>
    Effect.gen(function* () {
      const page = placedPage(
        linesOf(40, 14, [
          { 40: "Receipt" },
          { 40: "Receipt number", 180: "2721-5058" },
          { 40: "Date paid", 180: "July 19, 2024" },
          { 40: "Payment method", 180: "Visa - 7267" },
          { 40: "Brightwater Makers", 320: "Bill to" },
          { 40: "27 Harbour Street", 320: "sam@customer.example" },
          { 40: "Ogden, UT 84403", 320: "United States" },
          { 40: "Membership", 320: "$10.00" },
          { 40: "Total", 320: "$10.00" }
        ])
      )
      const { merchantName } = yield* extractByRules(page, { fields, relations: [] })
      expect(merchantName?.value).toBe("Brightwater Makers")
    })
)
