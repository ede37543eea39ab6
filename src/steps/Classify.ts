import { hundredths } from "../support/Cents.ts"
import { Effect, Predicate, Schema } from "effect"
import * as StepKind from "../../dsl/model/StepKind.ts"
import { DocumentIR } from "../domain/DocumentIR.ts"
import { pageText } from "../domain/LineText.ts"
import { refuseNoClass } from "./EmptyConfig.ts"
import { askForClass } from "./classify/AskForClass.ts"
import { CurrentLexicon } from "../extraction/lexicon/CurrentLexicon.ts"
import { Classes } from "./classify/Class.ts"
import { isDecided, leadOf, type Score, scoresOf } from "./classify/ClassScores.ts"
import { chosenModel, modelIfSet } from "./models/ChosenModel.ts"
import { ModelUsed, TokensUsed } from "./models/ModelUse.ts"

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

const outputType = (config: unknown) => ({
  type: "object",
  required: ["class", "confidence", "scores", "by", "evidence", "tokensUsed", "model", "warnings"],
  properties: {
    class: { enum: [...classNames(config), null] },
    confidence: { type: "number" },
    scores: {
      type: "object",
      required: classNames(config),
      properties: Object.fromEntries(classNames(config).map((name) => [name, { type: "number" }]))
    },
    by: { enum: ["rules", "llm"] },
    evidence: {
      type: "array",
      items: {
        type: "object",
        required: ["page", "text"],
        properties: { page: { type: "integer" }, text: { type: "string" } }
      }
    },
    tokensUsed: { type: "integer" },
    model: { type: ["string", "null"] },
    warnings: { type: "array", items: { type: "string" } }
  }
})

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
