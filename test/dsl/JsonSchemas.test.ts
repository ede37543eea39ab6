import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { compileJsonSchema } from "../../dsl/model/Ajv.ts"
import { withinCpuMs } from "../support/CpuTime.ts"

const unique = Result.getOrThrow(compileJsonSchema({ type: "array", uniqueItems: true }))

// Compared with each other, the items would take minutes: the time limit of a test is what tells.
it("uniqueItems takes a hundred thousand lists", () => {
  expect(unique(Array.from({ length: 100_000 }, (_, index) => [index]))).toEqual([])
})

it.each([
  [[], true],
  [[1, "1", null, "null", [1], { a: 1 }, { a: "1" }], true],
  [
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 }
    ],
    false
  ],
  [[1, 2, 1], false]
])("uniqueItems of %j is %s", (items, fits) => {
  expect(unique(items).length === 0).toBe(fits)
})

describe("a schema and a value that take too long together", () => {
  const nested: unknown = JSON.parse(`${"[".repeat(28)}1${"]".repeat(28)}`)
  const lists = { type: "array", items: { $ref: "#/$defs/lists" } }

  it.each([
    ["references that multiply", { $defs: { lists: { anyOf: [lists, lists, lists] } }, ...lists }, nested],
    [
      "many alternatives for many items",
      { items: { anyOf: Array.from({ length: 300 }, (_, index) => ({ const: index + 5 })) } },
      Array.from({ length: 45_000 }, () => 1)
    ],
    [
      "references without end",
      {
        $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { allOf: [{ $ref: "#/$defs/a" }] } },
        $ref: "#/$defs/a"
      },
      1
    ]
  ])("are ended: %s", (_, schema, value) => {
    const compare = Result.getOrThrow(compileJsonSchema(schema))
    const [error] = withinCpuMs(10_000, () => compare(value))
    expect(error?.message).toBe("takes more than 200000 comparisons with its schema")
  })

  it("cannot hide in data that a reference leads to", () => {
    const hidden = { default: { anyOf: [{ $ref: "#/default" }] }, $ref: "#/default" }
    expect(Result.isFailure(compileJsonSchema(hidden))).toBe(true)
    const field = { properties: { default: { type: "string" }, copy: { $ref: "#/properties/default" } } }
    expect(Result.getOrThrow(compileJsonSchema(field))({ copy: 1 })).toHaveLength(1)
  })
})
