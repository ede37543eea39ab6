import { Effect } from "effect"
import type { LlmModel } from "../../../providers/Llm.ts"
import { type Chunk, chunksOf } from "../../Models/Chunks.ts"
import { roomFor } from "../../Models/Room.ts"
import { estimateTokens } from "../../Models/Tokens.ts"
import type { Field } from "../Field.ts"
import type { Ink } from "../Grounding/Ink.ts"
import type { SourceRequest } from "../Source.ts"
import { answerSchema, longestAnswer } from "./AnswerSchema.ts"
import { candidatesOf, candidatesText } from "./Candidates.ts"
import { instructionsFor } from "./Instructions.ts"

/** What a model answered about some pages. */
export interface ChunkAnswer {
  readonly value: unknown
  readonly pageNumbers: ReadonlyArray<number>
  readonly tokens: number
}

/** Providers have limits of their own: this one only bounds what one execution asks at a time. */
const atOnce = 4

/**
 * Asks a model for fields: one request for as many pages as it can be shown at once, with what was read before. Answers
 * come in the order of the pages; none for a document without text. Reports progress after each.
 */
export const ask = Effect.fnUntraced(function* (
  model: LlmModel,
  request: SourceRequest,
  ink: Ink,
  fields: ReadonlyArray<Field>
) {
  const shape = {
    instructions: instructionsFor(fields),
    schema: answerSchema(fields),
    maxTokens: longestAnswer(fields, model.contextTokens)
  }
  const candidates = yield* candidatesOf(ink, fields, request.found)
  const room = yield* roomFor(model, shape)
  const chunks = chunksOf(request.document, Math.max(1, room - estimateTokens(candidatesText(candidates))))
  let answered = 0
  const one = Effect.fnUntraced(function* ({ text, pageNumbers }: Chunk) {
    const before = candidatesText(candidates, pageNumbers)
    const content = before === "" ? text : `${text}\n${before}`
    const answer = yield* model.ask({ ...shape, content: [{ type: "text", text: content }] })
    answered++
    yield* request.context.progress(answered / chunks.length)
    const { value, inputTokens, outputTokens } = answer
    return { value, pageNumbers, tokens: inputTokens + outputTokens } satisfies ChunkAnswer
  })
  return yield* Effect.forEach(chunks, one, { concurrency: atOnce })
})
