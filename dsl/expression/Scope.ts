import type { Budget } from "../types/Values.ts"

/** The key of what all expressions of an execution may still do together; a symbol, so that no expression can name it. */
export const expressionBudget = Symbol("docflow/expressionBudget")

/** What several expressions may still do together. */
export interface SharedBudget extends Budget {
  /** The message of the expression that finds it used up. */
  readonly spent: string
}

/** What expressions see while a flow runs. A step that was skipped or that failed with `onError: continue` is null in `steps`. */
export interface Scope {
  readonly input: unknown
  readonly variables: unknown
  readonly steps: { readonly [id: string]: unknown }
  /** Inside a loop the element at hand under its name, and `index`; in the steps of an `onError`, `error`. */
  readonly [name: string]: unknown
  /** Without it, the limit of each expression is the only one. */
  readonly [expressionBudget]?: SharedBudget | undefined
}
