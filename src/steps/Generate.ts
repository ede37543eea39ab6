import { Effect, Predicate, Result, Schema } from "effect"
import { compileJsonSchema } from "../../dsl/model/Ajv.ts"
import * as StepKind from "../../dsl/model/StepKind.ts"
import { DocumentIR } from "../domain/DocumentIR.ts"
import { ask, askAboutDocument } from "./generate/AskAboutDocument.ts"
import { aboutNothing } from "./generate/Task.ts"
import { chosenModel } from "./models/ChosenModel.ts"
import { roomFor } from "./models/Room.ts"

const defaultTokens = 1000

/** What a `generate` step is given. */
export const GenerateConfig = Schema.Struct({
  prompt: Schema.String.check(Schema.isNonEmpty({ message: "The prompt is empty." })).annotate({
    description:
      "What the model is to do. With `document`, only what is asked about it: its text does not belong here."
  }),
  document: Schema.optionalKey(
    DocumentIR.annotate({
      description:
        "The document that the prompt is about, normally ${{ steps.read.document }}. Its text is shown apart from the prompt, as data: what it says is no instruction. One that is too long for the model is asked about part by part, pages together, and the answers are joined by one more request."
    })
  ),
  system: Schema.optionalKey(Schema.String.annotate({ description: "How the model is to behave." })),
  schema: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Unknown).annotate({
      description:
        "A JSON Schema: the answer is JSON that fits it, and stands under `value`. No expressions can stand in it."
    })
  ),
  maxTokens: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 }))
    .annotate({ description: "The longest answer, in tokens; 1,000 without it." })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(defaultTokens))),
  model: Schema.optionalKey(
    Schema.String.annotate({
      description: "One of the models in DOCFLOW_LLM; its first where this is left out."
    })
  )
})

/** What a model answered. */
export const GenerateOutput = Schema.Struct({
  /** The answer as text; with `schema` as JSON text. */
  text: Schema.String,
  /** The answer as JSON where `schema` was given, or null. */
  value: Schema.Unknown,
  /** The tokens of all requests and answers together. */
  tokensUsed: Schema.Int,
  model: Schema.String
})

/** There is nothing in the document that a model could be shown. */
export class NoText extends Schema.TaggedError<NoText>()("NoText", { message: Schema.String }) {}

const noText = new NoText({
  message:
    "The document has no text that a model could be shown: its pages are blank, or pictures that were not recognised."
})

const schemaOf = (config: unknown) =>
  Predicate.hasProperty(config, "schema") && Predicate.isObject(config.schema)
    ? { ...config.schema }
    : undefined

const problems = (config: unknown): ReadonlyArray<StepKind.ConfigProblem> => {
  const schema = schemaOf(config)
  const compiled = schema === undefined ? undefined : compileJsonSchema(schema)
  return compiled === undefined || Result.isSuccess(compiled)
    ? []
    : compiled.failure.map(({ message, path }) => ({ path: ["schema", ...path], message }))
}

const outputType = (config: unknown) => {
  const schema = schemaOf(config)
  const definitions = schema !== undefined && "$defs" in schema ? { $defs: schema["$defs"] } : {}
  return {
    type: "object",
    required: ["text", "value", "tokensUsed", "model"],
    properties: {
      text: { type: "string" },
      value: schema ?? { type: "null" },
      tokensUsed: { type: "integer" },
      model: { type: "string" }
    },
    ...definitions
  }
}

/** The step kind `generate`: a model answers a prompt. */
export const generate = StepKind.make("generate", {
  description:
    "Lets a model answer a prompt, about a document or anything else: a summary, a translation, data of any shape. It needs a model in DOCFLOW_LLM.",
  config: GenerateConfig,
  output: GenerateOutput,
  errors: { LlmFailure: "PROVIDER_ERROR" },
  literal: ["schema"],
  problems,
  outputType,
  run: Effect.fnUntraced(function* ({ document, model: wanted, ...task }, context) {
    const model = yield* chosenModel(wanted, context)
    const answered =
      document === undefined
        ? yield* Effect.gen(function* () {
            const frame = aboutNothing(task)
            yield* roomFor(model, { ...frame, instructions: frame.instructions + task.prompt })
            return yield* ask(model, frame, task.prompt)
          })
        : yield* askAboutDocument(model, task, document, context.progress)
    if (answered === undefined) return yield* noText
    const { tokensUsed, value } = answered
    const text = typeof value === "string" ? value : JSON.stringify(value)
    return { text, value: task.schema === undefined ? null : value, tokensUsed, model: model.name }
  })
})
