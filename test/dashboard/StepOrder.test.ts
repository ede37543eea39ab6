import { expect, test } from "vitest"
import { inTree } from "../../src/dashboard/ReadExecution.ts"

test("steps are in the order of their starts, those inside a step right under it, and elements by their number", () => {
  const starts: ReadonlyArray<readonly [string, number]> = [
    ["write", 9],
    ["read", 1],
    ["all", 2],
    ["all.10.kind", 3],
    ["all.2.kind", 3],
    ["all.2.fields", 5],
    ["all.10.fields", 4],
    ["all.2.fields.1.text", 6]
  ]
  const steps = starts.map(([path, second]) => ({ path, startedAt: `2026-01-01T00:00:0${second}.000Z` }))
  expect(inTree(steps).map(({ path }) => path)).toEqual([
    "read",
    "all",
    "all.2.kind",
    "all.2.fields",
    "all.2.fields.1.text",
    "all.10.kind",
    "all.10.fields",
    "write"
  ])
})
