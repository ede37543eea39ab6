import { Effect, type Result } from "effect"
import { spentByStep } from "../../../dsl/expression/EvaluationErrors.ts"
import { expressionBudget, type Scope } from "../../../dsl/expression/Scope.ts"
import { stepOperations } from "../../../dsl/types/Values.ts"
import type { FlowFailure } from "./FlowFailure.ts"
import { ExecutionFailed } from "../../domain/Errors.ts"

/** The value of an expression, or the failure of the step at `path`. */
export const evaluate = <A>(
  result: Result.Result<A, { readonly message: string }>,
  path: string
): Effect.Effect<A, FlowFailure> =>
  Effect.mapError(Effect.fromResult(result), ({ message }) => new ExecutionFailed({ message, step: path }))

/**
 * Computes related expressions, such as the configuration of a step, within the budget of a step: nothing else happens
 * in the process meanwhile.
 */
export const inOneTurn = <A>(compute: (scope: Scope) => A, scope: Scope): A => {
  const all = scope[expressionBudget]
  if (all === undefined) return compute(scope)
  const own =
    all.left < stepOperations
      ? { left: all.left, spent: all.spent }
      : { left: stepOperations, spent: spentByStep }
  const most = own.left
  const result = compute({ ...scope, [expressionBudget]: own })
  all.left -= most - own.left
  return result
}
