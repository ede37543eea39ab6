import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import { findAgain } from "../../../src/extraction/examples/FindAgain.ts"
import { placeOfValue } from "../../../src/extraction/examples/PlaceOfValue.ts"
import type { FieldEvidence } from "../../../src/domain/Evidence.ts"
import { readLike } from "../../../src/extraction/values/PrintedValue.ts"
import { taughtBy } from "../../../src/services/examples/TeachExample.ts"
import { fieldOf } from "../../../src/extraction/lexicon/Field.ts"
import { withBalancedSums } from "../../../src/steps/extract/sources/RulesSource.ts"
import { reconciled } from "../../../src/steps/extract/sources/Reconciled.ts"
import { extracted, taught } from "../../fixtures/varied/Teaching.ts"

const line = (y: number, ...texts: ReadonlyArray<string>) => {
  const words = texts.map((text, index) => ({ text, bbox: { x: 50 + 100 * index, y, w: 60, h: 10 } }))
  return {
    lineId: `p1_l${y}`,
    text: texts.join(" "),
    bbox: { x: 50, y, w: 500, h: 10 },
    startChar: 0,
    endChar: 1,
    words
  }
}
const evidence = (value: unknown, confidence: number, by: "rules" | "examples"): FieldEvidence => ({
  value,
  confidence,
  by,
  status: "grounded"
})

describe("a name that is printed nowhere", () => {
  it("is learned where the other one is printed, and found with it again", () => {
    const page = {
      pageNumber: 1,
      width: 600,
      height: 800,
      lines: [line(10, "Northwind", "Supply"), line(30, "Invoice"), line(50, "Total", "12.00")]
    }
    const pages = new Map([[1, page]])
    const extracted: FieldEvidence = {
      value: "Northwind Supply",
      text: "Northwind Supply",
      confidence: 0.9,
      status: "grounded",
      page: 1,
      bbox: { x: 50, y: 10, w: 160, h: 10 }
    }
    const typed = { step: "fields", accepted: false, by: "me", at: "" }
    const taught = taughtBy(
      { vendor: extracted, total: { ...extracted, value: 12, text: "12.00" } },
      [
        { ...typed, field: "vendor", value: "Northwind Trading" },
        { ...typed, field: "total", value: 13 }
      ],
      pages
    )
    expect(Object.keys(taught?.fields ?? {})).toEqual(["vendor"])
    const [learned] = Object.values(taught?.fields ?? {})
    expect(learned === undefined ? undefined : findAgain(learned, page)).toMatchObject({
      text: "Northwind Supply",
      value: "Northwind Trading"
    })
    const others = { ...page, lines: [line(10, "Southwind", "Supply"), ...page.lines.slice(1)] }
    expect(learned === undefined ? undefined : findAgain(learned, others)).toBeUndefined()
  })
})

describe("a proposal of an example and what rules find", () => {
  it("are sure together, and otherwise what a person corrected counts, then a sure rule", () => {
    expect(reconciled(evidence("A", 0.7, "examples"), evidence("A", 0.6, "rules"))).toMatchObject({
      confidence: 0.95
    })
    expect(reconciled(evidence("A", 0.93, "examples"), evidence("B", 0.99, "rules")).value).toBe("A")
    expect(reconciled(evidence("A", 0.7, "examples"), evidence("B", 0.85, "rules")).value).toBe("B")
    expect(reconciled(evidence("A", 0.7, "examples"), evidence("B", 0.4, "rules")).value).toBe("A")
    // What was only right before says nothing about a value that rules take for more likely right than wrong.
    expect(reconciled(evidence("A", 0.7, "examples"), evidence("B", 0.76, "rules")).value).toBe("B")
    expect(reconciled(evidence("A", 0.75, "examples"), evidence("B", 0.85, "rules")).value).toBe("A")
    // Of a date whose day and month could be exchanged, example and rules guess the same.
    expect(reconciled(evidence("A", 0.5, "examples"), evidence("A", 0.61, "rules")).confidence).toBe(0.61)
    expect(reconciled(evidence("A", 0.7, "examples"), undefined).value).toBe("A")
  })
})

