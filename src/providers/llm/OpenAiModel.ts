import { Config, Effect, Option, Redacted, Schema } from "effect"
import { setting } from "../../config/Setting.ts"
import type { LlmContent, LlmRequest } from "./Llm.ts"
import { answerTooLong, badAnswer, type CallFailure, refusal } from "./CallFailure.ts"
import { exchangeText } from "./ModelHttp.ts"
import {
  base64,
  type Connected,
  type Manner,
  modelProvider,
  type RawAnswer,
  textOf,
  type WantedModel,
  withSchema
} from "./Provider.ts"
import { address, keySetting } from "./ServerSettings.ts"
import type { ModelServer } from "./StatusFailure.ts"
import { isWrapped, openAiDialect, strictSchema } from "./StrictSchema.ts"

/** The address of an OpenAI-compatible server, and facts about its model. */
interface OpenAiOptions extends WantedModel {
  /** With the version: `https://api.openai.com/v1`. */
  readonly baseUrl: string
  readonly key: Option.Option<Redacted.Redacted>
}

/** The context that OpenAI's own models have at least, in tokens. */
const ownContext = 128_000
/** OpenAI's reasoning models, whose reasoning counts as part of the answer. */
const thinks = /^(?:o\d|gpt-(?:[5-9]|\d{2}))/u
const thinkingTokens = 8192
/** The assumed context of a local server that does not state it, in tokens. */
const unknownContext = 8192

const Completion = Schema.fromJsonString(
  Schema.Struct({
    choices: Schema.NonEmptyArray(
      Schema.Struct({
        finish_reason: Schema.optionalKey(Schema.NullOr(Schema.String)),
        message: Schema.Struct({
          content: Schema.optionalKey(Schema.NullOr(Schema.String)),
          refusal: Schema.optionalKey(Schema.NullOr(Schema.String))
        })
      })
    ),
    usage: Schema.optionalKey(
      Schema.NullOr(Schema.Struct({ prompt_tokens: Schema.Finite, completion_tokens: Schema.Finite }))
    )
  })
)
const decodeCompletion = Schema.decodeUnknownEffect(Completion)

const Models = Schema.fromJsonString(
  Schema.Struct({
    data: Schema.Array(
      Schema.Struct({ id: Schema.String, max_model_len: Schema.optionalKey(Schema.NullOr(Schema.Finite)) })
    )
  })
)
const decodeModels = Schema.decodeUnknownEffect(Models)

const openAiUrl = "https://api.openai.com/v1"

/** The settings of OpenAI and of servers that speak its protocol. */
export const openAiSettings = {
  baseUrl: setting(
    "OPENAI_BASE_URL",
    address,
    "address of OpenAI, or of a server that speaks its protocol, with its version",
    openAiUrl
  ),
  key: keySetting("OPENAI_API_KEY", "key for OPENAI_BASE_URL; local servers need none")
} as const

/** OpenAI, or a server that speaks its protocol: vLLM, llama.cpp, LM Studio. */
export const openAi = modelProvider({
  name: "openai",
  settings: openAiSettings,
  values: Config.all(openAiSettings),
  problem: ({ baseUrl, key }) =>
    baseUrl === openAiUrl && Option.isNone(key)
      ? "DOCFLOW_LLM names a model of openai, which needs OPENAI_API_KEY: set it, or OPENAI_BASE_URL"
      : undefined,
  connect: (wanted, settings) => connect({ ...wanted, ...settings })
})

