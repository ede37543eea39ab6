import { Effect, Predicate, Result } from "effect"
import type { Scope } from "../../../dsl/expression/Scope.ts"
import { isList } from "../../../dsl/types/Values.ts"
import { inOneTurn } from "./Evaluate.ts"
import type { ExecutionBudget } from "./ExecutionBudget.ts"
import type { RunnableFlow } from "./FlowCatalog.ts"
import type { FlowFailure } from "./FlowFailure.ts"
import { ExecutionFailed } from "../../domain/Errors.ts"

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
