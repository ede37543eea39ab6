import type { Budget } from "../types/Values.ts"

/** The key of the budget that all expressions of an execution share; a symbol, so that no expression can name it. */
export const expressionBudget = Symbol("docflow/expressionBudget")

/** A budget that several expressions share. */
export interface SharedBudget extends Budget {
  /** The message of the expression that finds it used up. */
  readonly spent: string
}

/**
 * The values that expressions see while a flow runs. A step that was skipped or that failed with `onError: continue` is
 * null in `steps`.
 */
export interface Scope {
  readonly input: unknown
  readonly variables: unknown
  readonly steps: { readonly [id: string]: unknown }
  /** Inside a loop, the current element under its name, and `index`; in the steps of an `onError`, `error`. */
  readonly [name: string]: unknown
  /** If omitted, each expression has only its own limit. */
  readonly [expressionBudget]?: SharedBudget | undefined
}
