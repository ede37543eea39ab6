import { Effect } from "effect"
import { Llm, LlmFailure } from "../../../providers/Llm.ts"
import { missingOf, type SourceRequest, type SourceResult } from "../Source.ts"

/** What a model finds of the fields that are still missing. */
export const modelSource = Effect.fnUntraced(function* (request: SourceRequest) {
  const open = missingOf(request.fields, request.found)
  if (open.length === 0) {
    return { found: request.found, warnings: [], tokensUsed: 0, model: null } satisfies SourceResult
  }
  const { context, model } = request
  const llm = yield* Llm
  yield* llm.choose({ environment: context.environment, ...(model === undefined ? {} : { model }) })
  return yield* new LlmFailure({
    reason: "unavailable",
    message: `No model can look for ${open.map(({ name }) => name).join(", ")} yet.`
  })
})
