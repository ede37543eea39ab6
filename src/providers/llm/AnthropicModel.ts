import { Config, Effect, Option, Redacted, Schema } from "effect"
import { setting } from "../../config/Setting.ts"
import type { LlmContent, LlmRequest } from "./Llm.ts"
import { answerTooLong, badAnswer, type CallFailure, final, refusal, requestTooLong } from "./CallFailure.ts"
import { exchangeText } from "./ModelHttp.ts"
import {
  base64,
  type Connected,
  type Manner,
  modelProvider,
  type RawAnswer,
  type WantedModel,
  withSchema
} from "./Provider.ts"
import { address, keySetting } from "./ServerSettings.ts"
import type { ModelServer } from "./StatusFailure.ts"
import { anthropicDialect, isWrapped, strictSchema } from "./StrictSchema.ts"

/** The address of Anthropic's API, and the model. */
interface AnthropicOptions extends WantedModel {
  /** Without the version: `https://api.anthropic.com`. */
  readonly baseUrl: string
  readonly key: Redacted.Redacted
}

/** The context that every model has at least, in tokens. */
const ownContext = 200_000
const version = "2023-06-01"

const count = Schema.optionalKey(Schema.NullOr(Schema.Finite))
const Message = Schema.fromJsonString(
  Schema.Struct({
    content: Schema.Array(Schema.Struct({ type: Schema.String, text: Schema.optionalKey(Schema.String) })),
    stop_reason: Schema.optionalKey(Schema.NullOr(Schema.String)),
    usage: Schema.optionalKey(
      Schema.Struct({
        input_tokens: count,
        output_tokens: count,
        cache_creation_input_tokens: count,
        cache_read_input_tokens: count
      })
    )
  })
)
const decodeMessage = Schema.decodeUnknownEffect(Message)

/** The settings of Anthropic. */
export const anthropicSettings = {
  baseUrl: setting("ANTHROPIC_BASE_URL", address, "address of Anthropic's API", "https://api.anthropic.com"),
  key: keySetting("ANTHROPIC_API_KEY", "key for Anthropic's API")
} as const

/** Anthropic's API. */
export const anthropic = modelProvider({
  name: "anthropic",
  settings: anthropicSettings,
  values: Config.all(anthropicSettings),
  problem: (settings) =>
    Option.isNone(settings.key)
      ? "DOCFLOW_LLM names a model of anthropic, which needs ANTHROPIC_API_KEY: set it"
      : undefined,
  connect: (wanted, { baseUrl, key }) =>
    Option.match(key, {
      onNone: () => Effect.fail(final("not-configured", "it has no key", "Set ANTHROPIC_API_KEY")),
      onSome: (key) => Effect.succeed(connect({ ...wanted, baseUrl, key }))
    })
})

/** Sends nothing before the first request. */
const connect = (options: AnthropicOptions): Connected => {
  const server = serverOf(options)
  return {
    contextTokens: Option.getOrElse(options.contextTokens, () => ownContext),
    seesPictures: Option.getOrElse(options.pictures, () => true),
    attempt: (request, manner) => ask(server, options, request, manner)
  }
}

const serverOf = ({ baseUrl, model }: AnthropicOptions): ModelServer => ({
  address: new URL(baseUrl).origin,
  startIt: "Check the network, or set ANTHROPIC_BASE_URL",
  checkKey: "Set ANTHROPIC_API_KEY to a key that may use this model",
  getModel: `Check the name ${model} in DOCFLOW_LLM, and ANTHROPIC_BASE_URL`
})

const ask = Effect.fnUntraced(function* (
  server: ModelServer,
  { baseUrl, key, model }: AnthropicOptions,
  request: LlmRequest,
  manner: Manner
) {
  const strict =
    request.schema !== undefined && manner.constrained
      ? strictSchema(request.schema.schema, anthropicDialect)
      : Option.none()
  const text = yield* exchangeText(server, {
    url: `${baseUrl.replace(/\/+$/u, "")}/v1/messages`,
    headers: { "x-api-key": Redacted.value(key), "anthropic-version": version },
    body: JSON.stringify({
      model,
      max_tokens: request.maxTokens,
      system: Option.isSome(strict) ? request.instructions : withSchema(request),
      messages: [{ role: "user", content: request.content.map(partOf) }],
      ...(Option.isSome(strict)
        ? { output_config: { format: { type: "json_schema", schema: strict.value.schema } } }
        : {})
    })
  })
  return yield* readMessage(server, request, isWrapped(strict), text)
})

const partOf = (part: LlmContent) =>
  part.type === "text"
    ? part
    : {
        type: "image",
        source: { type: "base64", media_type: part.mimeType, data: base64(part.bytes) }
      }

const readMessage = (
  server: ModelServer,
  { maxTokens }: LlmRequest,
  wrapped: boolean,
  text: string
): Effect.Effect<RawAnswer, CallFailure> =>
  decodeMessage(text).pipe(
    Effect.mapError(() => badAnswer(`${server.address} did not answer in Anthropic's protocol`, true)),
    Effect.flatMap(({ content, stop_reason, usage }) => {
      if (stop_reason === "refusal") return Effect.fail(refusal())
      if (stop_reason === "max_tokens") return Effect.fail(answerTooLong(maxTokens))
      if (stop_reason === "model_context_window_exceeded") return Effect.fail(requestTooLong())
      return Effect.succeed({
        text: content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join(""),
        wrapped,
        inputTokens:
          (usage?.input_tokens ?? 0) +
          (usage?.cache_creation_input_tokens ?? 0) +
          (usage?.cache_read_input_tokens ?? 0),
        outputTokens: usage?.output_tokens ?? 0
      })
    })
  )
