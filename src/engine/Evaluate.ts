import { Effect, type Result } from "effect"
import { FlowFailure } from "./FlowFailure.ts"

/** What an expression gives, or the failure of the step at `path`. */
export const evaluate = <A>(
  result: Result.Result<A, { readonly message: string }>,
  path: string
): Effect.Effect<A, FlowFailure> =>
  Effect.mapError(
    Effect.fromResult(result),
    ({ message }) => new FlowFailure({ code: "EXECUTION_FAILED", message, step: path })
  )
