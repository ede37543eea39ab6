import { Effect } from "effect"
import { LlmFailure, type LlmModel, type LlmRequest } from "../../providers/llm/Llm.ts"
import { requestTokens } from "../../providers/llm/Tokens.ts"

const least = 100

/**
 * The number of tokens of a document that fit into a request with its instructions, its schema, other content and the longest
 * answer.
 * Fails with `too-long` if nothing fits.
 */
export const roomFor = (
  model: LlmModel,
  request: Pick<LlmRequest, "instructions" | "schema" | "maxTokens"> & Partial<Pick<LlmRequest, "content">>
): Effect.Effect<number, LlmFailure> => {
  const room = model.contextTokens - requestTokens({ content: [], ...request }) - request.maxTokens
  return room >= least
    ? Effect.succeed(room)
    : Effect.fail(
        new LlmFailure({
          reason: "too-long",
          message: `The model ${model.name} has a context of ${model.contextTokens} tokens, and the request leaves none for the document. Shorten the request, or use a model with a longer context.`
        })
      )
}
