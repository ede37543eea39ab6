import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js"
import { Result } from "effect"
import * as fc from "../support/FastCheck.ts"
import { describe, expect, it } from "vitest"
import { compileJsonSchema } from "../../dsl/model/Ajv.ts"
import { withinCpuMs } from "../support/CpuTime.ts"

const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index)

const isLong = process.env["DOCFLOW_TEST_LONG"] === "1"

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
      { items: { anyOf: numbers(300).map((index) => ({ const: index + 5 })) } },
      numbers(45_000).map(() => 304)
    ],
    [
      "references without end",
      {
        $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { allOf: [{ $ref: "#/$defs/a" }] } },
        $ref: "#/$defs/a"
      },
      1
    ],
    [
      "many names for many objects",
      { items: { properties: Object.fromEntries(numbers(1000).map((index) => [`k${index}`, {}])) } },
      numbers(100_000).map(() => ({}))
    ],
    [
      "many patterns for many names",
      {
        patternProperties: Object.fromEntries(
          numbers(300).map((index) => [`^k${index}x*y`, { type: "string" }])
        )
      },
      Object.fromEntries(numbers(20_000).map((index) => [`a${index}`, 1]))
    ],
    [
      "many lengths of a long string",
      { allOf: numbers(500).map((index) => ({ maxLength: 10_000_000 + index })) },
      "ab".repeat(200_000)
    ]
  ])("are ended: %s", (_, schema, value) => {
    const compare = Result.getOrThrow(compileJsonSchema(schema))
    const [error] = withinCpuMs(10_000, () => compare(value))
    expect(error?.message).toMatch(/^takes more than 4000000 operations to compare/u)
  })

  it.each([
    { default: { anyOf: [{ $ref: "#/default" }] }, $ref: "#/default" },
    { default: { type: "string" }, $ref: "#/%64efault" },
    { properties: { properties: { default: {} }, a: { $ref: "#/properties/properties/default" } } }
  ])("cannot hide in data that a reference leads to: %j", (hidden) => {
    expect(Result.isFailure(compileJsonSchema(hidden))).toBe(true)
  })

  it("may be under a property whose name is a keyword", () => {
    const field = { properties: { default: { type: "string" }, copy: { $ref: "#/properties/default" } } }
    expect(Result.getOrThrow(compileJsonSchema(field))({ copy: 1 })).toHaveLength(1)
  })
})

describe("a table of 25,000 rows and 20 columns", () => {
  const names = numbers(20).map((index) => `c${index}`)
  const tableOf = (column: object, value: unknown) => [
    Result.getOrThrow(
      compileJsonSchema({
        items: {
          type: "object",
          required: names,
          additionalProperties: false,
          properties: Object.fromEntries(names.map((name) => [name, column]))
        }
      })
    ),
    numbers(25_000).map(() => Object.fromEntries(names.map((name) => [name, value])))
  ]

  it.each([
    [{ anyOf: [{ type: "string", format: "date" }, { type: "null" }] }, "2026-01-31"],
    [{ type: ["number", "null"], minimum: 0 }, 1],
    [{ type: "string", minLength: 1, maxLength: 100 }, "A description of a service"],
    [{ type: "string", enum: numbers(20).map((index) => `kind ${index}`) }, "kind 19"]
  ])("fits a schema of %j", (column, value) => {
    const [compare, table] = tableOf(column, value)
    expect(typeof compare === "function" && compare(table)).toEqual([])
  })

  it("with nothing right in it is told one error at least", () => {
    const [compare, table] = tableOf({ type: "string" }, 1)
    expect(typeof compare === "function" && compare(table)).toMatchObject([{ message: "must be string" }])
  })
})

it.each([
  ["2026-02-28", true],
  ["2026-02-29", false],
  ["2028-02-29", true],
  ["2026-04-31", false],
  ["2026-12-31", true],
  ["2026-13-01", false],
  ["9999-12-31", true]
])("%s is a day: %s", (text, isDay) => {
  const compare = Result.getOrThrow(compileJsonSchema({ type: "string", format: "date" }))
  expect(compare(text).length === 0).toBe(isDay)
})

