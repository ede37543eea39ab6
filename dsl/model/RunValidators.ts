import { Predicate, Result } from "effect"
import type { ErrorObject } from "ajv/dist/2020.js"
import { type CompareWithSchema, compileJsonSchema, pointerParts, reason } from "./Ajv.ts"
import { formatPath, type Path } from "../source/Problem.ts"
import { isList } from "../types/Values.ts"

/** Says where and how an output violates its schema; undefined if it is valid. */
export type FindOutputProblem = (output: unknown) => string | undefined

/**
 * Makes the validator of a flow's output from `output.schema`. The checker has verified the types; patterns, ranges and
 * formats remain, and a schema without any needs no validation. Names in the path that are not in the schema may come
 * from a document, and are left out. The schema is compiled on first use, because most checks are not followed by a
 * run.
 */
export const outputValidator = (schema: { readonly [keyword: string]: unknown }): FindOutputProblem => {
  if (isSettled(schema)) return () => undefined
  let compare: CompareWithSchema | undefined
  const known = namesIn(schema)
  return (output) => {
    compare ??= Result.getOrUndefined(compileJsonSchema(schema, { useDefaults: false }))
    const [error] = compare?.(output) ?? []
    return error === undefined ? undefined : describe(error, known)
  }
}

/** Keywords that say nothing beyond the type of a value, or nothing about the value at all. */
const ofTypes = new Set(
  `type properties required items additionalProperties anyOf const title description examples deprecated default
  $schema $comment`.split(/\s+/u)
)

const isSettled = (schema: unknown): boolean => {
  if (!Predicate.isObject(schema)) return true
  return Object.entries(schema).every(([keyword, value]) => {
    if (keyword === "enum")
      return isList(value) && value.every((one) => one === null || typeof one !== "object")
    if (!ofTypes.has(keyword)) return keyword.startsWith("x-")
    if (keyword === "properties") return Predicate.isObject(value) && Object.values(value).every(isSettled)
    if (keyword === "items" || keyword === "additionalProperties") return isSettled(value)
    if (keyword === "anyOf") return isList(value) && value.every(isSettled)
    return keyword !== "const" || value === null || typeof value !== "object"
  })
}

const describe = (error: ErrorObject, known: ReadonlySet<string>): string => {
  const path = pointerParts(error.instancePath).map((part): string | number =>
    /^(?:0|[1-9]\d*)$/u.test(part) ? Number(part) : known.has(part) ? part : "…"
  )
  return `${formatPath(["output", ...path] satisfies Path)} ${reason(error)}`
}

/** Every key that occurs in a schema. */
const namesIn = (schema: unknown, found: Set<string> = new Set()): ReadonlySet<string> => {
  if (isList(schema)) for (const item of schema) namesIn(item, found)
  else if (Predicate.isObject(schema))
    for (const [name, value] of Object.entries(schema)) namesIn(value, found.add(name))
  return found
}

/** A problem with one variable of a run. */
export interface VariableProblem {
  /** Its path in the request, such as `input.variables.dateOrder`. */
  readonly field: string
  readonly reason: string
  /** Whether it is required and absent. */
  readonly missing: boolean
}

/** Validates the variables of a run; returns them with the defaults of the flow filled in. */
export type ValidateVariables = (
  value: unknown
) => Result.Result<{ readonly [name: string]: unknown }, ReadonlyArray<VariableProblem>>

const mostProblems = 50

/**
 * Makes the validator of a run's variables from the compiled schema of a flow; without a schema, it accepts everything.
 */
export const variablesValidator =
  (compare: CompareWithSchema | undefined): ValidateVariables =>
  (value) => {
    const given = value ?? {}
    if (!Predicate.isObject(given) || isList(given)) {
      return Result.fail([{ field: "input.variables", reason: "must be an object", missing: false }])
    }
    // Defaults are written into the value, and the caller's value must not change.
    const filled: { [name: string]: unknown } = { ...copyObject(given) }
    const errors = compare === undefined ? [] : compare(filled)
    return errors.length === 0
      ? Result.succeed(filled)
      : Result.fail(errors.slice(0, mostProblems).map(variableProblem))
  }

const variableProblem = (error: ErrorObject): VariableProblem => {
  const path = ["input", "variables", ...pointerParts(error.instancePath).map(toPart)]
  const absent: unknown = error.params["missingProperty"]
  if (error.keyword === "required" && typeof absent === "string") {
    return { field: formatPath([...path, absent]), reason: "is required", missing: true }
  }
  const extra: unknown = error.params["additionalProperty"] ?? error.params["unevaluatedProperty"]
  if (typeof extra === "string") {
    return { field: formatPath([...path, extra]), reason: "is not a variable of this flow", missing: false }
  }
  return { field: formatPath(path), reason: reason(error), missing: false }
}

const toPart = (part: string): string | number => (/^(?:0|[1-9]\d*)$/u.test(part) ? Number(part) : part)

const copy = (value: unknown): unknown => {
  if (isList(value)) return value.map(copy)
  return Predicate.isObject(value) ? copyObject(value) : value
}

const copyObject = (value: object): { readonly [name: string]: unknown } =>
  Object.fromEntries(Object.entries(value).map(([name, field]) => [name, copy(field)]))
