import { Effect, Option, Schema } from "effect"
import { setting } from "../../config/Setting.ts"
import type { LlmContent, LlmRequest } from "./Llm.ts"
import { type CallFailure, cutOff, notProtocol, refusal, requestTooLong } from "./CallFailure.ts"
import { exchangeText } from "./ModelHttp.ts"
import {
  base64,
  type Connected,
  keyHeader,
  type Manner,
  noKey,
  promptOf,
  type Protocol,
  type RawAnswer,
  type Target,
  type WantedModel
} from "./Provider.ts"
import { address, keySetting, targetOf } from "./ServerSettings.ts"
import type { ModelServer } from "./StatusFailure.ts"
import { defined } from "../../support/Defined.ts"

/** The context that every model has at least, in tokens. */
const ownContext = 200_000
const version = "2023-06-01"

const count = Schema.optionalKey(Schema.NullOr(Schema.Finite))
const Message = Schema.fromJsonString(
  Schema.Struct({
    content: Schema.Array(Schema.Struct({ type: Schema.String, text: Schema.optionalKey(Schema.String) })),
    stop_reason: Schema.optionalKey(Schema.NullOr(Schema.String)),
    usage: Schema.optionalKey(
      Schema.NullOr(
        Schema.Struct({
          input_tokens: count,
          output_tokens: count,
          cache_creation_input_tokens: count,
          cache_read_input_tokens: count
        })
      )
    )
  })
)
const decodeMessage = Schema.decodeUnknownOption(Message)

/** The settings of Anthropic. */
export const anthropicSettings = {
  address: setting("ANTHROPIC_BASE_URL", address, "address of Anthropic's API", "https://api.anthropic.com"),
  key: keySetting("ANTHROPIC_API_KEY", "key for Anthropic's API")
} as const

/** Anthropic's API. */
export const anthropic: Protocol = {
  name: "anthropic",
  settings: Object.values(anthropicSettings),
  target: targetOf(anthropicSettings),
  connect: (wanted, target) =>
    Option.isNone(target.key) ? noKey(target) : Effect.succeed(connect(wanted, target))
}

/** Sends nothing before the first request. */
const connect = (wanted: WantedModel, target: Target): Connected => {
  const { model } = wanted
  const server: ModelServer = {
    address: new URL(target.address).origin,
    startIt: `Check the network, or set ${target.settings.address}`,
    checkKey: `Set ${target.settings.key} to a key that may use this model`,
    getModel: `Check the name ${model} in DOCFLOW_LLM, and ${target.settings.address}`
  }
  return {
    contextTokens: wanted.contextTokens ?? ownContext,
    seesPictures: wanted.pictures ?? true,
    forms: ["strict", "words"],
    temperature: wanted.temperature,
    thinkingTokens: 0,
    attempt: (request, manner) => ask(server, target, wanted, request, manner)
  }
}

const ask = Effect.fnUntraced(function* (
  server: ModelServer,
  target: Target,
  { model, reasoning }: WantedModel,
  request: LlmRequest,
  manner: Manner
) {
  const { content, strict, system, turns } = promptOf(request, manner, "optional")
  const effort = manner.thinking && reasoning !== "none" ? reasoning : undefined
  const output = defined({ format: strict && { type: "json_schema", schema: strict.schema }, effort })
  const text = yield* exchangeText(server, {
    transport: target.transport,
    url: `${target.address.replace(/\/+$/u, "").replace(/\/v1(?:\/messages)?$/u, "")}/v1/messages`,
    headers: { "anthropic-version": version, ...keyHeader(target, "x-api-key") },
    body: JSON.stringify({
      model,
      max_tokens: manner.maxTokens,
      system,
      messages: [{ role: "user", content: content.map(partOf) }, ...turns],
      temperature: manner.temperature,
      ...(Object.keys(output).length > 0 ? { output_config: output } : {})
    }),
    began: manner.began
  })
  return yield* readMessage(server, manner, strict?.wrapped === true, text)
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
  { maxTokens }: Manner,
  wrapped: boolean,
  body: string
): Effect.Effect<RawAnswer, CallFailure> => {
  const message = Option.getOrUndefined(decodeMessage(body))
  if (message === undefined) return Effect.fail(notProtocol(server.address, "Anthropic"))
  const { content, stop_reason, usage } = message
  const text = content.map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("")
  const spent = {
    inputTokens:
      (usage?.input_tokens ?? 0) +
      (usage?.cache_creation_input_tokens ?? 0) +
      (usage?.cache_read_input_tokens ?? 0),
    outputTokens: usage?.output_tokens ?? 0
  }
  if (stop_reason === "refusal") return Effect.fail(refusal())
  if (stop_reason === "max_tokens")
    return Effect.fail(cutOff(maxTokens, { thought: text.trim() === "", spent }))
  if (stop_reason === "model_context_window_exceeded") return Effect.fail(requestTooLong())
  return Effect.succeed({ text, wrapped, ...spent })
}
