import { Effect, Option, Redacted, Schema } from "effect"
import type { LlmContent, LlmRequest } from "./Llm.ts"
import { answerTooLong, badAnswer, type CallFailure, refusal, requestTooLong } from "./CallFailure.ts"
import { exchangeText } from "./ModelHttp.ts"
import { base64, type Connected, type Manner, type RawAnswer, withSchema } from "./Provider.ts"
import type { ModelServer } from "./StatusFailure.ts"
import { anthropicDialect, isWrapped, strictSchema } from "./StrictSchema.ts"

/** Where Anthropic's API is, and which model is wanted. */
export interface AnthropicOptions {
  readonly model: string
  /** Without the version: `https://api.anthropic.com`. */
  readonly baseUrl: string
  readonly key: Redacted.Redacted
  readonly contextTokens: Option.Option<number>
  readonly pictures: Option.Option<boolean>
}

/** What every model has at least, in tokens. */
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

/** A model of Anthropic; nothing is asked before the first request. */
export const connect = (options: AnthropicOptions): Connected => {
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
