import { Effect, Layer } from "effect"
import { describe, expect, it } from "vitest"
import { findAgain } from "../../src/document/examples/FindAgain.ts"
import { placeOfValue } from "../../src/document/examples/PlaceOfValue.ts"
import { DocumentReader } from "../../src/document/DocumentReader.ts"
import type { FieldEvidence } from "../../src/domain/Evidence.ts"
import { readLike } from "../../src/domain/PrintedValue.ts"
import { Ocr } from "../../src/providers/ocr/Ocr.ts"
import { taughtBy } from "../../src/services/examples/TeachExample.ts"
import { fieldOf } from "../../src/steps/extract/Field.ts"
import { reconciled } from "../../src/steps/extract/sources/Reconciled.ts"
import { variedFields, variedResults } from "../fixtures/varied/Expected.ts"
import { extracted, taught } from "../fixtures/varied/Teaching.ts"
import { allVaried, makeVaried } from "../fixtures/varied/VariedInvoice.ts"

/** Labels that no invoice has: rules find nothing, and only what was learned can be right. */
const unknown = Object.entries(variedFields)
  .filter(([name]) => ["invoiceNumber", "invoiceDate", "vendorVatId"].includes(name))
  .map(([name]) =>
    fieldOf(name, { type: name === "invoiceDate" ? "date" : "string", labels: [`Qzx ${name}`] })
  )

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
describe("one corrected invoice", () => {
  const chosen = allVaried(1).filter(
    ({ family, language }) =>
      language === "de" && ["letter", "sentence", "stackedLabels"].includes(family.name)
  )

  it("teaches the next ones of its seller, and nothing about those of others", async () => {
    expect(chosen).toHaveLength(3)
    const read = Effect.fnUntraced(function* (seller: (typeof chosen)[number], issue: number) {
      const invoice = yield* Effect.promise(() => makeVaried({ ...seller, issue }))
      const reader = yield* DocumentReader
      return { invoice, document: yield* reader.read(invoice.bytes, { mimeType: "application/pdf" }) }
    })
    const program = Effect.forEach(chosen, (seller) =>
      Effect.gen(function* () {
        const [first, next] = [yield* read(seller, 0), yield* read(seller, 1)]
        const results = Effect.fnUntraced(function* (examples: Parameters<typeof extracted>[2]) {
          const found = yield* extracted(next.document, unknown, examples)
          return variedResults(next.invoice, found).filter(({ field }) =>
            unknown.some(({ name }) => name === field)
          )
        })
        const example = yield* taught(first, unknown)
        return { before: yield* results([]), after: yield* results(example), example }
      })
    ).pipe(Effect.provide(DocumentReader.layer.pipe(Layer.provide(Ocr.layerOff))))
    const all = await Effect.runPromise(program)
    expect(all.flatMap(({ before }) => before.filter(({ right }) => right))).toEqual([])
    expect(all.flatMap(({ after }) => after.filter(({ right }) => !right))).toEqual([])
    expect(all.flatMap(({ after }) => after).length).toBe(9)
  })
})

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
    expect(readLike("€", { text: "€", value: "EUR" })).toBe("EUR")
    expect(readLike("$", { text: "€", value: "EUR" })).toBeUndefined()
  })
})
