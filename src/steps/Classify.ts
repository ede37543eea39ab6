import * as StepKind from "../../dsl/model/StepKind.ts"
import { hundredths } from "../support/Cents.ts"
import { Effect, Predicate, Schema } from "effect"
import { DocumentIR } from "../domain/DocumentIR.ts"
import { pageText } from "../domain/LineText.ts"
import { refuseNoClass, outputWith } from "./StepConfig.ts"
import { CurrentLexicon } from "../extraction/lexicon/CurrentLexicon.ts"
import { Classes } from "./classify/Class.ts"
import { type FoundKeyword, isDecided, leadOf, type Score, scoresOf } from "./classify/ClassScores.ts"
import { chosenModel, modelIfSet } from "./models/ChosenModel.ts"
import { askModel } from "./models/AskModel.ts"
import { ModelUsed, TokensUsed } from "./models/ModelUse.ts"
import { LlmFailure, type LlmModel } from "../providers/llm/Llm.ts"
import { chunksOf } from "./models/Chunks.ts"
import { notice } from "./models/Quoted.ts"
import { roomFor } from "./models/Room.ts"
import { words } from "./Phrases.ts"

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
const askForClass = Effect.fnUntraced(function* (
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
  const { value, ...used } = yield* askModel(model, {
    ...request,
    content: beginning === undefined ? [] : [{ type: "text", text: beginning.text }]
  })
  const answer = yield* Effect.mapError(Schema.decodeUnknownEffect(Answer)(value), () => refused(model))
  const chosen = answer.class === none ? null : answer.class
  if (chosen !== null && !names.includes(chosen)) return yield* refused(model)
  const evidence = placeOf(document, answer.quote)
  return { class: chosen, confidence: confidenceOf(chosen, evidence.length > 0, scores), evidence, ...used }
})

const refused = ({ name }: LlmModel): LlmFailure =>
  new LlmFailure({
    reason: "bad-answer",
    message: `The model ${name} did not answer with one of the classes.`
  })

/** The configuration of a `classify` step. */
export const ClassifyConfig = Schema.Struct({
  document: DocumentIR.annotate({ description: "Document to classify, or a part from `split`." }),
  using: Schema.Array(Schema.Literals(["rules", "llm"]))
    .check(Schema.isMinLength(1, { message: "At least one way to classify is required." }))
    .annotate({
      description:
        "How to classify. With `rules` and `llm`, a model decides only where keywords do not: none was found, only one on a later page, or the two best classes are close (within a third of the best score). If no model is set, the best class is used, with a warning; if there is none, the step fails. Default: [rules]."
    })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(["rules" as const]))),
  classes: Classes.annotate({ description: "Classes by name, each with what identifies it." }),
  none: Schema.Boolean.annotate({
    description:
      "Whether a model may answer that the document belongs to none of the classes; `class` is then null. Default: true."
  }).pipe(Schema.withDecodingDefaultKey(Effect.succeed(true))),
  model: Schema.optionalKey(
    Schema.String.annotate({
      description: "A model of DOCFLOW_LLM. Default: the first one."
    })
  )
})

/** The output of a `classify` step; `class` is null if there is no evidence for any class. */
export const ClassifyOutput = Schema.Struct({
  class: Schema.NullOr(Schema.String).annotate({
    description:
      "Name of the class; null if there is no evidence for any class, or if a model says that none fits."
  }),
  confidence: Schema.Finite.annotate({
    description:
      "Confidence, 0–1. By rules: the lead of the best class over the next one. By a model: whether the words that it quotes are in the document, and the keywords."
  }),
  scores: Schema.Record(Schema.String, Schema.Finite).annotate({
    description: "Points of each class by its keywords and kinds."
  }),
  by: Schema.Literals(["rules", "llm"]).annotate({ description: "What decided the class." }),
  evidence: Schema.Array(Schema.Struct({ page: Schema.Int, text: Schema.String })).annotate({
    description: "Words of the document that indicate its class."
  }),
  tokensUsed: TokensUsed,
  model: ModelUsed,
  warnings: Schema.Array(Schema.String).annotate({
    description: "Warnings: the class is in doubt, and no model could be asked."
  })
})

const inDoubt = "The class is in doubt, and no model is set that could be asked; set DOCFLOW_LLM."

const byRules = (scores: ReadonlyArray<Score>) => {
  const [best] = scores
  const isFound = best !== undefined && best.points > 0
  return {
    class: isFound ? best.name : null,
    confidence: hundredths(leadOf(scores)),
    by: "rules" as const,
    evidence: isFound ? best.found : [],
    tokensUsed: 0,
    model: null
  }
}

const classNames = (config: unknown): ReadonlyArray<string> =>
  Predicate.hasProperty(config, "classes") && Predicate.isObject(config.classes)
    ? Object.keys(config.classes)
    : []

const typed = outputWith(ClassifyOutput)

const outputType = (config: unknown) => {
  const names = classNames(config)
  const points = Object.fromEntries(names.map((name) => [name, { type: "number" }]))
  return typed({
    class: { enum: [...names, null] },
    scores: { type: "object", required: names, properties: points }
  })
}

/** The step kind `classify`: assigns a document to one of several classes. */
export const classify = StepKind.make("classify", {
  description:
    "Find the class of a document by its words, of which those at the top of the first page count most, or by a model, which sees the beginning of the document (about 6,000 tokens) and the descriptions of the classes.",
  example: `- { id: read, uses: parse, with: { document: "\${{ input.document }}" } }
- id: kind
  uses: classify
  with:
    document: "\${{ steps.read.document }}"
    using: [rules]
    classes:
      invoice: { keywords: [invoice, amount due], not: [reminder] }
      contract: { keywords: [agreement, parties], description: A contract between two parties. }`,
  config: ClassifyConfig,
  output: ClassifyOutput,
  asksModel: true,
  errors: { LlmFailure: "PROVIDER_ERROR" },
  outputType,
  problems: refuseNoClass,
  run: Effect.fnUntraced(function* ({ classes, document, model: wanted, none, using }, context) {
    const all = scoresOf(document, classes, yield* CurrentLexicon)
    // In the order of the flow.
    const scores = Object.fromEntries(
      Object.keys(classes).map((name) => [name, all.find((score) => score.name === name)?.points ?? 0])
    )
    const isEmpty = document.pages.every((page) => pageText(page).trim() === "")
    const rulesFirst = using[0] === "rules"
    const rules = { ...byRules(all), scores, warnings: [] }
    if ((rulesFirst && isDecided(all)) || isEmpty || !using.includes("llm")) return rules
    const canGoOn = rulesFirst && leadOf(all) > 0
    const model = yield* canGoOn ? modelIfSet(wanted, context) : chosenModel(wanted, context)
    if (model === undefined) return { ...rules, warnings: [inDoubt] }
    const asked = yield* askForClass(model, document, classes, { none, scores: all })
    return { ...asked, scores, by: "llm" as const, warnings: [] }
  })
})