it.each([
  ["2026-02-28T09:30:00Z", true],
  ["2026-02-30T09:30:00Z", false],
  ["2028-02-29T23:59:59.123+14:00", true],
  ["2027-02-29T09:30:00Z", false],
  ["2026-13-01T09:30:00Z", false],
  ["2026-12-31T23:59:60Z", true],
  ["2026-12-31T24:00:00Z", false],
  ["2026-12-31T23:60:00Z", false],
  ["2026-12-31T23:00:61Z", false],
  ["2026-12-31T23:00:00+24:00", false],
  ["2026-12-31T23:00:00", false]
])("%s is a moment: %s", (text, isMoment) => {
  const compare = Result.getOrThrow(compileJsonSchema({ type: "string", format: "date-time" }))
  expect(compare(text).length === 0).toBe(isMoment)
})

/** Schemas of some of the keywords, with values of their own. */
const keywords = (own: { readonly [keyword: string]: fc.Arbitrary<unknown> }) =>
  fc
    .array(
      fc.oneof(
        ...Object.entries(own).map(([keyword, values]) => values.map((value) => ({ [keyword]: value })))
      ),
      { minLength: 1, maxLength: 4 }
    )
    .map((parts): object => Object.assign({}, ...parts))

/** What is wrong and where, in any order. */
const errorsOf = (errors: ReadonlyArray<ErrorObject>) =>
  errors.map(({ instancePath, keyword }) => `${instancePath} ${keyword}`).toSorted()

describe("a schema whose operations are counted", () => {
  const name = fc.constantFrom("a", "b", "const", "default", "$ref", "required", "x-docflow-counted")
  const { schema, value } = fc.letrec((tie) => {
    const part = tie("schema")
    const parts = fc.array(part, { minLength: 1, maxLength: 3 })
    const byName = fc.dictionary(name, part, { maxKeys: 3, noNullPrototype: true })
    return {
      value: fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(null, true, 1, 2, "a", "abc", ""),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(name, tie("value"), { maxKeys: 3, noNullPrototype: true })
      ),
      schema: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom<unknown>(
          true,
          false,
          {},
          { type: "string" },
          { properties: { a: { $ref: "#/$defs/default" } } },
          { items: { $ref: "#" } },
          { additionalProperties: { $dynamicRef: "#node" } }
        ),
        keywords({
          type: fc.constantFrom("object", "array", "string", ["object", "array"]),
          properties: byName,
          dependentSchemas: byName,
          patternProperties: part.map((one) => ({ "^a": one })),
          additionalProperties: part,
          propertyNames: part,
          items: part,
          prefixItems: parts,
          unevaluatedProperties: part,
          unevaluatedItems: part,
          anyOf: parts,
          oneOf: parts,
          allOf: parts,
          not: part,
          if: part,
          else: part,
          const: tie("value"),
          enum: tie("value").map((one) => [one, "other"]),
          contains: fc.constantFrom({ type: "string" }, { const: 1 }),
          required: fc.uniqueArray(name, { maxLength: 2 }),
          dependentRequired: name.map((one) => ({ [one]: ["a"] })),
          pattern: fc.constant("^a"),
          minLength: fc.constant(2),
          uniqueItems: fc.boolean()
        })
      )
    }
  })

  it("looks for what a short array must contain after the schemas of its first items", () => {
    const short = { prefixItems: [{ type: "string" }], contains: { type: "number" }, maxContains: 2 }
    expect(errorsOf(Result.getOrThrow(compileJsonSchema(short))([]))).toEqual([" contains"])
  })

  it("finds the errors that Ajv finds without counting", () => {
    fc.assert(
      fc.property(schema, schema, fc.array(value, { minLength: 1, maxLength: 6 }), (root, other, values) => {
        const whole = { $dynamicAnchor: "node", $defs: { default: other }, allOf: [root] }
        const plain = new Ajv2020({ strict: false, allErrors: true, validateSchema: false }).compile(whole)
        const compare = Result.getOrThrow(compileJsonSchema(whole, { useDefaults: false }))
        for (const one of values) {
          // Ajv throws at some values of recursive schemas with `unevaluatedProperties`.
          if (Result.isFailure(Result.try(() => plain(one)))) continue
          expect(errorsOf(compare(one))).toEqual(errorsOf(plain.errors ?? []))
        }
      }),
      { numRuns: isLong ? 2000 : 100 }
    )
  })
})
