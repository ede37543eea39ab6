import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../src/steps/extract/Field.ts"
import { extractByRules } from "../../src/steps/extract/Rules.ts"
import { printedPage } from "../fixtures/kinds/PrintedPage.ts"

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
  ["BAGER HOLM", "Nørregade 14, 5000 Odense"],
  ["The Otter Inn", "Main Street 4, Cong", "Tel 094 95 46 001"],
  ["Frituur De Hoek", "Kerkplein 3, 9340 Lede"],
  ["LOS OLIVOS", "C/ Mayor 3 - 44001 Teruel"]
])("a shop's name is sure with its address below: %s", (head) =>
  Effect.gen(function* () {
    const found = yield* nameIn(head)
    expect(found?.value).toBe(head[0])
    expect(found?.confidence).toBeGreaterThanOrEqual(0.9)
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
