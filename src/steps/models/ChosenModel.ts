import { Effect } from "effect"
import type { StepContext } from "../../../dsl/model/StepKind.ts"
import { Llm, type LlmFailure, type LlmModel } from "../../providers/llm/Llm.ts"
import { defined } from "../../support/Defined.ts"

/** The model that a step names, or the first one; fails with `not-configured` where there is none. */
export const chosenModel = (
  model: string | undefined,
  { environment }: StepContext
): Effect.Effect<LlmModel, LlmFailure, Llm> =>
  Effect.flatMap(Llm, (llm) => llm.choose({ environment, ...defined({ model }) }))

/** The same for a step that can continue without a model: undefined if none is set. */
export const modelIfSet = (
  model: string | undefined,
  context: StepContext
): Effect.Effect<LlmModel | undefined, LlmFailure, Llm> =>
  chosenModel(model, context).pipe(
    Effect.catch((failure) =>
      failure.reason === "not-configured" ? Effect.succeed(undefined) : Effect.fail(failure)
    )
  )
