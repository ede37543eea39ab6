import { Predicate, type JsonSchema } from "effect"
import type { Ajv2020 } from "ajv/dist/2020.js"
import { isList } from "../types/Values.ts"

/** How many subschemas one value may be compared with: that many take about a tenth of a second. */
const mostComparisons = 200_000

/** Counts the subschemas that one validation meets. */
export interface Comparisons {
  left: number
}

/** A value and a schema that together take too long: many alternatives for many items, or references that multiply. */
export class TooManyComparisons extends Error {}

/** What such a value is told. */
export const tooManyComparisons = `takes more than ${mostComparisons} comparisons with its schema`

/** Gives a validation its full count. */
export const startCounting = (comparisons: Comparisons): void => {
  comparisons.left = mostComparisons
}

const counted = "x-docflow-counted"

/** Keywords whose values are data and no schemas. */
const data = new Set(["const", "default", "enum", "examples"])
/** Keywords whose values are objects of schemas by name. */
const named = new Set(["$defs", "definitions", "dependentSchemas", "patternProperties", "properties"])

/** A schema whose every part is counted when a value is compared with it; for a validator with `countComparisons`. */
export const withCounts = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const parts = Object.entries(schema).map(([keyword, value]): readonly [string, unknown] => {
    if (data.has(keyword)) return [keyword, value]
    if (!named.has(keyword) || !Predicate.isObject(value)) return [keyword, ofAny(value)]
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, ofAny(part)]))]
  })
  return { ...Object.fromEntries(parts), [counted]: true }
}

const ofAny = (value: unknown): unknown => {
  if (isList(value)) return value.map(ofAny)
  return Predicate.isObject(value) ? withCounts({ ...value }) : value
}

/** Whether a reference leads into data, whose comparisons would not be counted. */
export const refersToData = (schema: unknown): boolean => {
  if (isList(schema)) return schema.some(refersToData)
  if (!Predicate.isObject(schema)) return false
  return Object.entries(schema).some(([keyword, value]) =>
    keyword === "$ref" && typeof value === "string"
      ? value.split("/").some((part, index, parts) => data.has(part) && !named.has(parts[index - 1] ?? ""))
      : refersToData(value)
  )
}

/** Lets a validator count. */
export const countComparisons = (ajv: Ajv2020, comparisons: Comparisons): Ajv2020 =>
  ajv.addKeyword({
    keyword: counted,
    before: "allOf",
    schema: false,
    errors: false,
    validate: () => {
      comparisons.left -= 1
      if (comparisons.left < 0) throw new TooManyComparisons(tooManyComparisons)
      return true
    }
  })
