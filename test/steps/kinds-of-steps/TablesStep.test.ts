import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { StepContext } from "../../../dsl/model/StepKind.ts"
import type { Page } from "../../../src/domain/DocumentIR.ts"
import { tables } from "../../../src/steps/Tables.ts"

const context: StepContext = {
  executionId: "e",
  path: "tables",
  environment: "test",
  progress: () => Effect.void
}

const line = (text: string, y: number) => ({
  lineId: text,
  text,
  bbox: { x: 50, y, w: 100, h: 10 },
  startChar: 0,
  endChar: text.length
})

/** A page with one table, and a line above and below it for each y that is given. */
const page = (
  pageNumber: number,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  around: ReadonlyArray<number> = [],
  x = 50
): Page => ({
  pageNumber,
  width: 595,
  height: 842,
  lines: around.map((y) => line("text", y)),
  tables: [{ bbox: { x, y: 100, w: 400, h: 600 }, rows: rows.map((row) => row.map((text) => ({ text }))) }]
})

const head = ["Item", "Price"]

const run = (pages: ReadonlyArray<Page>, extras = {}) =>
  Effect.map(
    tables.run({ document: { pages, extras: { pageCount: pages.length, ...extras } } }, context),
    (output) => output.tables
  )

describe("tables", () => {
  it.effect("makes one table of one that goes on over the page, with its head once", () =>
    Effect.gen(function* () {
      const found = yield* run([
        page(1, [head, ["a", "1"]], [20, 800]),
        page(2, [head, ["b", "2"]], [20, 800]),
        page(3, [["c", "3"]], [800])
      ])
      assert.deepStrictEqual(found, [{ page: 1, rows: [head, ["a", "1"], ["b", "2"], ["c", "3"]] }])
    })
  )

  it.effect("keeps tables apart: text between, other columns, another place, other sheets", () =>
    Effect.gen(function* () {
      const first = page(1, [head, ["a", "1"]])
      const others = [
        page(2, [["b", "2"]], [20, 40, 60, 80]),
        page(2, [["b", "2", "x"]]),
        page(2, [["b", "2"]], [], 150),
        page(3, [["b", "2"]])
      ]
      for (const other of others) assert.lengthOf(yield* run([first, other]), 2)
      assert.lengthOf(yield* run([first, page(2, [["b", "2"]])], { layout: "synthetic" }), 2)
    })
  )
})
