import { Predicate, type JsonSchema } from "effect"
import type { Ajv2020 } from "ajv/dist/2020.js"
import { isList } from "../types/Values.ts"
import { defined } from "../../src/support/Defined.ts"

/**
 * How many operations the comparison of a value with a schema may take, about a tenth of a microsecond each: enough for
 * 25,000 rows of 20 columns that may be null.
 */
const mostOperations = 4_000_000

/** How many operations a second comparison may take, which finds everything that is wrong: each error is an object. */
export const operationsForAllErrors = 30_000

/** What one comparison has left. */
export interface Comparison {
  left: number
}

/** A value and a schema that together take too long: many alternatives for many items, or references that multiply. */
export class TooManyOperations extends Error {}

/** The message for such a value. */
export const tooManyOperations = `takes more than ${mostOperations} operations to compare with its schema; use fewer alternatives, references and patterns`

/** Starts a comparison. */
export const startComparison = (comparison: Comparison, most = mostOperations): void => {
  comparison.left = most
}

/** Takes operations from a comparison, and ends it when none are left. */
export const spendOperations = (comparison: Comparison, operations: number): void => {
  comparison.left -= operations
  if (comparison.left < 0) throw new TooManyOperations(tooManyOperations)
}

const counted = "x-docflow-counted"

/** Keywords whose values are data, not schemas. */
const data = new Set(["const", "default", "dependentRequired", "enum", "examples", "required"])
/** Keywords whose values are objects of schemas by name. */
const named = new Set([
  "$defs",
  "definitions",
  "dependencies",
  "dependentSchemas",
  "patternProperties",
  "properties"
])
const alternatives = new Set(["anyOf", "oneOf"])
/** Keywords that look at every name of an object. */
const ofNames = new Set([
  "additionalProperties",
  "maxProperties",
  "minProperties",
  "patternProperties",
  "propertyNames",
  "unevaluatedProperties"
])

/** What one comparison with a schema takes, its parts aside. */
interface Cost {
  readonly each: number
  readonly perName: number
  readonly perCharacter: number
}

/** How many values there are in some data. */
const valuesIn = (value: unknown): number =>
  Predicate.isObjectOrArray(value)
    ? Object.values(value).reduce<number>((total, part) => total + valuesIn(part), 1)
    : 1

const costOf = (schema: JsonSchema.JsonSchema, rank: number): Cost => {
  const keywords = Object.entries(schema)
  const listed = keywords.reduce(
    (total, [keyword, value]) =>
      keyword === "examples"
        ? total
        : data.has(keyword)
          ? total + valuesIn(value)
          : named.has(keyword) && Predicate.isObject(value)
            ? total + Object.keys(value).length
            : total,
    0
  )
  const looksAtNames = keywords.some(([keyword]) => ofNames.has(keyword))
  return {
    // An alternative comes after one that did not fit, whose errors are kept until another one fits.
    each: 1 + listed / 10 + (rank === 0 ? 0 : rank === 1 ? 2 : 8),
    perName: looksAtNames ? (1 + listed / 16) / 8 : 0,
    perCharacter: "minLength" in schema || "maxLength" in schema ? 1 / 16 : 1 / 256
  }
}

/** A schema whose every part counts when a value is compared with it; for a validator with `countOperations`. */
export const withCounts = (schema: JsonSchema.JsonSchema, rank = 0): JsonSchema.JsonSchema => {
  const parts = Object.entries(schema).map(([keyword, value]): readonly [string, unknown] => {
    if (data.has(keyword)) return [keyword, value]
    if (alternatives.has(keyword) && isList(value)) return [keyword, value.map(ofAny)]
    if (!named.has(keyword) || !Predicate.isObject(value)) return [keyword, ofAny(value)]
    return [keyword, Object.fromEntries(Object.entries(value).map(([name, part]) => [name, ofAny(part)]))]
  })
  return { ...withTupleApart(Object.fromEntries(parts)), [counted]: costOf(schema, rank) }
}

/** Ajv does not look at `contains` after `prefixItems` where an array has fewer items, unless it looks for all errors. */
const withTupleApart = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  if (!("prefixItems" in schema && "contains" in schema)) return schema
  const { allOf, contains, maxContains, minContains, ...others } = schema
  const apart = { contains, ...defined({ maxContains, minContains }) }
  return { ...others, allOf: [...(isList(allOf) ? allOf : []), apart] }
}

const ofAny = (value: unknown, rank = 0): unknown => {
  if (isList(value)) return value.map((part) => ofAny(part))
  return Predicate.isObject(value) ? withCounts({ ...value }, rank) : value
}

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** Whether a reference leads into data: on its way from keyword to keyword, not by the name of a property. */
const leadsToData = (reference: string): boolean => {
  let isName = false
  const [, pointer = ""] = reference.split("#")
  for (const part of pointer.split("/").slice(1)) {
    const keyword = decoded(part)
    if (!isName && data.has(keyword)) return true
    isName = !isName && named.has(keyword)
  }
  return false
}

/** Whether a reference leads into data, where nothing would be counted. */
export const refersToData = (schema: unknown): boolean => {
  if (isList(schema)) return schema.some(refersToData)
  if (!Predicate.isObject(schema)) return false
  return Object.entries(schema).some(([keyword, value]) =>
    keyword === "$ref" && typeof value === "string" ? leadsToData(value) : refersToData(value)
  )
}

const spendOn = (comparison: Comparison, { each, perCharacter, perName }: Cost, value: unknown): true => {
  const size =
    typeof value === "string"
      ? perCharacter * value.length
      : perName > 0 && Predicate.isObject(value)
        ? perName * Object.keys(value).length
        : 0
  spendOperations(comparison, each + size)
  return true
}

/** Lets a validator count: first of all keywords, since those after one that does not fit are not looked at. */
export const countOperations = (ajv: Ajv2020, comparison: Comparison): Ajv2020 => {
  ajv.addKeyword({
    keyword: counted,
    errors: false,
    validate: (cost: Cost, value: unknown) => spendOn(comparison, cost, value)
  })
  const isCounted = ({ keyword }: { readonly keyword: string }) => keyword === counted
  const { rules } = ajv.RULES
  const own = rules.flatMap((group) => group.rules).filter(isCounted)
  for (const group of rules) group.rules = group.rules.filter((rule) => !isCounted(rule))
  rules.unshift({ rules: own })
  return ajv
}
