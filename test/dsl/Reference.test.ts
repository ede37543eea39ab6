import { Result } from "effect"
import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { isMacro } from "../../dsl/expression/ExpressionMacros.ts"
import { Flow, FlowLibrary, functions, reference } from "../../dsl/index.ts"
import { macros } from "../../dsl/tools/ReferenceText.ts"
import { flow } from "../../examples/flow.ts"
import { sha256 } from "./Support.ts"
import { allSteps } from "../../src/steps/All.ts"

describe("docs/flow-language.md", () => {
  // After a change of the language or of a step kind: npx vitest run test/dsl/Reference.test.ts -u
  it("is what docflow reference prints", async () => {
    await expect(reference(allSteps)).toMatchFileSnapshot("../../docs/flow-language.md")
  })

  it("has every step kind, function and form", () => {
    const text = reference(allSteps)
    for (const name of allSteps.kinds.keys()) expect(text).toContain(`### ${name}\n`)
    for (const { usage } of functions) expect(text).toContain(`\`${usage}\``)
    for (const form of ["parallel", "forEach", "switch", "steps", "onError", "cache"])
      expect(text).toContain(`- \`${form}\``)
  })

  it("lists the keys of columns and of regions", () => {
    const [, fields = ""] = reference(allSteps).split("### extract\n")
    for (const key of ["left", "bottom"])
      expect(fields).toMatch(new RegExp(`^      - \`${key}\` \\(number`, "mu"))
    const [, columns = ""] = fields.split("Columns of a table.\n")
    expect(columns).toMatch(
      /^      - any name \("string", .* or object\):\n        - `type` .*\n        - `labels` /u
    )
  })

  it("shows the flow in TypeScript of examples/flow.ts, which passes the check", () => {
    const source = readFileSync(new URL("../../examples/flow.ts", import.meta.url), "utf8")
    expect(reference(allSteps)).toContain(source.trim())
    const checked = Flow.check(flow, { file: "flow.ts", registry: allSteps, sha256 })
    expect(Result.isFailure(checked) ? checked.failure : []).toEqual([])
  })

  it.each(macros)("%s is an expression: %s", (usage) => {
    const [name = ""] = /(\w+)\(/u.exec(usage)?.slice(1) ?? []
    expect(isMacro(name) || ["coalesce", "has", "matches"].includes(name)).toBe(true)
  })

  it.each([...allSteps.kinds.values()])("has an example of $name that passes the check", (kind) => {
    const invoice = readFileSync(new URL("../../flows/invoice/1.0.0.yaml", import.meta.url), "utf8")
    const flows = [{ id: "invoice", version: "1.0.0", file: "invoice.yaml", text: invoice }]
    const text = `docflow: 1
id: example
version: 1.0.0
name: Example
document: { formats: [application/pdf] }
steps:
${(kind.example ?? "").replaceAll(/^/gmu, "  ")}
output: { value: {} }
`
    expect(kind.example).toContain(`uses: ${kind.name}`)
    const checked = new FlowLibrary(flows, { registry: allSteps, sha256 }).check({
      id: "example",
      version: "1.0.0",
      file: "example.yaml",
      text
    })
    expect(Result.isFailure(checked) ? checked.failure : []).toEqual([])
  })
})
