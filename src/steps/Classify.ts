import { Effect, Predicate, Schema } from "effect"
import * as StepKind from "../../dsl/StepKind.ts"
import { DocumentIR, pageText } from "../domain/DocumentIR.ts"
import { type ModelNeeded, modelNeeded } from "./ModelNeeded.ts"
import { hasPhrase, topOf, words } from "./Phrases.ts"

const Class = Schema.Struct({
  keywords: Schema.Array(Schema.String)
    .check(Schema.isMinLength(1, { message: "A class has at least one keyword." }))
    .annotate({ description: "Words or phrases of such a document; case and accents do not matter." }),
  not: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({ description: "Words or phrases that such a document never has." })
  )
})

/** What a `classify` step is given. */
export const ClassifyConfig = Schema.Struct({
  document: DocumentIR.annotate({ description: "The document, or a part that `split` made." }),
  using: Schema.Array(Schema.Literals(["rules", "llm"]))
    .annotate({ description: "How, the cheapest first; the next only where no class was found." })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(["rules" as const]))),
  classes: Schema.Record(Schema.String, Class).annotate({
    description: "The classes by their names, each with what tells it."
  })
})

/** What a `classify` step found; `class` is null where no keyword of any class was found. */
export const ClassifyOutput = Schema.Struct({
  class: Schema.NullOr(Schema.String),
  /** From 0 to 1: how far the best class is ahead of the next. */
  confidence: Schema.Finite,
  scores: Schema.Record(Schema.String, Schema.Finite),
  by: Schema.Literals(["rules", "llm"])
})

/** What stands at the top of a first page says most about a document. */
const topWeight = 3
const firstPageWeight = 2

const scoresOf = ({ classes, document }: typeof ClassifyConfig.Type): Record<string, number> => {
  const [first] = document.pages
  const top = first === undefined ? "" : topOf(first)
  const firstPage = words(first === undefined ? "" : pageText(first))
  const all = words(document.pages.map(pageText).join("\n"))
  const weight = (keyword: string): number => {
    if (!hasPhrase(all, keyword)) return 0
    if (hasPhrase(top, keyword)) return topWeight
    return hasPhrase(firstPage, keyword) ? firstPageWeight : 1
  }
  return Object.fromEntries(
    Object.entries(classes).map(([name, { keywords, not = [] }]) => {
      const isRuledOut = not.some((keyword) => weight(keyword) > 0)
      return [name, isRuledOut ? 0 : keywords.reduce((total, keyword) => total + weight(keyword), 0)]
    })
  )
}

/** The step kind `classify`: which of some classes a document is. */
export const classify = StepKind.make("classify", {
  description:
    "Says which of some classes a document is, by the words that it has; those at the top of its first page count most.",
  config: ClassifyConfig,
  output: ClassifyOutput,
  errors: { ModelNeeded: "PROVIDER_ERROR" },
  outputType: (config) => ({
    type: "object",
    required: ["class", "confidence", "scores", "by"],
    properties: {
      class: { enum: [...classNames(config), null] },
      confidence: { type: "number" },
      scores: {
        type: "object",
        required: classNames(config),
        properties: Object.fromEntries(classNames(config).map((name) => [name, { type: "number" }]))
      },
      by: { enum: ["rules", "llm"] }
    }
  }),
  run: (config): Effect.Effect<typeof ClassifyOutput.Type, ModelNeeded> => {
    const scores = scoresOf(config)
    const [best, next] = Object.entries(scores).toSorted(([, left], [, right]) => right - left)
    if (best === undefined || best[1] === 0) {
      if (config.using.includes("llm")) return modelNeeded("No keyword tells what the document is")
      return Effect.succeed({ class: null, confidence: 0, scores, by: "rules" })
    }
    const ahead = (best[1] - (next?.[1] ?? 0)) / best[1]
    return Effect.succeed({ class: best[0], confidence: Math.round(ahead * 100) / 100, scores, by: "rules" })
  }
})

const classNames = (config: unknown): ReadonlyArray<string> =>
  Predicate.hasProperty(config, "classes") && Predicate.isObject(config.classes)
    ? Object.keys(config.classes)
    : []
