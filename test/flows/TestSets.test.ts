import { execFile } from "node:child_process"
import { globSync } from "node:fs"
import { describe, expect, it } from "vitest"

const sets = globSync("flows/*/tests/*.yaml").toSorted()
const tested = [...new Set(sets.map((file) => file.split(/[/\\]/u)[1] ?? ""))]

/** Runs the test sets of a flow as a user does. */
const test = (flow: string) =>
  new Promise<{ readonly code: number; readonly out: string }>((resolve) => {
    execFile(process.execPath, ["src/cli/Main.ts", "test", flow, "--json"], (error, out) =>
      resolve({ code: error === null ? 0 : 1, out })
    )
  })

describe("the test sets that ship", () => {
  it("are there for the flows that need no model", () => {
    for (const flow of ["invoice", "receipt", "tables", "text"]) expect(tested).toContain(flow)
  })

  it.each(tested)("%s holds", async (flow) => {
    const { code, out } = await test(flow)
    expect(JSON.parse(out)).toMatchObject({ flow, holds: true, sets: [{ accuracy: 1, failures: [] }] })
    expect(code).toBe(0)
  })
})
