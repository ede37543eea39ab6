import * as Type from "../../dsl/types/Type.ts"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { fromJsonSchema, toJsonSchema } from "../../dsl/types/JsonSchemaTypes.ts"
import { describe as words } from "../../dsl/types/TypeDescribe.ts"
import { mismatch } from "../../dsl/types/TypeFits.ts"
import { withinCpuMs } from "../support/CpuTime.ts"
import { checkFlow, head } from "./Support.ts"

const tree = {
  type: "object",
  required: ["value", "left", "right", "children"],
  properties: {
    value: { type: "number" },
    left: { anyOf: [{ $ref: "#" }, { type: "null" }] },
    right: { anyOf: [{ $ref: "#" }, { type: "null" }] },
    children: { type: "array", items: { $ref: "#" } }
  }
}

const flow = (expression: string) => `${head}variables: ${JSON.stringify(tree)}
steps:
  - { id: a, uses: transform, with: { value: "\${{ ${expression} }}" } }
output: { value: { it: "\${{ steps.a }}" } }
`

describe("types that contain themselves", () => {
  it.each<[string, unknown]>([
    ["a tree", tree],
    ["itself", { $ref: "#" }],
    ["a union of itself", { anyOf: [{ $ref: "#" }, { type: "string" }] }],
    [
      "two that are each other",
      { $defs: { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" }
    ],
    ["an array of arrays of itself", { type: "array", items: { $ref: "#" } }],
    ["nothing that exists", { $ref: "#/$defs/none" }],
    ["an address", { $ref: "https://example.com/schema.json" }]
  ])("%s can be described, compared and written", (_, schema) => {
    withinCpuMs(1000, () => {
      const one = fromJsonSchema(schema, { closed: true })
      const other = fromJsonSchema(structuredClone(schema), { closed: true })
      words(one)
      toJsonSchema(one)
      Type.union([one, other, Type.string])
      expect(mismatch(one, other, { extraFields: "refused" })).toBeUndefined()
    })
  })

  it("are followed as far as an expression goes", () => {
    expect(Result.isSuccess(checkFlow(flow("variables.left.left.right.value")))).toBe(true)
    const wrong = checkFlow(flow("variables.left.left.rihgt.value"))
    expect(Result.isFailure(wrong) && wrong.failure.map(({ suggestion }) => suggestion)).toEqual([
      'Did you mean "right"?'
    ])
  })
})