const connect = Effect.fnUntraced(function* (options: OpenAiOptions) {
  const url = new URL(options.baseUrl)
  const own = /(?:^|\.)openai\.(?:com|azure\.com)$/u.test(url.hostname)
  const server = serverOf(url, options)
  const headers = Option.match(options.key, {
    onNone: () => ({}),
    onSome: (key) => ({ Authorization: `Bearer ${Redacted.value(key)}` })
  })
  const baseUrl = options.baseUrl.replace(/\/+$/u, "")
  const attempt = Effect.fnUntraced(function* (request: LlmRequest, manner: Manner) {
    const strict =
      request.schema !== undefined && manner.constrained
        ? strictSchema(request.schema.schema, openAiDialect)
        : Option.none()
    const format = Option.map(strict, ({ schema }) => ({
      type: "json_schema",
      json_schema: { name: formatName(request), strict: true, schema }
    }))
    const told = own && Option.isSome(strict) ? request.instructions : withSchema(request)
    const text = yield* exchangeText(server, {
      url: `${baseUrl}/chat/completions`,
      headers,
      body: JSON.stringify({
        model: options.model,
        messages: [
          { role: "system", content: told },
          { role: "user", content: contentOf(request) }
        ],
        // OpenAI's newer models refuse the one parameter, other servers do not know the other.
        ...(own
          ? { max_completion_tokens: request.maxTokens + (thinks.test(options.model) ? thinkingTokens : 0) }
          : { max_tokens: request.maxTokens, temperature: manner.temperature }),
        ...(Option.isSome(format) ? { response_format: format.value } : {})
      })
    })
    return yield* readCompletion(server, request, isWrapped(strict), text)
  })
  const known = Option.isSome(options.contextTokens) || own
  const contextTokens = known
    ? Option.getOrElse(options.contextTokens, () => ownContext)
    : yield* contextOf(server, `${baseUrl}/models`, headers, options.model)
  return {
    contextTokens,
    seesPictures: Option.getOrElse(options.pictures, () => own),
    attempt
  } satisfies Connected
})

const serverOf = (url: URL, { model }: OpenAiOptions): ModelServer => ({
  address: url.origin,
  startIt: "Start that server, or set OPENAI_BASE_URL",
  checkKey: "Set OPENAI_API_KEY to a key that may use this model",
  getModel: `Check the name ${model} in DOCFLOW_LLM, and that OPENAI_BASE_URL ends as the server wants it (often /v1)`
})

/** Reads the size of the context from servers that state it. */
const contextOf = (
  server: ModelServer,
  url: string,
  headers: Readonly<Record<string, string>>,
  model: string
) =>
  exchangeText(server, { url, headers }).pipe(
    Effect.flatMap(decodeModels),
    Effect.map(({ data }) => data.find(({ id }) => id === model)?.max_model_len ?? unknownContext),
    // Connection and authorization failures are reported immediately; a server without a list of models is used anyway.
    Effect.catch((error) =>
      error._tag === "CallFailure" && (error.again || error.reason === "refused")
        ? Effect.fail(error)
        : Effect.succeed(unknownContext)
    )
  )

const formatName = ({ schema }: LlmRequest): string =>
  (schema?.name ?? "").replaceAll(/[^\w-]/gu, "_").slice(0, 64) || "answer"

const contentOf = (request: LlmRequest) =>
  request.content.some(({ type }) => type === "image") ? request.content.map(partOf) : textOf(request)

const partOf = (part: LlmContent) =>
  part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image_url", image_url: { url: `data:${part.mimeType};base64,${base64(part.bytes)}` } }

const readCompletion = (
  server: ModelServer,
  { maxTokens }: LlmRequest,
  wrapped: boolean,
  text: string
): Effect.Effect<RawAnswer, CallFailure> =>
  decodeCompletion(text).pipe(
    Effect.mapError(() => badAnswer(`${server.address} did not answer in OpenAI's protocol`, true)),
    Effect.flatMap(({ choices: [{ finish_reason, message }], usage }) => {
      if (message.refusal || finish_reason === "content_filter") return Effect.fail(refusal())
      if (finish_reason === "length") return Effect.fail(answerTooLong(maxTokens))
      return Effect.succeed({
        text: message.content ?? "",
        wrapped,
        inputTokens: usage?.prompt_tokens ?? 0,
        outputTokens: usage?.completion_tokens ?? 0
      })
    })
  )
