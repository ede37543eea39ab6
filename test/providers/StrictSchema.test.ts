import { describe, expect, test } from "vitest"
import { type Dialect, strictSchema } from "../../src/providers/llm/StrictSchema.ts"

const strict = (schema: object, dialect: Dialect = "nullable") => strictSchema({ ...schema }, dialect)

const closed = (properties: object, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false
})

describe("the schema that a provider is given", () => {
  test("names every property as required; optional ones may be null", () => {
    const schema = {
      type: "object",
      properties: {
        a: { type: "string" },
        b: { type: "integer" },
        c: { enum: ["x", "y"] },
        d: { type: "object", properties: { e: { type: ["string", "null"] } } },
        f: { anyOf: [{ type: "string" }, { type: "number" }] },
        g: { const: 1 }
      },
      required: ["a"]
    }
    expect(strict(schema)).toEqual({
      wrapped: false,
      schema: closed({
        a: { type: "string" },
        b: { type: ["integer", "null"] },
        c: { type: ["string", "null"], enum: ["x", "y", null] },
        d: { anyOf: [closed({ e: { type: ["string", "null"] } }), { type: "null" }] },
        f: { anyOf: [{ anyOf: [{ type: "string" }, { type: "number" }] }, { type: "null" }] },
        g: { anyOf: [{ type: "number", const: 1 }, { type: "null" }] }
      })
    })
  })

  test("keeps optional properties where the provider knows them", () => {
    const schema = {
      type: "object",
      properties: { a: { type: "string" }, b: { type: "string" } },
      required: ["a"]
    }
    expect(strict(schema, "optional")?.schema).toEqual(
      closed({ a: { type: "string" }, b: { type: "string" } }, ["a"])
    )
  })

  test("tells in words what the provider does not take", () => {
    const schema = closed({
      code: { type: "string", pattern: "^[A-Z]+$", minLength: 2, description: "The code." },
      day: { type: "string", format: "date" },
      site: { type: "string", format: "uri" },
      total: { type: "number", minimum: 0 }
    })
    expect(strict(schema)?.schema).toMatchObject({
      properties: {
        code: { type: "string", description: "The code. (pattern: ^[A-Z]+$) (minLength: 2)" },
        day: { type: "string", format: "date" },
        site: { type: "string", description: "(format: uri)" },
        total: { type: "number", description: "(minimum: 0)" }
      }
    })
    expect(strict(schema, "bare")?.schema).toMatchObject({
      properties: { day: { type: "string", description: "(format: date)" } }
    })
  })

  test("is an object at the root", () => {
    expect(strict({ type: "array", items: { type: "integer" } })).toEqual({
      wrapped: true,
      schema: closed({ value: { type: "array", items: { type: "integer" } } })
    })
    expect(strict({ oneOf: [{ type: "string" }, { type: "null" }] })?.schema).toEqual(
      closed({ value: { anyOf: [{ type: "string" }, { type: "null" }] } })
    )
  })

  test("keeps definitions, of either name", () => {
    const schema = {
      ...closed({ a: { $ref: "#/definitions/A" } }),
      definitions: { A: { type: "object", properties: { b: { type: "string" } } } }
    }
    expect(strict(schema)?.schema).toEqual({
      ...closed({ a: { $ref: "#/$defs/A" } }),
      $defs: { A: closed({ b: { type: ["string", "null"] } }) }
    })
  })

  test("does not exist for what is wider than its form", () => {
    expect(strict({ type: "object", additionalProperties: { type: "string" } })).toBeUndefined()
    expect(strict({ type: "object" })).toBeUndefined()
    expect(strict({ type: "array", prefixItems: [{ type: "string" }] })).toBeUndefined()
    expect(strict(closed({ anything: {} }))).toBeUndefined()
    expect(strict({ allOf: [{ type: "string" }, { minLength: 1 }] })).toBeUndefined()
  })
})
