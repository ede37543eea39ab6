import { describe, expect, it } from "vitest"
import { followed, plan } from "../../dsl/index.ts"
import { checked } from "./Support.ts"

const flow = (changes: Readonly<Record<string, string>> = {}, version = "1.0.0") => {
  const parts = {
    formats: "[application/pdf]",
    limits: "",
    top: "",
    variables:
      "{ type: object, required: [a], properties: { a: { type: string }, b: { type: number, default: 1 } } }",
    schema:
      '{ type: object, required: [n, list], properties: { n: { type: [number, "null"] }, list: { type: array, items: { type: object, required: [x], properties: { x: { type: string } } } } } }',
    value: "{ n: 1, list: [{ x: one }] }",
    step: "1",
    ...changes
  }
  return checked(`docflow: 1
id: invoice
version: ${version}
name: Invoice
document: { formats: ${parts.formats}, maxPages: 50${parts.limits} }
${parts.top}variables: ${parts.variables}
steps: [{ id: a, uses: transform, with: { value: ${parts.step} } }]
output: { schema: ${parts.schema}, value: ${parts.value} }
`)
}

const published = flow()
const needs = (changes: Readonly<Record<string, string>>, version = "9.0.0") =>
  plan(flow(changes, version), published)

describe("the plan of a draft", () => {
  it.each([
    [
      "the format is gone",
      { formats: "[image/png]" },
      "major",
      "the format application/pdf is no longer accepted"
    ],
    [
      "a format more",
      { formats: "[application/pdf, image/png]" },
      "minor",
      "the format image/png is accepted"
    ],
    ["a lower limit", { limits: ", maxFileSizeMB: 5" }, "major", "document.maxFileSizeMB is lower"],
    ["a higher limit", { limits: ", maxFileSizeMB: 50" }, "minor", "document.maxFileSizeMB is higher"],
    ["a budget", { top: "maxCredits: 5\n" }, "major", "maxCredits is lower"],
    ["fewer tokens", { top: "maxTokens: 5\n" }, "major", "maxTokens is lower"],
    ["a plan", { top: "requires: { plan: pro }\n" }, "major", "the number of plans that may use it is lower"],
    ["a price", { top: "credits: { perPage: 2 }\n" }, "minor", "credits.perPage is higher"],
    ["another step", { step: "2" }, "patch", "steps changed"],
    [
      "a field gone",
      {
        schema: '{ type: object, required: [n], properties: { n: { type: [number, "null"] } } }',
        value: "{ n: 1 }"
      },
      "major",
      "output.list is removed"
    ],
    [
      "a field inside gone",
      {
        schema:
          '{ type: object, required: [n, list], properties: { n: { type: [number, "null"] }, list: { type: array, items: { type: object, required: [y], properties: { y: { type: string } } } } } }',
        value: "{ n: 1, list: [{ y: one }] }"
      },
      "major",
      "output.list[0].x is removed"
    ],
    [
      "a field narrowed",
      {
        schema:
          "{ type: object, required: [n, list], properties: { n: { type: number }, list: { type: array, items: { type: object, required: [x], properties: { x: { type: string } } } } } }"
      },
      "major",
      "output.n was a number or null and is a number"
    ],
    [
      "a field more",
      {
        schema:
          '{ type: object, required: [n, list], properties: { more: { type: string }, n: { type: [number, "null"] }, list: { type: array, items: { type: object, required: [x], properties: { x: { type: string } } } } } }'
      },
      "minor",
      "output.more is new"
    ],
    [
      "a variable that must be given",
      {
        variables:
          "{ type: object, required: [a, c], properties: { a: { type: string }, b: { type: number, default: 1 }, c: { type: string } } }"
      },
      "major",
      "variables.c is new and required"
    ],
    [
      "a variable that may be given",
      {
        variables:
          "{ type: object, required: [a], properties: { a: { type: string }, b: { type: number, default: 1 }, c: { type: string } } }"
      },
      "minor",
      "variables.c is new"
    ],
    [
      "a variable that need not be given any more",
      { variables: "{ type: object, properties: { a: { type: string }, b: { type: number, default: 1 } } }" },
      "minor",
      "variables.a is optional now"
    ],
    [
      "a variable narrowed",
      {
        variables:
          "{ type: object, required: [a], properties: { a: { enum: [x, y] }, b: { type: number, default: 1 } } }"
      },
      "major",
      'variables.a was a string and is one of "x", "y"'
    ],
    [
      "a pattern for a variable",
      {
        variables:
          "{ type: object, required: [a], properties: { a: { type: string, pattern: x }, b: { type: number, default: 1 } } }"
      },
      "major",
      "variables: other patterns, ranges or defaults"
    ]
  ])("%s", (_, changes, bump, reason) => {
    const made = needs(changes)
    expect(made.reasons).toContain(`${bump}: ${reason}`)
    expect(made).toMatchObject({ bump, ok: true })
  })

  it("refuses a smaller bump", () => {
    expect(needs({ formats: "[image/png]" }, "1.1.0")).toMatchObject({ ok: false, needs: "2.0.0" })
    expect(needs({ formats: "[image/png, application/pdf]" }, "1.0.1")).toMatchObject({
      ok: false,
      needs: "1.1.0"
    })
    expect(needs({ step: "2" }, "1.0.0")).toMatchObject({ ok: false, needs: "1.0.1" })
    expect(needs({ step: "2" }, "0.9.0")).toMatchObject({ ok: false })
    expect(needs({ step: "2" }, "1.0.1")).toMatchObject({ ok: true, bump: "patch" })
    expect(needs({ formats: "[image/png]" }, "2.0.0-rc.1")).toMatchObject({ ok: true })
  })

  it("has nothing to say about a first version, nor about one without a change", () => {
    expect(plan(published, undefined)).toMatchObject({ bump: "none", ok: true })
    expect(needs({}, "1.0.1")).toMatchObject({ bump: "none", reasons: [], ok: true })
  })

  it("compares with the highest version that is not above the draft", () => {
    expect(followed("1.1.0", ["1.0.0", "1.0.5", "2.0.0"])).toBe("1.0.5")
    expect(followed("1.1.0", ["1.0.0", "1.1.0"])).toBe("1.1.0")
    expect(followed("0.1.0", ["1.0.0", "1.2.0"])).toBe("1.2.0")
    expect(followed("3.0.0", ["1.0.0", "2.0.0-rc.1"])).toBe("1.0.0")
    expect(followed("3.0.0", [])).toBeUndefined()
  })
})
