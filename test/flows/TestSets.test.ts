import { globSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { runHere } from "../support/CommandLine.ts"

const sets = globSync("flows/*/tests/*.yaml").toSorted()
const tested = [...new Set(sets.map((file) => file.split(/[/\\]/u)[1] ?? ""))]

describe("the test sets that ship", () => {
  it("are there for the flows that need no model", () => {
    for (const flow of ["invoice", "receipt", "tables", "text"]) expect(tested).toContain(flow)
  })

  it.each(tested)("%s holds", async (flow) => {
    const { code, out } = await runHere({}, "test", flow, "--json")
    expect(JSON.parse(out)).toMatchObject({ flow, holds: true, sets: [{ accuracy: 1, failures: [] }] })
    expect(code).toBe(0)
  })
})
