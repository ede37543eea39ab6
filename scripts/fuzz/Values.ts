import { Predicate } from "effect"
import * as fc from "fast-check"
import { hints } from "./Hints.ts"
import { nastyValue } from "./Nasty.ts"
import type { JsonSchema, OpenApiDocument } from "./OpenApiDocument.ts"

/** What an optional member is that is left out. */
const absent = Symbol("absent")

/** How a value is to its schema: in it, or at one of its edges. */
type Fit = "valid" | "boundary"

const schemasIn = (value: unknown): ReadonlyArray<JsonSchema> =>
  Array.isArray(value) ? value.filter((part): part is JsonSchema => Predicate.isObject(part)) : []

const numberIn = (schema: JsonSchema, keyword: string): number | undefined => {
  const value = schema[keyword]
  return typeof value === "number" ? value : undefined
}

/** Values of a schema of the document. Fields of well-known names get values that mean something. */
export const valuesOf = (document: OpenApiDocument, fit: Fit) => {
  const ofString = (schema: JsonSchema): fc.Arbitrary<string> => {
    const pattern = schema["pattern"]
    // fast-check makes no texts of Unicode properties: it need not, such patterns only keep some characters out.
    if (typeof pattern === "string" && !pattern.includes("\\p{")) {
      return fc.stringMatching(new RegExp(pattern, "u"))
    }
    const minLength = numberIn(schema, "minLength") ?? 0
    const maxLength = numberIn(schema, "maxLength") ?? 60
    return fit === "valid"
      ? fc.string({ minLength, maxLength: Math.min(maxLength, minLength + 30) })
      : fc.oneof(
          fc.constantFrom("x".repeat(minLength), "x".repeat(maxLength), "é".repeat(maxLength)),
          fc.string({ unit: "grapheme", minLength, maxLength: Math.min(maxLength, minLength + 30) })
        )
  }

  const ofNumber = (schema: JsonSchema, whole: boolean): fc.Arbitrary<number> => {
    const min = numberIn(schema, "minimum") ?? -1e6
    const max = numberIn(schema, "maximum") ?? 1e6
    if (fit === "boundary") return fc.constantFrom(min, max, Math.min(max, min + 1), Math.max(min, max - 1))
    return whole
      ? fc.integer({ min: Math.max(min, -(2 ** 31)), max: Math.min(max, 2 ** 31 - 1) })
      : fc.double({ min, max, noNaN: true })
  }

  const ofObject = (schema: JsonSchema): fc.Arbitrary<unknown> => {
    const properties = schema["properties"]
    if (!Predicate.isObject(properties)) return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }))
    const fields = Object.entries(properties).flatMap(([name, part]) => {
      const arbitrary = Predicate.isObject(part)
        ? ofField(name, Object.fromEntries(Object.entries(part)))
        : fc.constant<unknown>(null)
      return [[name, arbitrary] as const]
    })
    const required = schema["required"]
    const requiredKeys: ReadonlyArray<unknown> = Array.isArray(required) ? required : []
    return fc
      .tuple(
        ...fields.map(([name, arbitrary]) =>
          requiredKeys.includes(name) ? arbitrary : fc.option(arbitrary, { nil: absent, freq: 1 })
        )
      )
      .map((values) =>
        Object.fromEntries(
          fields.flatMap(([name], index) => (values[index] === absent ? [] : [[name, values[index]]]))
        )
      )
  }

  const ofField = (name: string, schema: JsonSchema): fc.Arbitrary<unknown> => {
    const hint = hints[name]
    return hint === undefined
      ? of(schema)
      : fc.oneof({ weight: 9, arbitrary: hint }, { weight: 1, arbitrary: of(schema) })
  }

  /** An object that has the members of exactly one of several lists, such as `base64` or `url`. */
  const ofAlternatives = (schema: JsonSchema, alternatives: ReadonlyArray<JsonSchema>) => {
    const { oneOf: _, properties, required, ...others } = schema
    const lists = alternatives.map((one) => (Array.isArray(one["required"]) ? one["required"] : []))
    return fc.oneof(
      ...lists.map((list) => {
        const excluded = new Set<unknown>(lists.flat().filter((name) => !list.includes(name)))
        return ofObject({
          ...others,
          properties: Object.fromEntries(
            Object.entries(Object(properties)).filter(([name]) => !excluded.has(name))
          ),
          required: [...(Array.isArray(required) ? required : []), ...list]
        })
      })
    )
  }

  const of = (given: JsonSchema): fc.Arbitrary<unknown> => {
    const schema = document.resolve(given)
    const choices = schemasIn(schema["anyOf"] ?? schema["oneOf"])
    if (choices.length > 0 && Predicate.isObject(schema["properties"])) return ofAlternatives(schema, choices)
    if (choices.length > 0) return fc.oneof(...choices.map(of))
    if (Array.isArray(schema["enum"])) return fc.constantFrom<unknown>(...schema["enum"])
    if ("const" in schema) return fc.constant(schema["const"])
    switch (schema["type"]) {
      case "string":
        return ofString(schema)
      case "integer":
      case "number":
        return ofNumber(schema, schema["type"] === "integer")
      case "boolean":
        return fc.boolean()
      case "array": {
        const items = schema["items"]
        const minLength = numberIn(schema, "minItems") ?? 0
        return Predicate.isObject(items)
          ? fc.array(of(Object.fromEntries(Object.entries(items))), { minLength, maxLength: minLength + 4 })
          : fc.array(fc.jsonValue({ maxDepth: 1 }), { minLength, maxLength: minLength + 2 })
      }
      case "object":
        return ofObject(schema)
      default:
        return fc.jsonValue({ maxDepth: 2 })
    }
  }

  return { of, ofField }
}

type Path = ReadonlyArray<string>

const pathsIn = (value: unknown, path: Path = []): ReadonlyArray<Path> =>
  Predicate.isObjectOrArray(value)
    ? [path, ...Object.entries(value).flatMap(([name, part]) => pathsIn(part, [...path, name]))]
    : [path]

const removed = Symbol("removed")

const changed = (value: unknown, [first, ...rest]: Path, to: unknown): unknown => {
  if (first === undefined) return to
  if (!Predicate.isObjectOrArray(value)) return value
  const part = changed(Reflect.get(value, first), rest, to)
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === first ? part : item))
  // Entries, so that a member `__proto__` stays one.
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, kept]) =>
      name !== first ? [[name, kept]] : part === removed ? [] : [[name, part]]
    )
  )
}

/** Valid values in which one place was replaced by something nasty, or taken out, or added. */
export const brokenOf = (valid: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc
    .record({
      value: valid,
      place: fc.nat(10_000),
      nasty: nastyValue,
      how: fc.constantFrom("replace", "replace", "remove", "add")
    })
    .map(({ how, nasty, place, value }) => {
      const paths = pathsIn(value)
      const path = paths[place % paths.length] ?? []
      if (how === "remove" && path.length > 0) return changed(value, path, removed)
      if (how === "add" && Predicate.isObject(value))
        return Object.assign({}, value, { [`extra${place % 3}`]: nasty })
      return changed(value, path, nasty)
    })
