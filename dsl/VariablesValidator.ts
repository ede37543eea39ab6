import type { Result } from "effect"

/** What is wrong with one variable of a run. */
export interface VariableProblem {
  /** Where it stands in the request, like `input.variables.dateOrder`. */
  readonly field: string
  readonly reason: string
  /** Whether it is required and absent. */
  readonly missing: boolean
}

/** Judges the variables of a run; on success, the value with the defaults of the flow filled in. */
export type ValidateVariables = (
  value: unknown
) => Result.Result<{ readonly [name: string]: unknown }, ReadonlyArray<VariableProblem>>
