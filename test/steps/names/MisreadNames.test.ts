import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { layoutKeys } from "../../../src/extraction/examples/Layout.ts"
import { taughtBy } from "../../../src/services/examples/TeachExample.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { reconciled } from "../../../src/steps/extract/sources/Reconciled.ts"
import { extracted } from "../../fixtures/varied/Teaching.ts"
import { placedPage } from "../pages/PlacedLines.ts"

const evidence = (value: string, confidence: number, by: "rules" | "examples") =>
  ({ value, confidence, by, status: "grounded", page: 1 }) as const

/** A recognised receipt, a line for each word. */
const receiptOf = (seller: string, number: string, words: ReadonlyArray<string>) => {
  const printed = placedPage([seller, number, ...words].map((text, n) => ({ x: 50, y: 40 + 20 * n, text })))
  const pages = printed.pages.map((page) => Object.assign(page, { source: "ocr" as const }))
  return { extras: printed.extras, pages }
}

describe("a misread name", () => {
  it("is the one that a person typed for this sender", () => {
    const known = { ...evidence("MR. D.I.Y. SDN BHD", 0.7, "examples"), status: "inferred" as const }
    expect(reconciled(known, evidence("MR. D.I.¥. SON BHD", 0.85, "rules"), true).value).toBe(
      "MR. D.I.Y. SDN BHD"
    )
    expect(reconciled(known, evidence("Other Shop SDN BHD", 0.85, "rules"), true).value).toBe(
      "Other Shop SDN BHD"
    )
  })

  it("is another sender's where the page was not recognised: its letters are what was printed", async () => {
    const constant = ["Rechnung", "Kunde", "Artikel", "Menge", "Betrag", "Summe"]
    const pageOf = (seller: string, source: "ocr" | "text-layer") => {
      const texts = [`${seller} Werke GmbH`, "DE123456789", ...constant]
      const printed = placedPage(texts.map((text, n) => ({ x: 50, y: 40 + 20 * n, text })))
      const pages = printed.pages.map((page) => Object.assign(page, { source }))
      return { extras: printed.extras, pages }
    }
    const [first] = pageOf("Mueller", "text-layer").pages
    if (first === undefined) throw new Error("there is no page")
    const own = evidence("Mueller Werke GmbH", 0.9, "rules")
    const typed = { step: "fields", field: "vendorName", value: "Mueller Werke GmbH", accepted: false }
    const taughtOne = taughtBy({ vendorName: own }, [{ ...typed, by: "test", at: "" }], new Map([[1, first]]))
    if (taughtOne === undefined) throw new Error("nothing was learned")
    const example = {
      id: "ex_1",
      executionId: null,
      learnedAt: 0,
      ...taughtOne,
      keys: new Set(layoutKeys(taughtOne.words))
    }
    const asked = { relations: [], fields: [fieldOf("vendorName", { preset: "invoice.vendorName" })] }
    const nameOn = async (source: "ocr" | "text-layer") => {
      const found = await Effect.runPromise(extracted(pageOf("Moeller", source), asked, [example]))
      return found["vendorName"]?.value
    }
    expect([await nameOn("text-layer"), await nameOn("ocr")]).toEqual([
      "Moeller Werke GmbH",
      "Mueller Werke GmbH"
    ])
  })

  it("is known by the number of its sender, also where too few words of the layout were recognised", async () => {
    const constant = [
      "Kassenbon",
      "Filiale",
      "Bediener",
      "Artikel",
      "Menge",
      "Betrag",
      "Summe",
      "Danke",
      "Kunde"
    ]
    const [first] = receiptOf("Feinkost Abendroth", "DE123456789", constant).pages
    if (first === undefined) throw new Error("there is no page")
    const own = evidence("Feinkost Abendroth", 0.9, "rules")
    const typed = { step: "fields", field: "merchantName", value: "Feinkost Abendroth", accepted: false }
    const taughtOne = taughtBy(
      { merchantName: own },
      [{ ...typed, by: "test", at: "" }],
      new Map([[1, first]])
    )
    if (taughtOne === undefined) throw new Error("nothing was learned")
    const example = {
      id: "ex_1",
      executionId: null,
      learnedAt: 0,
      ...taughtOne,
      keys: new Set(layoutKeys(taughtOne.words))
    }
    const asked = { relations: [], fields: [fieldOf("merchantName", { preset: "receipt.merchantName" })] }
    const misread = constant.map((word, n) => (n % 3 === 0 ? word : `${word}xq`))
    const nameWith = async (number: string) => {
      const document = receiptOf("— ~ »", number, misread)
      const found = await Effect.runPromise(extracted(document, asked, [example]))
      return found["merchantName"]?.value
    }
    expect(await nameWith("DE123456789")).toBe("Feinkost Abendroth")
    expect(await nameWith("DE987654321")).not.toBe("Feinkost Abendroth")
  })
})
