import { expect, test } from "vitest"
import { findingsOf } from "../../src/dashboard/ReadExecution.ts"
import { sureFrom as inTheBrowser } from "../../src/dashboard/client/viewer/ViewerItems.ts"
import { sureFrom } from "../../src/domain/Evidence.ts"

test("the viewer calls the same values sure as everything else", () => {
  expect(inTheBrowser).toBe(sureFrom)
})

const total = (value: number) => ({ value, confidence: 0.9, status: "grounded", page: 1, by: "rules" })

test("fields of the same name in several documents stay apart; what is only handed on is left out", () => {
  const fields = (value: number) => ({ fields: { total: total(value) }, warnings: [] })
  const found = findingsOf({
    documents: { value: [{ total: 1 }], warnings: ["handed on"] },
    "documents.10.fields": fields(11),
    "documents.2.fields": {
      ...fields(3),
      warnings: ["two totals"],
      review: [{ field: "total", reason: "two totals", confidence: 0.4 }]
    },
    "documents.2.read": { pageCount: 1 }
  })
  expect(found).toEqual([
    {
      path: "documents.2.fields",
      fields: { total: total(3) },
      warnings: ["two totals"],
      review: [{ field: "total", reason: "two totals" }],
      problems: []
    },
    { path: "documents.10.fields", fields: { total: total(11) }, warnings: [], review: [], problems: [] }
  ])
})

test("broken rules are found, and what is of another shape is not taken for evidence", () => {
  const broken = { message: "The sums do not come out", severity: "warning", fields: ["total"] }
  expect(
    findingsOf({
      check: { valid: false, problems: [broken], judged: 1, skipped: 0, results: [] },
      shape: { fields: { total: 1 }, warnings: "none", problems: 3 },
      nothing: null
    })
  ).toEqual([{ path: "check", fields: {}, warnings: [], review: [], problems: [broken] }])
})
