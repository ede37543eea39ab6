import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = [
  fieldOf("subtotal", { preset: "invoice.subtotal" }),
  fieldOf("taxAmount", { preset: "invoice.taxAmount" }),
  fieldOf("totalAmount", { preset: "invoice.totalAmount" })
]
const relations = ["subtotal + taxAmount = totalAmount"]

const sheet = (total: string, clause: string) => [
  "Dakwerken Maes bv                          Factuur 25/118",
  "",
  "Omschrijving               Aantal   Prijs    Totaal",
  "Dakgoot vervangen             4     90,00    360,00",
  "Werkuren                      6     54,00    324,00",
  "",
  "                       Netto                 684,00",
  "                       Btw 6 %                41,04",
  `                       Te betalen         € ${total}`,
  "",
  clause
]

it.effect.each([
  ["725,04", "Verlaagd btw-tarief: de woning is ouder dan 10 jaar."],
  // Wrong on paper: no other number explains it better.
  ["694,00", "Verlaagd btw-tarief: de woning is ouder dan 10 jaar."],
  ["714,00", "Btw 6 % omdat de eigenaar langer dan 30 jaar eigenaar is."]
] as const)("a number of years is no tax: %s, %s", ([total, clause]) =>
  Effect.gen(function* () {
    const found = yield* extractByRules(printed(sheet(total, clause)), { fields, relations })
    expect(found["taxAmount"]?.value).toBe(41.04)
  })
)
