import { globSync, readFileSync } from "node:fs"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { parse as parseYaml } from "yaml"
import { compileJsonSchema } from "../../dsl/model/Ajv.ts"
import { editorSchema } from "../../dsl/index.ts"
import { allSteps } from "../../src/steps/All.ts"
import { head } from "./Support.ts"

const schema = editorSchema(allSteps)
const compare = Result.getOrThrow(compileJsonSchema({ ...schema }))
const root = new URL("../../", import.meta.url)
const flows = globSync("flows/*/*.yaml", { cwd: root })

const problems = (text: string) => compare(parseYaml(text)).map((error) => error.instancePath)

const step = (text: string) => `${head}steps:\n  - ${text}\noutput: { value: {} }\n`

describe("flow.schema.json", () => {
  // After a change of the language or of a step's configuration: npx vitest run test/dsl/FlowSchema.test.ts -u
  it("is what the schemas say", async () => {
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot("../../dsl/flow.schema.json")
  })

  it.each(flows)("accepts %s", (file) => {
    expect(problems(readFileSync(new URL(file, root), "utf8"))).toEqual([])
  })

  it("accepts expressions in place of values", () => {
    expect(
      problems(
        step(`{ id: a, uses: validate, with: { rules: [{ that: "\${{ variables.x }}", else: No. }] } }`)
      )
    ).toEqual([])
  })

  it.each([
    ["an unknown step kind", step("{ id: a, uses: prase }"), "/steps/0/uses"],
    ["an unknown key", step("{ id: a, uses: fail, wiht: {} }"), "/steps/0"],
    [
      "a wrong value of a step's configuration",
      step("{ id: a, uses: validate, with: { rules: 1 } }"),
      "/steps/0/with/rules"
    ],
    [
      "a bad duration",
      step("{ id: a, uses: fail, with: { message: x }, timeout: 2 minutes }"),
      "/steps/0/timeout"
    ],
    ["a bad version", step("{ id: a, uses: fail, with: { message: x } }").replace("1.0.0", "one"), "/version"]
  ])("marks %s", (_, text, path) => {
    expect(problems(text)).toContain(path)
  })
})
