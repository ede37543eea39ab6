import { Effect, Predicate, Result } from "effect"
import { spentByStep } from "../../../dsl/expression/EvaluationErrors.ts"
import { expressionBudget, type Scope } from "../../../dsl/expression/Scope.ts"
import { isList, stepOperations } from "../../../dsl/types/Values.ts"
import type { FlowFailure } from "./FlowFailure.ts"
import { ExecutionFailed } from "../../domain/Errors.ts"
import type { ExecutionBudget } from "./ExecutionBudget.ts"
import type { RunnableFlow } from "./FlowCatalog.ts"

/** The output of a flow after its last step, a valid object; `step` is the one that fails if it is not. */
export const outputOf = (
  flow: RunnableFlow,
  after: Scope,
  step: string,
  budget: ExecutionBudget
): Effect.Effect<unknown, FlowFailure> => {
  const output = inOneTurn(flow.output, after)
  const failed = (message: string) => new ExecutionFailed({ message, step })
  if (Result.isFailure(output)) return failed(output.failure.message)
  if (!Predicate.isObject(output.success)) {
    const found = isList(output.success)
      ? "an array"
      : output.success === null
        ? "null"
        : `a ${typeof output.success}`
    return failed(`output.value must be an object, not ${found}.`)
  }
  const fits = budget.fits(output.success)
  if (Result.isFailure(fits)) return failed(fits.failure.message)
  const problem = flow.findOutputProblem(output.success)
  return problem === undefined
    ? Effect.succeed(output.success)
    : failed(`The output does not match output.schema: ${problem}`)
}

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
