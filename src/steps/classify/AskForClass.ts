import { hundredths } from "../../support/Cents.ts"
import { Effect, Schema } from "effect"
import type { DocumentIR } from "../../domain/DocumentIR.ts"
import { pageText } from "../../domain/LineText.ts"
import { LlmFailure, type LlmModel } from "../../providers/llm/Llm.ts"
import { chunksOf } from "../models/Chunks.ts"
import { notice } from "../models/Quoted.ts"
import { roomFor } from "../models/Room.ts"
import { words } from "../Phrases.ts"
import type { Classes } from "./Class.ts"
import type { FoundKeyword, Score } from "./ClassScores.ts"

/** A model's answer about the class of a document. */
export interface ModelClass {
  readonly class: string | null
  readonly confidence: number
  readonly evidence: ReadonlyArray<FoundKeyword>
  readonly tokensUsed: number
  /** The model that answered. */
  readonly model: string
}

/** The maximum number of tokens shown: the beginning of a document shows what it is. */
const mostTokens = 6000
const maxTokens = 300

/** A name for "none of them" that no class has. */
const noneOf = (names: ReadonlyArray<string>): string => {
  let none = "none"
  while (names.includes(none)) none += "_"
  return none
}

const instructionsOf = (classes: Classes, none: string | undefined): string =>
  [
    "Say which of these classes the document belongs to.",
    ...Object.entries(classes).map(([name, { description, keywords = [] }]) => {
      const typical = keywords.length === 0 ? "" : ` Typical words: ${keywords.join(", ")}.`
      return `- ${name}${description === undefined ? "." : `: ${description}`}${typical}`
    }),
    ...(none === undefined ? [] : [`- ${none}: a document of another kind.`]),
    'Answer with "class", and with "quote": a few words of the document, exactly as they stand there, that show it.',
    notice
  ].join("\n")

const Answer = Schema.Struct({ class: Schema.String, quote: Schema.String })

const placeOf = ({ pages }: DocumentIR, quote: string): ReadonlyArray<FoundKeyword> => {
  const wanted = words(quote)
  const page = wanted.trim() === "" ? undefined : pages.find((each) => words(pageText(each)).includes(wanted))
  return page === undefined ? [] : [{ page: page.pageNumber, text: quote }]
}

/**
 * The confidence in a class that a model chose. A model's own estimate is worth little, so it is not requested: 0.6 for
 * its choice; 0.2 more if the words that it quotes are in the document; 0.15 more if keywords of the class occur and no
 * other class has more, or 0.2 less if keywords indicate another class.
 */
const confidenceOf = (chosen: string | null, isQuoted: boolean, scores: ReadonlyArray<Score>): number => {
  const most = scores[0]?.points ?? 0
  const own = scores.find(({ name }) => name === chosen)?.points ?? 0
  const keywords = most === 0 ? 0 : own === most ? 0.15 : -0.2
  return hundredths(0.6 + (isQuoted ? 0.2 : 0) + keywords)
}

/** Asks a model for the class of a document, from its beginning. `scores` are those by keywords. */
export const askForClass = Effect.fnUntraced(function* (
  model: LlmModel,
  document: DocumentIR,
  classes: Classes,
  { none: mayBeNone, scores }: { readonly none: boolean; readonly scores: ReadonlyArray<Score> }
) {
  const names = Object.keys(classes)
  const none = mayBeNone ? noneOf(names) : undefined
  const request = {
    instructions: instructionsOf(classes, none),
    maxTokens,
    schema: {
      name: "classification",
      schema: {
        type: "object",
        required: ["class", "quote"],
        properties: {
          class: { type: "string", enum: none === undefined ? names : [...names, none] },
          quote: { type: "string" }
        },
        additionalProperties: false
      }
    }
  }
  const room = Math.min(mostTokens, yield* roomFor(model, request))
  const [beginning] = chunksOf(document, room)
  const {
    inputTokens,
    model: other,
    outputTokens,
    value
  } = yield* model.ask({
    ...request,
    content: beginning === undefined ? [] : [{ type: "text", text: beginning.text }]
  })
  const answer = yield* Effect.mapError(Schema.decodeUnknownEffect(Answer)(value), () => refused(model))
  const chosen = answer.class === none ? null : answer.class
  if (chosen !== null && !names.includes(chosen)) return yield* refused(model)
  const evidence = placeOf(document, answer.quote)
  const result: ModelClass = {
    class: chosen,
    confidence: confidenceOf(chosen, evidence.length > 0, scores),
    evidence,
    tokensUsed: inputTokens + outputTokens,
    model: other ?? model.name
  }
  return result
})

const refused = ({ name }: LlmModel): LlmFailure =>
  new LlmFailure({
    reason: "bad-answer",
    message: `The model ${name} did not answer with one of the classes.`
  })
