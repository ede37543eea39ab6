import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { checkFlow, head } from "./Support.ts"

const problemsOf = (steps: string, output: string) => {
  const text = `${head}variables: { type: object, properties: { go: { type: boolean } } }
steps:
  - { id: a, if: "variables.go == true", uses: transform, with: { value: { list: [{ n: 1 }], n: 1 } } }
${steps}
output:
  value: { it: ${output} }
`
  const flow = checkFlow(text)
  return Result.isFailure(flow) ? flow.failure.map(({ message }) => message) : []
}
const loop = (condition: string) =>
  `  - { id: b, ${condition}forEach: { in: "\${{ steps.a.list }}", steps: [{ id: c, uses: transform, with: { value: "\${{ item.n + 1 }}" } }] } }`

describe("a step behind a condition", () => {
  it("may take for given what the condition asked", () => {
    expect(problemsOf(loop(""), "1")).toEqual([expect.stringContaining("may be null")])
    for (const condition of ["steps.a != null", "${{ steps.a.n > 0 && variables.go }}", "!(steps.a == null)"])
      expect(problemsOf(loop(`if: "${condition}", `), "1")).toEqual([])
    for (const condition of ["steps.a == null", "steps.a != null || variables.go", "variables.go == true"])
      expect(problemsOf(loop(`if: "${condition}", `), "1")).toHaveLength(1)
  })

  it("holds for a case of a switch, and for what is inside", () => {
    const inside = `[{ id: c, forEach: { in: "\${{ steps.a.list }}", steps: [{ id: d, uses: transform, with: { value: 1 } }] } }]`
    expect(
      problemsOf(`  - { id: b, switch: { cases: [{ when: steps.a != null, steps: ${inside} }] } }`, "1")
    ).toEqual([])
    expect(
      problemsOf(`  - { id: b, switch: { cases: [{ when: steps.a == null, steps: ${inside} }] } }`, "1")
    ).toHaveLength(1)
    expect(problemsOf(`  - { id: b, if: steps.a != null, steps: ${inside} }`, "1")).toEqual([])
  })

  it("says nothing of what comes after, nor of another element of the same name", () => {
    const strict = `{ id: d, forEach: { in: "\${{ steps.a.list }}", steps: [{ id: e, uses: transform, with: { value: 1 } }] } }`
    expect(problemsOf(`${loop('if: "steps.a != null", ')}\n  - ${strict}`, "1")).toHaveLength(1)
    const maybe = `{ id: m, uses: transform, with: { value: [null, [1]] } }`
    const outer = (inner: string) =>
      `  - ${maybe}\n  - { id: o, forEach: { in: "\${{ steps.m }}", steps: [{ id: p, if: item != null, ${inner} }] } }`
    const each = `forEach: { in: "\${{ item }}", as: x, steps: [{ id: q, uses: transform, with: { value: "\${{ x }}" } }] }`
    expect(problemsOf(outer(each), "1")).toEqual([])
    const again = `forEach: { in: "\${{ steps.m }}", steps: [{ id: r, ${each} }] }`
    expect(problemsOf(outer(again), "1")).toHaveLength(1)
  })
})
