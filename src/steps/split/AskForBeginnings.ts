import { Effect, Predicate } from "effect"
import { LlmFailure, type LlmModel } from "../../providers/llm/Llm.ts"
import { askModel, tokensOfAll } from "../models/AskModel.ts"
import { inGroups } from "../models/InGroups.ts"
import { notice, quoted } from "../models/Quoted.ts"
import { roomFor } from "../models/Room.ts"
import { estimateTokens } from "../../providers/llm/Tokens.ts"
import type { SeenPage } from "./Weigh.ts"

/** The number of lines shown from the beginning of a page, and from the end of the page before it. */
const linesOfBeginning = 15
const linesOfEnd = 5
/** The longest line that is shown. */
const mostCharacters = 200
const mostAtOnce = 40
const tokensPerAnswer = 20
const boolean = { type: "boolean" }

const instructions = [
  "A file holds one document or several, one after the other. You are shown how some of its pages end and how the pages",
  'after them begin. Say of each of those that is asked about ("page_5": true or false) whether another document begins',
  "there (true), or the document of the page before goes on (false).",
  notice
].join("\n")

/** A model's answer about doubtful pages, and its number of tokens. */
export interface Beginnings {
  readonly decided: ReadonlyMap<number, boolean>
  readonly tokensUsed: number
}

interface Question {
  readonly index: number
  readonly key: string
  readonly text: string
  readonly tokens: number
}

const shown = (lines: ReadonlyArray<{ readonly text: string }>): string =>
  quoted(lines.map(({ text }) => text.slice(0, mostCharacters)).join("\n"))

const questionOf = (pages: ReadonlyArray<SeenPage>, index: number): ReadonlyArray<Question> => {
  const page = pages[index]?.page
  const before = pages[index - 1]?.page
  if (page === undefined || before === undefined) return []
  const text = [
    `Page ${before.pageNumber} ends:`,
    shown(before.lines.slice(-linesOfEnd)),
    `Page ${page.pageNumber} begins:`,
    `${shown(page.lines.slice(0, linesOfBeginning))}\n`
  ].join("\n")
  const key = `page_${page.pageNumber}`
  const inSchema = estimateTokens(JSON.stringify([key, { [key]: boolean }]))
  return [{ index, key, text, tokens: estimateTokens(text) + inSchema + tokensPerAnswer }]
}

const requestOf = (keys: ReadonlyArray<string>) => ({
  instructions,
  maxTokens: 50 + tokensPerAnswer * keys.length,
  schema: {
    name: "beginnings",
    schema: {
      type: "object",
      required: keys,
      properties: Object.fromEntries(keys.map((key) => [key, boolean])),
      additionalProperties: false
    }
  }
})

const ask = Effect.fnUntraced(function* (model: LlmModel, batch: ReadonlyArray<Question>) {
  const { tokensUsed, value } = yield* askModel(model, {
    ...requestOf(batch.map(({ key }) => key)),
    content: [{ type: "text", text: batch.map(({ text }) => text).join("\n") }]
  })
  const decided: Array<readonly [number, boolean]> = []
  for (const { index, key } of batch) {
    const said = Predicate.hasProperty(value, key) ? value[key] : undefined
    if (typeof said !== "boolean")
      return yield* new LlmFailure({
        reason: "bad-answer",
        message: `The model ${model.name} did not say whether a document begins on each page.`
      })
    decided.push([index, said])
  }
  return { decided, tokensUsed }
})

/** Asks a model whether documents begin on the doubtful pages, as many of them in a request as there is room for. */
export const askForBeginnings = Effect.fnUntraced(function* (
  model: LlmModel,
  pages: ReadonlyArray<SeenPage>,
  doubts: ReadonlyArray<number>,
  progress: (fraction: number) => Effect.Effect<void>
) {
  const questions = doubts.flatMap((index) => questionOf(pages, index))
  const room = yield* roomFor(model, requestOf([]))
  const batches = inGroups(questions, ({ tokens }) => tokens, room, mostAtOnce)
  const answers = yield* Effect.forEach(batches, (batch, done) =>
    Effect.tap(ask(model, batch), () => progress((done + 1) / batches.length))
  )
  const result: Beginnings = {
    decided: new Map(answers.flatMap(({ decided }) => decided)),
    tokensUsed: tokensOfAll(answers)
  }
  return result
})