describe("a typed value", () => {
  const page = {
    pageNumber: 1,
    width: 600,
    height: 800,
    lines: [line(10, "1.190,00"), line(30, "Total", "1.190,00", "EUR"), line(50, "Date", "03/04/2026")]
  }

  it.each([
    [1190, { text: "1.190,00", y: 30 }],
    ["2026-04-03", { text: "03/04/2026", y: 50 }],
    ["2026-03-04", { text: "03/04/2026", y: 50 }]
  ])("%s is found where it is printed", (value, { text, y }) => {
    const place = placeOfValue([page], value)
    expect([place?.text, place?.bbox.y]).toEqual([text, y])
  })

  it("is found nowhere when it is not printed", () => {
    expect(placeOfValue([page], 1191)).toBeUndefined()
    expect(placeOfValue([page], "Nobody")).toBeUndefined()
  })

  it("is read in the form of the earlier one", () => {
    expect(readLike("ATU 987 654", { text: "ATU 123 456", value: "ATU123456" })).toBe("ATU987654")
    expect(readLike("5.00.", { text: "7.00", value: 7 })).toBe(5)
    expect(readLike("€", { text: "€", value: "EUR" })).toBe("EUR")
    expect(readLike("$", { text: "€", value: "EUR" })).toBeUndefined()
  })
})

const pageOf = (...lines: ReadonlyArray<ReturnType<typeof line>>) => ({
  pageNumber: 1,
  width: 600,
  height: 800,
  lines
})

/** What a person teaches by typing values into a page, and what the source then finds in another page. */
const learnedFrom = async (
  [known, next]: readonly [ReturnType<typeof pageOf>, ReturnType<typeof pageOf>],
  typed: Readonly<Record<string, unknown>>,
  fields: Parameters<typeof extracted>[1]["fields"]
) => {
  const checked = {
    name: "known",
    document: { extras: { pageCount: 1 }, pages: [known] },
    results: () =>
      Object.entries(typed).map(([field, truth]) => ({ field, right: false, evidence: undefined, truth }))
  }
  const asked = { fields, relations: [] }
  return Effect.runPromise(
    Effect.flatMap(taught(checked, asked), (examples) =>
      extracted({ extras: { pageCount: 1 }, pages: [next] }, asked, examples)
    )
  )
}

const wrongDate = () => [{ field: "date", right: false, evidence: undefined, truth: "2025-12-31" }]

const senderHead = [
  line(10, "Qzx", "Handel"),
  line(25, "Wolkenweg", "Musterstadt"),
  line(40, "DE123456789", "qzx@example.org")
]

const documentOf = (date: string) => ({
  extras: { pageCount: 1 },
  pages: [pageOf(...senderHead, line(300, "Ausgestellt", date))]
})

