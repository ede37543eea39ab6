import { describe, expect, it } from "vitest"
import type { FieldEvidence } from "../../../src/domain/Evidence.ts"
import { printedPage } from "../../fixtures/kinds/PrintedPage.ts"
import { taughtBy } from "../../../src/services/examples/TeachExample.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { correctedNamesOf, withoutOldMistakes } from "../../../src/steps/extract/sources/CorrectedBefore.ts"

const size = { width: 595, height: 842 }
const pageOf = (...lines: ReadonlyArray<string>) => {
  const [page] = printedPage(lines.join("\n"), size).pages
  if (page === undefined) throw new Error("no page")
  return page
}

const fields = [
  fieldOf("seller", { preset: "invoice.vendorName" }),
  fieldOf("currency", { preset: "invoice.currency" })
]
const read = (value: string): FieldEvidence => ({ value, confidence: 0.85, status: "grounded", by: "rules" })

/** What a person taught who corrected the name and the currency of a document. */
const example = () => {
  const typed = { step: "fields", accepted: false, by: "user anna", at: "" }
  const taught = taughtBy(
    { seller: read("Powered by Ledgerly"), currency: read("EUR") },
    [
      { ...typed, field: "seller", value: "Tarnwick Chimney" },
      { ...typed, field: "currency", value: "CHF" }
    ],
    new Map([[1, pageOf("Invoice of the works", "Total   12.00")]])
  )
  if (taught === undefined) throw new Error("nothing was taught")
  return { id: "ex", executionId: null, learnedAt: 0, ...taught }
}

/** What the example says of a page, of the same sender or not. */
const namesOn = (page: ReturnType<typeof pageOf>, hasMark: boolean) =>
  correctedNamesOf(fields, [{ example: example(), score: 1, hasMark, weight: 1 }], page, 0.6)

describe("a mistake that a person corrected", () => {
  it("is corrected again where the right name is printed", () => {
    const page = pageOf("Tarnwick   and sons", "Chimney sweeps", "Powered by Ledgerly")
    const corrected = namesOn(page, false)
    const found = withoutOldMistakes(
      { seller: read("Powered by Ledgerly"), currency: read("EUR") },
      corrected
    )
    expect(found["seller"]).toEqual({
      value: "Tarnwick Chimney",
      confidence: 0.75,
      status: "inferred",
      by: "examples",
      learnedFrom: [{ example: "ex", executionId: null, by: "user anna" }]
    })
    expect(found["currency"]).toEqual(read("EUR"))
  })

  it("says nothing about another name, about another sender, and about a currency that is not printed", () => {
    const names = (page: ReturnType<typeof pageOf>, isSameSender: boolean) =>
      Object.keys(namesOn(page, isSameSender))
    expect(names(pageOf("Oakham Roofing", "all prices in CHF"), false)).toEqual([])
    expect(names(pageOf("Oakham Roofing"), true)).toEqual(["seller"])
    expect(names(pageOf("all prices in CHF"), true)).toEqual(["seller", "currency"])
    const found = { seller: read("Oakham Roofing") }
    const corrected = namesOn(pageOf("Oakham"), true)
    expect(withoutOldMistakes(found, corrected)).toEqual(found)
  })
})
