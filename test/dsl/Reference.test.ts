import { describe, expect, it } from "vitest"
import { functions, reference } from "../../dsl/index.ts"
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
})
