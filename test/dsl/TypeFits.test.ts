import { describe, expect, it } from "vitest"
import { fromJsonSchema } from "../../dsl/types/JsonSchemaTypes.ts"
import { mismatch } from "../../dsl/types/TypeFits.ts"

const type = (schema: unknown) => fromJsonSchema(schema, { closed: true })
const fits = (found: unknown, place: unknown, extraFields: "refused" | "ignored" = "refused") =>
  mismatch(type(found), type(place), { extraFields }) === undefined

const text = { type: "string" }
const number = { type: "number" }
const object = (properties: object, required = Object.keys(properties)) => ({
  type: "object",
  properties,
  required
})

describe("a type fits a place", () => {
  it.each<[string, unknown, unknown, boolean]>([
    ["an integer for a number", { type: "integer" }, number, true],
    ["a number for an integer", number, { type: "integer" }, false],
    ["a literal for its type", { const: "a" }, text, true],
    ["a text for a literal", text, { const: "a" }, false],
    ["one of the literals", { enum: ["a"] }, { enum: ["a", "b"] }, true],
    ["anything for a text", {}, text, false],
    ["a text for anything", text, {}, true],
    ["null for a text", { type: "null" }, text, false],
    ["a text or null for the same", { type: ["string", "null"] }, { type: ["null", "string"] }, true],
    [
      "an array of integers for an array of numbers",
      { type: "array", items: { type: "integer" } },
      { type: "array", items: number },
      true
    ],
    [
      "an array of anything for an array of strings",
      { type: "array" },
      { type: "array", items: text },
      false
    ],
    ["an object with the field", object({ a: text }), object({ a: text }), true],
    ["an object without the field", object({}), object({ a: text }), false],
    ["an object that may lack the field", object({ a: text }, []), object({ a: text }), false],
    ["an object without an optional field", object({}), object({ a: text }, []), true],
    ["an object with a field too many", object({ a: text, b: text }), object({ a: text }), false],
    [
      "a record for a record",
      { type: "object", additionalProperties: text },
      { type: "object", additionalProperties: text },
      true
    ],
    ["a struct for a record", object({ a: text }), { type: "object", additionalProperties: text }, true],
    [
      "a struct for a record of another type",
      object({ a: number }),
      { type: "object", additionalProperties: text },
      false
    ],
    [
      "either object for either",
      { anyOf: [object({ a: text }), object({ b: text })] },
      { anyOf: [object({ b: text }), object({ a: text })] },
      true
    ],
    // A pair that did not fit as one of several alternatives does not fit alone either.
    [
      "what was refused once",
      object({ x: object({ a: text }), y: object({ a: text }) }),
      object({ x: { anyOf: [object({ b: text }), object({ a: text })] }, y: object({ b: text }) }),
      false
    ]
  ])("%s: %j for %j is %s", (_, found, place, expected) => expect(fits(found, place)).toBe(expected))

  it("takes a field too many where nobody looks at it", () => {
    expect(fits(object({ a: text, b: text }), object({ a: text }), "ignored")).toBe(true)
  })
})
