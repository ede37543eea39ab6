import * as StepKind from "../../dsl/model/StepKind.ts"
import { Effect, Predicate, Result, Schema } from "effect"
import { compileJsonSchema } from "../../dsl/model/Ajv.ts"
import { DocumentIR } from "../domain/DocumentIR.ts"
import { aboutDocument, aboutNothing, aboutPart, type Frame, joining, type Task } from "./generate/Task.ts"
import { chosenModel } from "./models/ChosenModel.ts"
import { type Answered, askModel, tokensOfAll } from "./models/AskModel.ts"
import { inGroups } from "./models/InGroups.ts"
import { outputWith } from "./StepConfig.ts"
import { TokensUsed } from "./models/ModelUse.ts"
import { roomFor } from "./models/Room.ts"
import { LlmFailure, type LlmModel } from "../providers/llm/Llm.ts"
import { chunksOf } from "./models/Chunks.ts"
import { quoted } from "./models/Quoted.ts"
import { estimateTokens } from "../providers/llm/Tokens.ts"

/** Asks with a string as the content. */
const ask = (model: LlmModel, frame: Frame, text: string): Effect.Effect<Answered, LlmFailure> =>
  askModel(model, { ...frame, content: [{ type: "text", text }] })

/** An answer as the next request shows it: it may repeat what the document says, so it is marked like the document. */
const shown = ({ value }: Answered, index: number): string =>
  `Part ${index + 1}:\n${quoted(typeof value === "string" ? value : JSON.stringify(value))}\n`

/** Joins answers in one request, or in several steps where there are too many of them for one. */
const join = (
  model: LlmModel,
  task: Task,
  answers: ReadonlyArray<Answered>
): Effect.Effect<Answered, LlmFailure> =>
  Effect.gen(function* () {
    const frame = joining(task)
    const room = yield* roomFor(model, frame)
    const groups = inGroups(answers, (answer, index) => estimateTokens(shown(answer, index)) + 1, room)
    if (groups.length === answers.length && answers.length > 1) return yield* tooLong(model)
    const joined = yield* Effect.forEach(groups, (group) =>
      group.length === 1 && group[0] !== undefined
        ? Effect.succeed({ ...group[0], tokensUsed: 0 })
        : ask(model, frame, group.map(shown).join("\n"))
    )
    const tokensUsed = tokensOfAll(joined)
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
const askAboutDocument = Effect.fnUntraced(function* (
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
  return { ...joined, tokensUsed: joined.tokensUsed + tokensOfAll(answers) }
})

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

const typed = outputWith(GenerateOutput)

const outputType = (config: unknown) => {
  const schema = schemaOf(config)
  return typed(
    { value: schema ?? { type: "null" } },
    Predicate.hasProperty(schema, "$defs") && Predicate.isObject(schema.$defs) ? { ...schema.$defs } : {}
  )
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
  asksModel: true,
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
