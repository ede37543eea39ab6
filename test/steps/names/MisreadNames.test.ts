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

/** A document, a line for each text. */
const documentOf = (texts: ReadonlyArray<string>, source: "ocr" | "text-layer") => {
  const { extras, pages } = placedPage(texts.map((text, n) => ({ x: 50, y: 40 + 20 * n, text })))
  return { extras, pages: pages.map((page) => Object.assign(page, { source })) }
}

/** What is read of a name in a document, after a person typed the name of another one. */
const nameIn = async (
  preset: "invoice.vendorName" | "receipt.merchantName",
  taught: { readonly document: ReturnType<typeof documentOf>; readonly name: string },
  document: ReturnType<typeof documentOf>
) => {
  const [page] = taught.document.pages
  if (page === undefined) throw new Error("there is no page")
  const typed = { step: "fields", field: "name", value: taught.name, accepted: false, by: "test", at: "" }
  const found = { name: evidence(taught.name, 0.9, "rules") }
  const example = taughtBy(found, [typed], new Map([[1, page]]))
  if (example === undefined) throw new Error("nothing was learned")
  const keys = new Set(layoutKeys(example.words))
  const asked = { relations: [], fields: [fieldOf("name", { preset })] }
  const known = [{ id: "ex_1", executionId: null, learnedAt: 0, ...example, keys }]
  return (await Effect.runPromise(extracted(document, asked, known)))["name"]?.value
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

  it("is another sender's where the page was not recognized: its letters are what was printed", async () => {
    const constant = ["DE123456789", "Rechnung", "Kunde", "Artikel", "Menge", "Betrag", "Summe"]
    const taught = {
      document: documentOf(["Mueller Werke GmbH", ...constant], "text-layer"),
      name: "Mueller Werke GmbH"
    }
    const nameOn = (source: "ocr" | "text-layer") =>
      nameIn("invoice.vendorName", taught, documentOf(["Moeller Werke GmbH", ...constant], source))
    expect([await nameOn("text-layer"), await nameOn("ocr")]).toEqual([
      "Moeller Werke GmbH",
      "Mueller Werke GmbH"
    ])
  })

  it("is known by the number of its sender, even where too few words of the layout were recognized", async () => {
    const constant = "Kassenbon Filiale Bediener Artikel Menge Betrag Summe Danke Kunde".split(" ")
    const taught = {
      document: documentOf(["Feinkost Abendroth", "DE123456789", ...constant], "ocr"),
      name: "Feinkost Abendroth"
    }
    const misread = constant.map((word, n) => (n % 3 === 0 ? word : `${word}xq`))
    const nameWith = (number: string) =>
      nameIn("receipt.merchantName", taught, documentOf(["— ~ »", number, ...misread], "ocr"))
    expect(await nameWith("DE123456789")).toBe("Feinkost Abendroth")
    expect(await nameWith("DE987654321")).not.toBe("Feinkost Abendroth")
  })
})
