import { Effect } from "effect"
import type { LlmContent, LlmModel } from "../../../providers/llm/Llm.ts"
import { type Chunk, chunksOf } from "../../models/Chunks.ts"
import { noPictures, pagePictures } from "../../models/PagePictures.ts"
import { roomFor } from "../../models/Room.ts"
import { type Shown, showChunk } from "../../models/ShowChunk.ts"
import { estimateTokens } from "../../models/Tokens.ts"
import type { Field } from "../Field.ts"
import type { SearchableText } from "../grounding/SearchableText.ts"
import type { SourceRequest } from "../ExtractSource.ts"
import { answerSchema, longestAnswer } from "./AnswerSchema.ts"
import { candidatesOf, candidatesText } from "./ModelCandidates.ts"
import { instructionsFor } from "./Instructions.ts"

/** A model's answer about some pages. */
export interface ChunkAnswer extends Pick<Shown, "pageNumbers" | "pictured"> {
  readonly value: unknown
  readonly tokens: number
}

/** Providers have limits of their own: this one only bounds what one execution asks at a time. */
const atOnce = 4

/** What was read before goes to the end of the text. */
const withText = (content: ReadonlyArray<LlmContent>, added: string): ReadonlyArray<LlmContent> => {
  if (added === "") return content
  const last = content.at(-1)
  return last?.type === "text"
    ? [...content.slice(0, -1), { type: "text", text: `${last.text}\n${added}` }]
    : [...content, { type: "text", text: added }]
}

/** Pages that were to be shown as pictures and were not, with the reason. */
const unshown = (
  wanted: Iterable<number>,
  problems: ReadonlyMap<number, string>,
  answers: ReadonlyArray<ChunkAnswer>
): ReadonlyArray<string> => {
  const shown = new Set(answers.flatMap(({ pictured }) => pictured.map(({ pageNumber }) => pageNumber)))
  const reasons = Map.groupBy(
    [...wanted].filter((pageNumber) => !shown.has(pageNumber)),
    (pageNumber) => problems.get(pageNumber) ?? "The model's context is too short for a picture."
  )
  return [...reasons].map(
    ([reason, pages]) => `The model was shown no picture of page ${pages.join(", ")}: ${reason}`
  )
}

/**
 * Asks a model for fields: one request for as many pages as it can be shown at once, with what was read before. Pages go
 * as pictures where the step wants that and the model sees. Answers come in the order of the pages; none for a document
 * without anything to show. Reports progress after each.
 */
export const ask = Effect.fnUntraced(function* (
  model: LlmModel,
  request: SourceRequest,
  searchable: SearchableText,
  fields: ReadonlyArray<Field>
) {
  const wanted = model.seesPictures ? request.pictures : undefined
  const shape = {
    instructions: instructionsFor(fields, wanted !== undefined),
    schema: answerSchema(fields),
    maxTokens: longestAnswer(fields, model.contextTokens)
  }
  const candidates = yield* candidatesOf(searchable, fields, request.found)
  const room = yield* roomFor(model, shape)
  const pictures =
    wanted === undefined
      ? noPictures
      : yield* pagePictures(request.document, wanted, request.context.executionId)
  const left = Math.max(1, room - estimateTokens(candidatesText(candidates)))
  const chunks = chunksOf(request.document, left, pictures.tokens)
  let done = 0
  const one = Effect.fnUntraced(function* (chunk: Chunk) {
    const { content, pageNumbers, pictured } = yield* showChunk(chunk, pictures)
    const before = candidatesText(candidates, pageNumbers)
    const answer =
      content.length === 0 ? undefined : yield* model.ask({ ...shape, content: withText(content, before) })
    done++
    yield* request.context.progress(done / chunks.length)
    if (answer === undefined) return []
    const { value, inputTokens, outputTokens } = answer
    const given: ChunkAnswer = { value, pageNumbers, pictured, tokens: inputTokens + outputTokens }
    return [given]
  })
  const answers = (yield* Effect.forEach(chunks, one, { concurrency: atOnce })).flat()
  return { answers, warnings: unshown(pictures.tokens.keys(), pictures.problems, answers) }
}, Effect.scoped)
