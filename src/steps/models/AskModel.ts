import { Effect } from "effect"
import type { LlmFailure, LlmModel, LlmRequest } from "../../providers/llm/Llm.ts"

/** An answer, the tokens of its request together with it, and the model that answered. */
export interface Answered {
  readonly value: unknown
  readonly tokensUsed: number
  readonly model: string
}

/** Asks a model. */
export const askModel = (model: LlmModel, request: LlmRequest): Effect.Effect<Answered, LlmFailure> =>
  Effect.map(model.ask(request), ({ inputTokens, model: other, outputTokens, value }) => ({
    value,
    tokensUsed: inputTokens + outputTokens,
    model: other ?? model.name
  }))

/** The tokens of several answers. */
export const tokensOfAll = (answers: ReadonlyArray<Pick<Answered, "tokensUsed">>): number =>
  answers.reduce((sum, { tokensUsed }) => sum + tokensUsed, 0)
