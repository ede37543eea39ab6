import { Effect } from "effect"
import { LlmFailure, type LlmModel } from "../../providers/llm/Llm.ts"
import type { DocumentIR } from "../../domain/DocumentIR.ts"
import { chunksOf } from "../models/Chunks.ts"
import { quoted } from "../models/Quoted.ts"
import { roomFor } from "../models/Room.ts"
import { estimateTokens } from "../models/Tokens.ts"
import { aboutDocument, aboutPart, type Frame, joining, type Task } from "./Task.ts"

/** An answer, and its number of tokens. */
export interface Answered {
  readonly value: unknown
  readonly tokensUsed: number
  readonly model: string
}

/** Asks with a string as the content. */
export const ask = (model: LlmModel, frame: Frame, text: string): Effect.Effect<Answered, LlmFailure> =>
  Effect.map(
    model.ask({ ...frame, content: [{ type: "text", text }] }),
    ({ inputTokens, model: other, outputTokens, value }) => ({
      value,
      tokensUsed: inputTokens + outputTokens,
      model: other ?? model.name
    })
  )

const together = (answers: ReadonlyArray<Answered>): number =>
  answers.reduce((total, { tokensUsed }) => total + tokensUsed, 0)

/** An answer as the next request shows it: it may repeat what the document says, so it is marked like the document. */
const shown = ({ value }: Answered, index: number): string =>
  `Part ${index + 1}:\n${quoted(typeof value === "string" ? value : JSON.stringify(value))}\n`

/** Neighbours that fit into one request. */
const groupsOf = (answers: ReadonlyArray<Answered>, room: number): ReadonlyArray<ReadonlyArray<Answered>> => {
  const groups: Array<Array<Answered>> = []
  let left = 0
  for (const [index, answer] of answers.entries()) {
    const tokens = estimateTokens(shown(answer, index)) + 1
    const open = groups.at(-1)
    if (open === undefined || tokens > left) {
      groups.push([answer])
      left = room - tokens
    } else {
      open.push(answer)
      left -= tokens
    }
  }
  return groups
}

/** Joins answers in one request, or in several steps where there are too many of them for one. */
const join = (
  model: LlmModel,
  task: Task,
  answers: ReadonlyArray<Answered>
): Effect.Effect<Answered, LlmFailure> =>
  Effect.gen(function* () {
    const frame = joining(task)
    const groups = groupsOf(answers, yield* roomFor(model, frame))
    if (groups.length === answers.length && answers.length > 1) return yield* tooLong(model)
    const joined = yield* Effect.forEach(groups, (group) =>
      group.length === 1 && group[0] !== undefined
        ? Effect.succeed({ ...group[0], tokensUsed: 0 })
        : ask(model, frame, group.map(shown).join("\n"))
    )
    const tokensUsed = together(joined)
    const [only, ...others] = joined
    if (only !== undefined && others.length === 0) return { ...only, tokensUsed }
    const whole = yield* join(model, task, joined)
    return { ...whole, tokensUsed: tokensUsed + whole.tokensUsed }
  })

const tooLong = ({ contextTokens, name }: LlmModel): LlmFailure =>
  new LlmFailure({
    reason: "too-long",
    message: `The model ${name} has a context of ${contextTokens} tokens; the answers for the parts of the document do not fit into it. Lower maxTokens, or use a model with a longer context.`
  })

/** The parts of a document that are asked about at once. */
const atOnce = 4

/**
 * Asks a model about a document: in one request where the document fits, or else about each part of it, page by page, and
 * then for one answer made of those. Nothing that the document says is among the instructions. Undefined where the
 * document has no text.
 */
export const askAboutDocument = Effect.fnUntraced(function* (
  model: LlmModel,
  task: Task,
  document: DocumentIR,
  progress: (fraction: number) => Effect.Effect<void>
) {
  const whole = aboutDocument(task)
  const [first, ...rest] = chunksOf(document, yield* roomFor(model, whole))
  if (first === undefined) return undefined
  if (rest.length === 0) return yield* ask(model, whole, first.text)
  const frame = aboutPart(task)
  const chunks = chunksOf(document, yield* roomFor(model, frame))
  let done = 0
  const answers = yield* Effect.forEach(
    chunks,
    ({ text }) => Effect.tap(ask(model, frame, text), () => progress(++done / (chunks.length + 1))),
    { concurrency: atOnce }
  )
  const joined = yield* join(model, task, answers)
  return { ...joined, tokensUsed: joined.tokensUsed + together(answers) }
})