describe("a document of the same sender", () => {
  const head = senderHead
  const vendor = [fieldOf("vendorName", { preset: "invoice.vendorName" })]

  it("has the name that a person typed, if its words are printed apart from each other", async () => {
    const pages = [
      pageOf(...head, line(300, "Lieferung", "Kunde", "Eins")),
      pageOf(...head, line(300, "Lieferung", "Firma", "Zwei GmbH"))
    ] as const
    const found = await learnedFrom(pages, { vendorName: "Handel Qzx" }, vendor)
    expect(found["vendorName"]).toMatchObject({ value: "Handel Qzx", by: "examples" })
    expect(found["vendorName"]?.confidence).toBeGreaterThan(0.9)
  })

  it("has the currency that is printed nowhere, and another sender does not", async () => {
    const currency = [fieldOf("currency", { preset: "invoice.currency" })]
    const pages = [
      pageOf(...head, line(300, "Summe", "$ 12.00")),
      pageOf(...head, line(300, "Summe", "$ 99.00"))
    ] as const
    const found = await learnedFrom(pages, { currency: "MXN" }, currency)
    expect(found["currency"]).toMatchObject({ value: "MXN", status: "inferred", by: "examples" })
    const stranger = pageOf(line(10, "Other", "Company"), line(25, "Total", "$ 99.00"))
    const others = await learnedFrom([pages[0], stranger], { currency: "MXN" }, currency)
    expect(others["currency"]?.by).not.toBe("examples")
  })

  it("has its date in the order of the known one, though both orders are possible", async () => {
    const date = [fieldOf("date", { type: "date", labels: ["Qzy"] })]
    const pages = [
      pageOf(...head, line(300, "Ausgestellt", "12/31/2025")),
      pageOf(...head, line(300, "Ausgestellt", "04/07/2026"))
    ] as const
    const found = await learnedFrom(pages, { date: "2025-12-31" }, date)
    expect(found["date"]?.value).toBe("2026-04-07")
  })

  it("has no date that is put together from an address and a date", async () => {
    const date = [fieldOf("date", { type: "date", labels: ["Qzy"] })]
    const pages = [
      pageOf(...head, line(300, "Ausgestellt", "12/31/2025")),
      pageOf(...head, line(300, "Ausgestellt", "Lindenweg 4 zahlbar 10 2025"))
    ] as const
    const found = await learnedFrom(pages, { date: "2025-12-31" }, date)
    expect(found["date"]?.status).toBe("missing")
  })

  it("is not sure of a date in either order where the known one was only confirmed", async () => {
    const asked = { fields: [fieldOf("date", { type: "date", labels: ["Qzy"] })], relations: [] }
    const known = { name: "known", document: documentOf("31/12/2025"), results: wrongDate }
    const [example] = await Effect.runPromise(taught(known, asked))
    const learned = example?.fields["date"]
    if (example === undefined || learned === undefined) throw new Error("nothing was taught")
    const confidenceOf = async (corrected: boolean) => {
      const fields = { date: { ...learned, corrected } }
      const next = extracted(documentOf("04/07/2026"), asked, [{ ...example, fields }])
      return (await Effect.runPromise(next))["date"]
    }
    expect(await confidenceOf(true)).toMatchObject({ value: "2026-07-04", confidence: 0.93 })
    expect(await confidenceOf(false)).toMatchObject({ value: "2026-07-04", confidence: 0.75 })
  })

  it("has the amount on which most of its places agree", async () => {
    const total = [fieldOf("total", { type: "money", labels: ["Qzy"] })]
    const pages = [
      pageOf(...head, line(300, "Betrag", "5.00"), line(320, "Netto", "5.00"), line(340, "Rest", "5.00")),
      pageOf(...head, line(300, "Betrag", "7.00"), line(320, "Netto", "7.00"), line(340, "Steuer", "0.28"))
    ] as const
    const found = await learnedFrom(pages, { total: 5 }, total)
    expect(found["total"]?.value).toBe(7)
    expect(found["total"]?.confidence).toBeLessThan(0.9)
  })

  it("has the typed sign of an amount that is printed with a minus", async () => {
    const total = [fieldOf("total", { type: "money", labels: ["Qzy"] })]
    const pages = [
      pageOf(...head, line(300, "Gutschrift", "-36948.51")),
      pageOf(...head, line(300, "Gutschrift", "-120.00"))
    ] as const
    expect((await learnedFrom(pages, { total: 36948.51 }, total))["total"]?.value).toBe(120)
  })
})

describe("values of an example that do not add up", () => {
  const proposed = { ...evidence(5, 0.93, "examples") }
  const relations = ["net + tax = total"]
  const others = { net: evidence(10, 0.9, "rules"), total: evidence(12, 0.9, "rules") }

  it("are replaced by those of the rules that do, and are not sure otherwise", () => {
    const ruled = { ...others, tax: evidence(2, 0.5, "rules") }
    expect(withBalancedSums(relations, { ...others, tax: proposed }, ruled)["tax"]?.value).toBe(2)
    const neither = { ...others, tax: evidence(3, 0.5, "rules") }
    const left = withBalancedSums(relations, { ...others, tax: proposed }, neither)["tax"]
    expect(left).toMatchObject({ value: 5, confidence: 0.75 })
    // Both found it, but the sum says that it is not all of it.
    const both = { ...others, tax: evidence(5, 0.95, "rules") }
    const alone = { ...others, tax: evidence(5, 0.3, "rules") }
    expect(withBalancedSums(relations, both, alone)["tax"]).toMatchObject({ value: 5, confidence: 0.75 })
    const inferred = { ...others, tax: { ...evidence(2, 0.4, "rules"), status: "inferred" as const } }
    const hint = { ...others, tax: evidence(5, 0.7, "examples") }
    expect(withBalancedSums(relations, hint, inferred)["tax"]?.value).toBe(2)
  })
})
