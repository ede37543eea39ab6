import { Effect } from "effect"
import { describe, expect, it } from "vitest"
import type { StepRecord } from "../../../src/engine/journal/StepRecord.ts"
import { askedOf } from "../../../src/services/corrections/AskedCorrections.ts"
import { correctionPaths } from "../../../src/services/corrections/CorrectionPaths.ts"
import { correctedRecords, openOf } from "../../../src/services/corrections/CorrectedRecords.ts"

const record = (path: string, kind: string, output: object): StepRecord => ({
  path,
  kind,
  status: "completed",
  output,
  attempts: 1,
  durationMs: 1,
  startedAt: new Date(0)
})

const extracted = (path: string, values: object, review: ReadonlyArray<object> = []) =>
  record(path, "extract", { values, review })

const withTotal = (values: object) => [{ values: { ...values, total: 3 }, review: [] }]

describe("the paths of corrections", () => {
  it("find a value under another name, in another place, and a missing one", () => {
    const records = [extracted("fields", { total: 12.5, due: null, lines: [{ sku: "A", amount: 12.5 }] })]
    const output = { invoice: { sum: 99, due: null }, "a/b": { lines: [{ sku: "A", amount: 12.5 }] } }
    const { pathOf, placeOf } = correctionPaths(output, records)
    const cell = { step: "fields", field: "lines", row: 0, column: "amount" }
    expect(placeOf("/invoice/due")).toEqual({ step: "fields", field: "due" })
    expect(placeOf("/a~1b/lines/0/amount")).toEqual(cell)
    expect(pathOf(cell)).toBe("/a~1b/lines/0/amount")
    expect(placeOf("a/b.lines.0")).toEqual({ step: "fields", field: "lines", row: 0 })
    // The output leaves it out: its own name finds it.
    expect(placeOf("/total")).toEqual({ step: "fields", field: "total" })
    expect(pathOf({ step: "fields", field: "total" })).toBe("/total")
    for (const path of [
      "/invoice/sum",
      "/invoice",
      "",
      "/lines/1",
      "/lines/0/x",
      "/lines/-1/sku",
      "/__proto__"
    ])
      expect([path, placeOf(path)]).toEqual([path, undefined])
  })

  it("find the rows and cells of a table that was corrected, where the output has the table", () => {
    const lines = [{ sku: "A", amount: 12.5 }]
    const records = [extracted("fields", { lines })]
    const { pathOf, placeOf } = correctionPaths({ invoice: { rows: lines } }, records)
    const now = correctedRecords(records, [{ step: "fields", field: "lines", value: [{}, { sku: "B" }] }])
    const cell = { step: "fields", field: "lines", row: 1, column: "amount" }
    expect(placeOf("/invoice/rows/1/amount")).toBeUndefined()
    expect(placeOf("/invoice/rows/1/amount", now)).toEqual(cell)
    expect(placeOf("/invoice/rows/1", now)).toEqual({ step: "fields", field: "lines", row: 1 })
    expect(pathOf(cell)).toBe("/invoice/rows/1/amount")
    for (const path of ["/invoice/rows/2", "/invoice/rows/1/x", "/invoice/rows/1/sku/0"])
      expect([path, placeOf(path, now)]).toEqual([path, undefined])
  })

  it("tell parts of a document apart that share values", () => {
    const [one, two] = [
      { number: "A-1", currency: "EUR" },
      { number: "B-2", currency: "EUR" }
    ]
    const records = [extracted("parts.0.fields", one), extracted("parts.1.fields", two)]
    const { pathOf, placeOf } = correctionPaths({ documents: [one, two] }, records)
    expect(placeOf("/documents/0/currency")).toEqual({ step: "parts.0.fields", field: "currency" })
    expect(placeOf("/documents/1/currency")).toEqual({ step: "parts.1.fields", field: "currency" })
    expect(pathOf({ step: "parts.0.fields", field: "currency" })).toBe("/documents/0/currency")
  })

  it("mean the combined value where several steps extracted it, which settles their reviews", () => {
    const item = { field: "total", path: "/total", reason: "doubt", confidence: 0.5 }
    const records = [
      extracted("rules", { total: 7 }, [item]),
      extracted("data", { total: 7 }, [item]),
      record("both", "combine", { values: { total: 7 } })
    ]
    const place = { step: "both", field: "total" }
    expect(correctionPaths({ sum: 7 }, records).placeOf("sum")).toEqual(place)
    expect(correctionPaths({ sum: 7 }, records).placeOf("total")).toEqual(place)
    expect(openOf(records, [])).toBe(2)
    expect(openOf(records, [{ ...place, value: 7, accepted: true, by: "key_1", at: "now" }])).toBe(0)
  })

  it("mean at most 2,000 values, each cell of a row counted, and none both corrected and confirmed", async () => {
    const lines = Array.from({ length: 1001 }, (_, row) => ({ sku: `A${row}`, amount: row }))
    const records = [extracted("fields", { lines })]
    const ask = (rows: number, values: ReadonlyArray<{ path: string; value: unknown }> = []) => {
      const confirmed = Array.from({ length: rows }, (_, row) => `lines.${row}`)
      return Effect.runPromise(
        Effect.flip(askedOf({ lines }, records, [], { ifMatch: 0, values, confirmed }))
      )
    }
    expect(await ask(1001)).toMatchObject({ details: { field: "values" } })
    expect(await ask(1000, [{ path: "lines.999.sku", value: "B" }])).toMatchObject({
      details: { field: "values" }
    })
    expect(await ask(3, [{ path: "lines.2.sku", value: "B" }])).toMatchObject({
      details: { field: "confirmed.2" }
    })
  })

  it("change the cells and the tables that they mean, the last of them last", () => {
    const table = { step: "fields", field: "lines", accepted: false, by: "key_1", at: "now" }
    const lines = [
      { sku: "A", amount: 1 },
      { sku: "B", amount: 2 }
    ]
    const record = extracted("fields", { lines, total: 3 })
    const corrected = (...fields: Parameters<typeof correctedRecords>[1]) =>
      correctedRecords([record], fields).map(({ output }) => output)
    const cell = { ...table, row: 1, column: "sku", value: "C" }
    const other = { ...table, value: [{ sku: "Z", amount: 9 }] }
    expect(corrected(cell, { ...cell, column: "amount", value: 5 })).toEqual(
      withTotal({ lines: [lines[0], { sku: "C", amount: 5 }] })
    )
    expect(corrected(cell, other)).toEqual(withTotal({ lines: other.value }))
    const again = { ...cell, row: 0 }
    expect(corrected(cell, other, again)).toEqual(withTotal({ lines: [{ sku: "C", amount: 9 }] }))
    expect(corrected(other, again)).toEqual(withTotal({ lines: [{ sku: "C", amount: 9 }] }))
    expect(record).toEqual(extracted("fields", { lines, total: 3 }))
  })
})
