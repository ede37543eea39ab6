import { Schema } from "effect"
import { expect, it } from "vitest"
import { parse } from "yaml"
import { testSetOf } from "../../../src/services/test-sets/ExportedCases.ts"
import { TestSet } from "../../../src/services/test-sets/TestSet.ts"

const by = { by: "session", at: "2026-11-22T09:30:00.000Z" }
const made = (values: Record<string, unknown>, confirmed: ReadonlyArray<string>, output: unknown) =>
  testSetOf({
    flowId: "invoice",
    executionId: "exec_1",
    filename: "a scan.pdf",
    corrections: {
      values: Object.entries(values).map(([path, value]) => ({ path, value, by: by.by, at: by.at })),
      confirmed: confirmed.map((path) => ({ path, by: by.by, at: by.at })),
      output
    }
  })

it("corrected and confirmed values become a case that docflow test reads", () => {
  const output = { total: 12.5, lines: [{ amount: 1 }, { amount: 7 }], note: "1.10", "a/b": true }
  const text = made({ "/total": 12.5, "/note": "1.10" }, ["/lines/1/amount", "/a~1b"], output)
  const set = Schema.decodeUnknownSync(TestSet)(parse(text ?? ""))
  expect(set).toEqual({
    tests: 1,
    flow: "invoice",
    cases: [
      {
        name: "exec_1",
        document: "a scan.pdf",
        expect: { total: 12.5, note: "1.10", "lines[1].amount": 7, "a/b": true }
      }
    ]
  })
})

it("a value that looks like a way to compare is expected as a value; a removed one as null", () => {
  const set = Schema.decodeUnknownSync(TestSet)(
    parse(made({ "/party": { is: "x" }, "/due": undefined }, [], {}) ?? "")
  )
  expect(set.cases[0]?.expect).toEqual({ party: { is: { is: "x" } }, due: null })
})

it("without corrections, or for names that a test set cannot write, there is none", () => {
  expect(made({}, [], {})).toBeUndefined()
  expect(made({ "/a.b": 1 }, [], {})).toBeUndefined()
})
