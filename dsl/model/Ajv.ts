import { Result } from "effect"
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js"
import { RE2JS } from "re2js"
import { isDateTime, isDay } from "../../src/support/CalendarDates.ts"
import {
  type Comparison,
  countOperations,
  operationsForAllErrors,
  refersToData,
  spendOperations,
  startComparison,
  tooManyOperations,
  withCounts
} from "./BoundedSchema.ts"
import { canonicalJson } from "../../src/support/CanonicalJson.ts"

// Patterns come from flows and run on what callers send: RE2 takes linear time. Ajv tells compiled patterns apart by `toString`.
const regExp = (comparison: Comparison) =>
  Object.assign(
    (pattern: string) => ({ test: matcher(pattern, comparison), toString: () => `re2 ${pattern}` }),
    { code: "re2" }
  )

const matcher = (pattern: string, comparison: Comparison) => {
  const compiled = RE2JS.compile(pattern)
  return (text: string): boolean => {
    spendOperations(comparison, 4 + text.length / 2)
    return compiled.matcher(text).find()
  }
}

/** Compares a value with a schema; returns what is wrong with it, in places and words, and nothing if it fits. */
export type CompareWithSchema = (value: unknown) => ReadonlyArray<ErrorObject>

interface AjvOptions {
  readonly allErrors: boolean
  readonly comparison: Comparison
  readonly useDefaults: boolean
}

const makeAjv = ({ allErrors, comparison, useDefaults }: AjvOptions) =>
  new Ajv2020({
    allErrors,
    useDefaults,
    strict: false,
    logger: false,
    // `metaSchema` does it, and is compiled once.
    validateSchema: false,
    code: { regExp: regExp(comparison) },
    formats: { date: isDay, "date-time": isDateTime }
  })
    // Ajv's own keyword compares every item with every other one: 20,000 arrays take seconds.
    .removeKeyword("uniqueItems")
    .addKeyword({
      keyword: "uniqueItems",
      type: "array",
      schemaType: "boolean",
      validate: (wanted: boolean, items: ReadonlyArray<unknown>) =>
        !wanted ||
        new Set(items.map((item) => spentOn(comparison, canonicalJson(item)))).size === items.length,
      error: { message: "must NOT have duplicate items" }
    })

/** Takes what writing a value out takes. */
const spentOn = (comparison: Comparison, written: string): string => {
  spendOperations(comparison, 4 + written.length / 16)
  return written
}

/** Tests whether a JSON Schema is valid. Compiling the meta-schema takes longer than compiling most schemas. */
const metaSchema = makeAjv({ allErrors: true, comparison: { left: Infinity }, useDefaults: false })

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
      {
        path: [],
        message: "A $ref must lead to a schema, not into data such as const, default, enum or required."
      }
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

/** A value that fits makes no errors; one that does not is compared again for all of them, unless they are too many. */
const comparing = (
  schema: { readonly [keyword: string]: unknown },
  useDefaults: boolean
): CompareWithSchema => {
  const comparison: Comparison = { left: 0 }
  const counting = withCounts(schema)
  const validatorOf = (allErrors: boolean) =>
    countOperations(makeAjv({ allErrors, comparison, useDefaults }), comparison).compile(counting)
  const first = validatorOf(false)
  let all: typeof first | undefined
  return (value) => {
    startComparison(comparison)
    const errors = errorsOf(first, value) ?? [tooLong]
    if (errors.length === 0 || errors[0] === tooLong) return errors
    startComparison(comparison, operationsForAllErrors)
    return errorsOf((all ??= validatorOf(true)), value) ?? errors
  }
}

/** The errors of a value; undefined after too many operations, or where references are so deep that they fill the stack. */
const errorsOf = (validate: ValidateFunction, value: unknown): ReadonlyArray<ErrorObject> | undefined => {
  const fits = Result.try(() => validate(value))
  const errors = Result.isSuccess(fits) ? (validate.errors ?? []) : undefined
  validate.errors = null
  return errors
}

const tooLong: ErrorObject = {
  instancePath: "",
  schemaPath: "",
  keyword: "",
  params: {},
  message: tooManyOperations
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
