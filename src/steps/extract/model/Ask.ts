import { Effect } from "effect"
import type { LlmFailure, LlmModel } from "../../../providers/llm/Llm.ts"
import { type Answered, askModel } from "../../models/AskModel.ts"
import { chunksOf, halvesOf } from "../../models/Chunks.ts"
import { pageLayout } from "../../models/PageLayout.ts"
import { noPictures, pagePictures } from "../../models/PagePictures.ts"
import { roomFor } from "../../models/Room.ts"
import { type Shown, showChunk } from "../../models/ShowChunk.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import type { Reading } from "../../../extraction/layout/Reading.ts"
import type { SourceRequest } from "../ExtractSource.ts"
import { answerBudget, answerSchema, groupsOf } from "./AnswerSchema.ts"
import { instructionsFor } from "./Instructions.ts"

/** A model's answer about some pages. */
export interface ChunkAnswer extends Answered, Pick<Shown, "pageNumbers" | "pictured"> {
  /** Whether the pages were asked about in an earlier pass. */
  readonly again: boolean
}

/** Providers have limits of their own: this one only bounds what one execution asks at a time. */
const atOnce = 4

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

/** How much longer an answer may be that was cut off although it has no rows. */
const longer = 4

/** The shortest parts of further passes, in tokens, and what comes with a picture. */
const shortest = 200
const aroundPicture = 20

/**
 * Asks a model for fields: in parts that fit into a request and whose answers fit into one. A part that is longer than
 * planned, or whose answer is cut off, is asked about in halves. Further passes ask for tables alone. Pages go as pictures where the step wants that and the
 * model sees. Answers come in the order of the pages; none for a document without anything to show. Reports progress.
 */
export const ask = Effect.fnUntraced(function* (
  model: LlmModel,
  request: SourceRequest,
  reading: Reading,
  asked: ReadonlyArray<Field>,
  examples: string
) {
  const wanted = model.seesPictures ? request.pictures : undefined
  const pictures =
    wanted === undefined
      ? noPictures
      : yield* pagePictures(request.document, wanted, request.context.executionId)
  const lines = request.document.pages.flatMap(pageLayout)
  const shownBefore = examples === "" ? [] : [{ type: "text" as const, text: examples }]
  let done = 0
  let planned = 0

  const partsOf = Effect.fnUntraced(function* (fields: ReadonlyArray<Field>, pass: number) {
    const { maxTokens, rows } = answerBudget(fields, model, lines)
    const shape = {
      instructions: instructionsFor(fields, reading, wanted?.of, examples !== ""),
      schema: answerSchema(fields),
      maxTokens
    }
    const inParts = (room: number) => chunksOf(request.document, room, pictures.tokens, rows)
    const whole = inParts(yield* roomFor(model, { ...shape, content: shownBefore }))
    // In shorter parts a model overlooks fewer rows. One of them still has room for a picture.
    const longest = Math.max(...whole.map(({ tokens }) => tokens)) / 2 ** (pass - 1)
    const least = Math.max(shortest, ...[...pictures.tokens.values()].map((cost) => cost + aroundPicture))
    const chunks = pass === 1 ? whole : inParts(Math.max(least, Math.ceil(longest)))
    planned += chunks.length
    return chunks.map((chunk) => ({ chunk, hasRows: rows !== undefined, shape, again: pass > 1 }))
  })
  type Part = Effect.Success<ReturnType<typeof partsOf>>[number]

  const inHalves = (part: Part, failure: LlmFailure) => {
    const { chunk, hasRows, shape } = part
    if (failure.reason !== "cut-off" && failure.reason !== "too-long") return Effect.fail(failure)
    const halves = halvesOf(chunk)
    const maxTokens = Math.min(longer * shape.maxTokens, model.contextTokens - chunk.tokens)
    if (failure.reason === "cut-off" && (!hasRows || halves === undefined))
      return maxTokens <= shape.maxTokens
        ? Effect.fail(failure)
        : one({ ...part, hasRows: true, shape: { ...shape, maxTokens } })
    if (halves === undefined) return Effect.fail(failure)
    planned++
    return Effect.map(
      Effect.forEach(halves, (half) => one({ ...part, chunk: half })),
      (answers) => answers.flat()
    )
  }

  const one = (part: Part): Effect.Effect<ReadonlyArray<ChunkAnswer>, LlmFailure> =>
    Effect.gen(function* () {
      const { content, pageNumbers, pictured } = yield* showChunk(part.chunk, pictures)
      if (content.length === 0) return []
      const answer = yield* askModel(model, { ...part.shape, content: [...shownBefore, ...content] })
      return [{ ...answer, pageNumbers, pictured, again: part.again }]
    }).pipe(
      Effect.tap(() => request.context.progress(++done / Math.max(done, planned))),
      Effect.catch((failure) =>
        Effect.map(inHalves(part, failure), (answers) => {
          const [first, ...rest] = answers
          const spent = failure.tokensUsed ?? 0
          return first === undefined ? [] : [{ ...first, tokensUsed: first.tokensUsed + spent }, ...rest]
        })
      )
    )

  const tables = asked.filter(({ type }) => type === "table")
  const passes = Array.from({ length: request.passes ?? 1 }, (_, index) => index + 1)
  const planning = passes.flatMap((pass) =>
    groupsOf(pass === 1 ? asked : tables, model).map((fields) => partsOf(fields, pass))
  )
  const parts = (yield* Effect.all(planning)).flat()
  const answers = (yield* Effect.forEach(parts, one, { concurrency: atOnce })).flat()
  return { answers, warnings: unshown(pictures.tokens.keys(), pictures.problems, answers) }
}, Effect.scoped)
