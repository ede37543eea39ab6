import { expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { invoiceFields, invoiceRelations as relations } from "../../fixtures/InvoiceFields.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = Object.entries(invoiceFields).map(([name, field]) => fieldOf(name, field))

it.effect.each([
  [
    "two taxes with the numbers of their registers behind the rates",
    [
      "Sous-total                                     5 844,50 $",
      "TPS 5 % (No 81442 6037 RT0001)                   292,23 $",
      "TVQ 9,975 % (No 1216093388 TQ0001)               582,99 $",
      "TOTAL À PAYER (CAD)                            6 719,72 $"
    ],
    875.22
  ]
] as const)("the tax is the sum of %s", ([, lines, tax]) =>
  Effect.gen(function* () {
    const { taxAmount } = yield* extractByRules(printed(["El Surco", "", ...lines]), { fields, relations })
    expect(taxAmount?.value).toBe(tax)
  })
)
