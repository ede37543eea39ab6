import { Effect, Predicate, Result, Schema } from "effect"
import { compileJsonSchema } from "../../dsl/model/Ajv.ts"
import * as StepKind from "../../dsl/model/StepKind.ts"
import { DocumentIR } from "../domain/DocumentIR.ts"
import { ask, askAboutDocument } from "./generate/AskAboutDocument.ts"
import { aboutNothing } from "./generate/Task.ts"
import { chosenModel } from "./models/ChosenModel.ts"
import { TokensUsed } from "./models/ModelUse.ts"
import { roomFor } from "./models/Room.ts"

const defaultTokens = 1000

/** The configuration of a `generate` step. */
export const GenerateConfig = Schema.Struct({
  prompt: Schema.String.check(Schema.isNonEmpty({ message: "The prompt must not be empty." })).annotate({
    description: "Task for the model. If `document` is set, do not repeat its text here."
  }),
  document: Schema.optionalKey(
    DocumentIR.annotate({
      description:
        "Document that the prompt is about, usually `${{ steps.read.document }}`. Its text is passed separately, as data, not as instructions. A document that is too long for the model is processed in parts, whose answers are joined by one more request."
    })
  ),
  system: Schema.optionalKey(
    Schema.String.annotate({ description: "System prompt: how the model should behave." })
  ),
  schema: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Unknown).annotate({
      description: "JSON Schema of the answer, which is then in `value`. It cannot contain expressions."
    })
  ),
  maxTokens: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 }))
    .annotate({ description: "Maximum length of the answer, in tokens. Default: 1000." })
    .pipe(Schema.withDecodingDefaultKey(Effect.succeed(defaultTokens))),
  model: Schema.optionalKey(
    Schema.String.annotate({
      description: "A model of DOCFLOW_LLM. Default: the first one."
    })
  )
})

/** The answer of a model. */
export const GenerateOutput = Schema.Struct({
  text: Schema.String.annotate({ description: "The answer; with `schema`, as a string of JSON." }),
  value: Schema.Unknown.annotate({ description: "The answer as JSON if `schema` is set, otherwise null." }),
  tokensUsed: TokensUsed,
  model: Schema.String.annotate({ description: "Name of the model that answered." })
})

/** The document contains nothing that could be shown to a model. */
export class NoText extends Schema.TaggedError<NoText>()("NoText", { message: Schema.String }) {}

const noText = new NoText({
  message: "The document has no text for a model: its pages are blank, or scans that were not recognized."
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
    "Ask a model: for a summary, a translation or data of any shape, about a document or anything else. Requires a model in DOCFLOW_LLM.",
  example: `- { id: read, uses: parse, with: { document: "\${{ input.document }}" } }
- id: summary
  uses: generate
  with: { prompt: Summarise the document in three sentences., document: "\${{ steps.read.document }}" }`,
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
    const { model: name, tokensUsed, value } = answered
    const text = typeof value === "string" ? value : JSON.stringify(value)
    return { text, value: task.schema === undefined ? null : value, tokensUsed, model: name }
  })
})
