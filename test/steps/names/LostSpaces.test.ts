import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { shippedLexicon } from "../../../src/extraction/lexicon/ReadLexicon.ts"
import { pageModel } from "../../../src/extraction/layout/PageModel.ts"
import { extractByRules } from "../../../src/extraction/rules/Rules.ts"
import { printed } from "../pages/PrintedLines.ts"

const fields = [
  fieldOf("number", { preset: "invoice.number" }),
  fieldOf("subtotal", { preset: "invoice.subtotal" }),
  fieldOf("tax", { preset: "invoice.taxAmount" }),
  fieldOf("total", { preset: "invoice.totalAmount" })
]
const relations = ["subtotal + tax = total"]

const lines = [
  "Toiture Bellefeuille inc.",
  "FACTURE",
  "Invoice #:PB-2207-04",
  "",
  "Sous-total / Subtotal       11,002.50 $",
  "TPS/GST5%                      550.13 $",
  "TVQ/QST 9,975%               1,097.50 $",
  "Total                       12,650.13 $"
]

describe("words that recognition joined", () => {
  it.effect("are a tax and its rate, and a label and its number", () =>
    Effect.gen(function* () {
      const { number, tax } = yield* extractByRules(printed(lines, { recognised: true }), {
        fields,
        relations
      })
      assert.deepStrictEqual([number?.value, tax?.value], ["PB-2207-04", 1647.63])
    })
  )

  it("are the name of a tax and its rate in brackets, printed or recognised", () => {
    const words = printed(["Hesaplanan KDV(%20) 9.502,56 TL"]).pages.flatMap((page) =>
      pageModel(page, shippedLexicon()).rows.flat()
    )
    assert.deepStrictEqual(
      words.map(({ text }) => text),
      ["Hesaplanan", "KDV", "(%20)", "9.502,56", "TL"]
    )
  })
})
