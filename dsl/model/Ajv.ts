import { Result } from "effect"
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js"
import { RE2JS } from "re2js"
import {
  type Comparisons,
  countComparisons,
  refersToData,
  startCounting,
  tooManyComparisons,
  withCounts
} from "./BoundedSchema.ts"
import { canonicalJson } from "../../src/domain/CanonicalJson.ts"

// Patterns come from flows and run on what callers send: RE2 takes linear time. Ajv tells compiled patterns apart by `toString`.
const regExp = Object.assign(
  (pattern: string) => ({ test: matcher(pattern), toString: () => `re2 ${pattern}` }),
  { code: "re2" }
)

const matcher = (pattern: string) => {
  const compiled = RE2JS.compile(pattern)
  return (text: string): boolean => compiled.matcher(text).find()
}

const date = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/u
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/u

/** Compares a value with a schema; returns what is wrong with it, in places and words, and nothing if it fits. */
export type CompareWithSchema = (value: unknown) => ReadonlyArray<ErrorObject>

const makeAjv = (useDefaults: boolean) =>
  new Ajv2020({
    allErrors: true,
    useDefaults,
    strict: false,
    logger: false,
    // `metaSchema` does it, once compiled for all.
    validateSchema: false,
    code: { regExp },
    formats: { date, "date-time": dateTime }
  })
    // Ajv's own compares every item with every other one: 20,000 lists take seconds.
    .removeKeyword("uniqueItems")
    .addKeyword({
      keyword: "uniqueItems",
      type: "array",
      schemaType: "boolean",
      validate: (wanted: boolean, items: ReadonlyArray<unknown>) =>
        !wanted || new Set(items.map(canonicalJson)).size === items.length,
      error: { message: "must NOT have duplicate items" }
    })

/** Says whether a JSON Schema is one. Compiling the schema of schemas takes longer than compiling most schemas. */
const metaSchema = makeAjv(false)

/** What is wrong inside a JSON Schema itself: where, as keys and indices, and how. */
export interface JsonSchemaProblem {
  readonly path: ReadonlyArray<string>
  readonly message: string
}

/**
 * Compiles a JSON Schema (draft 2020-12); unless told otherwise the function fills in defaults inside the value that it is given.
 * A comparison that takes too long ends as a value that does not fit.
 */
export const compileJsonSchema = (
  schema: { readonly [keyword: string]: unknown },
  { useDefaults = true }: { readonly useDefaults?: boolean } = {}
): Result.Result<CompareWithSchema, ReadonlyArray<JsonSchemaProblem>> => {
  const valid = Result.try(() => metaSchema.validateSchema(schema) === true)
  if (Result.isFailure(valid) || !valid.success) {
    const problems = Result.isFailure(valid) ? [] : (metaSchema.errors ?? []).map(schemaProblem)
    return Result.fail(
      problems.length > 0 ? unique(problems) : [{ path: [], message: "Invalid JSON Schema." }]
    )
  }
  if (refersToData(schema)) {
    return Result.fail([
      { path: [], message: "A $ref must lead to a schema, not into const, default, enum or examples." }
    ])
  }
  return Result.try({
    try: () => comparing(schema, useDefaults),
    catch: (cause) => [
      {
        path: [],
        message: `Unsupported JSON Schema: ${cause instanceof Error ? cause.message : String(cause)}.`
      }
    ]
  })
}

const comparing = (
  schema: { readonly [keyword: string]: unknown },
  useDefaults: boolean
): CompareWithSchema => {
  const comparisons: Comparisons = { left: 0 }
  const validate = countComparisons(makeAjv(useDefaults), comparisons).compile(withCounts(schema))
  return (value) => {
    startCounting(comparisons)
    // Too many comparisons, or references so deep that they fill the stack.
    const fits = Result.try(() => validate(value))
    const errors = Result.isSuccess(fits) ? (validate.errors ?? []) : [tooLong]
    validate.errors = null
    return errors
  }
}

const tooLong: ErrorObject = {
  instancePath: "",
  schemaPath: "",
  keyword: "",
  params: {},
  message: tooManyComparisons
}

const schemaProblem = (error: ErrorObject): JsonSchemaProblem => ({
  path: pointerParts(error.instancePath),
  message: `Invalid JSON Schema: ${reason(error)}.`
})

/** Says what ajv found, with the values that are allowed. */
export const reason = (error: ErrorObject): string => {
  const message = error.message ?? "it does not fit"
  const allowed: unknown = error.params["allowedValues"]
  return Array.isArray(allowed)
    ? `must be one of ${allowed.map((value) => JSON.stringify(value)).join(", ")}`
    : message
}

/** The keys and indices of a JSON pointer. */
export const pointerParts = (pointer: string): ReadonlyArray<string> =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))

const unique = (problems: ReadonlyArray<JsonSchemaProblem>): ReadonlyArray<JsonSchemaProblem> => {
  const seen = new Set<string>()
  return problems.filter(({ path }) => {
    const key = path.join("/")
    return !seen.has(key) && seen.add(key)
  })
}
