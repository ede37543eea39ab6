import { Effect } from "effect"
import type { StepContext } from "../../../dsl/StepKind.ts"
import { Llm, type LlmFailure, type LlmModel } from "../../providers/Llm.ts"

/** The model that a step names, or the first one; fails with `not-configured` where there is none. */
export const chosenModel = (
  model: string | undefined,
  { environment }: StepContext
): Effect.Effect<LlmModel, LlmFailure, Llm> =>
  Effect.flatMap(Llm, (llm) => llm.choose({ environment, ...(model === undefined ? {} : { model }) }))
