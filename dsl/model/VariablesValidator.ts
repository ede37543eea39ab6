import { Predicate, Result } from "effect"
import type { ErrorObject } from "ajv/dist/2020.js"
import { type CompareWithSchema, pointerParts, reason } from "./Ajv.ts"
import { formatPath } from "../source/Problem.ts"
import { isList } from "../types/Values.ts"

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
