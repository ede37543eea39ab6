import { Effect, Option, Schema } from "effect"
import { setting } from "../../config/Setting.ts"
import type { LlmContent, LlmRequest } from "./Llm.ts"
import { type CallFailure, cutOff, notProtocol, refusal } from "./CallFailure.ts"
import { exchangeText } from "./ModelHttp.ts"
import {
  base64,
  chatOf,
  type Connected,
  keyHeader,
  type Manner,
  noKey,
  promptOf,
  type Protocol,
  type RawAnswer,
  type Target,
  textOf,
  type WantedModel
} from "./Provider.ts"
import { address, keySetting, targetOf } from "./ServerSettings.ts"
import { type ModelServer, statusFailure } from "./StatusFailure.ts"
import { contextOf, endpointOf } from "./OpenAiEndpoint.ts"
import { withoutThinking } from "./ReadAnswer.ts"

/** The context that OpenAI's own models have at least, in tokens. */
const ownContext = 128_000
/** OpenAI's reasoning models, whose reasoning counts as part of the answer. */
const thinks = /^(?:o\d|gpt-(?:[5-9]|\d{2}))/u
const thinkingTokens = 8192

/** Servers leave out, or add, nearly everything: what is missing or odd counts as absent. */
const loose = <A extends Schema.Constraint>(schema: A) =>
  Schema.optionalKey(Schema.NullOr(Schema.Union([schema, Schema.Unknown])))
const Part = Schema.Struct({ text: Schema.String })
const Message = Schema.Struct({
  content: loose(Schema.String),
  refusal: loose(Schema.String),
  reasoning_content: loose(Schema.String),
  reasoning: loose(Schema.String),
  tool_calls: loose(
    Schema.NonEmptyArray(Schema.Struct({ function: Schema.Struct({ arguments: Schema.String }) }))
  )
})
const Completion = Schema.fromJsonString(
  Schema.Struct({
    choices: Schema.NonEmptyArray(
      Schema.Struct({ finish_reason: loose(Schema.String), error: loose(Schema.Unknown), message: Message })
    ),
    usage: loose(
      Schema.Struct({ prompt_tokens: loose(Schema.Finite), completion_tokens: loose(Schema.Finite) })
    )
  })
)
const decodeCompletion = Schema.decodeUnknownOption(Completion)
/** OpenRouter answers 200 with an error inside, before or among the choices. */
const Failed = Schema.fromJsonString(
  Schema.Union([
    Schema.Struct({ error: Schema.Struct({ code: loose(Schema.Finite), message: Schema.Unknown }) }),
    Schema.Struct({
      choices: Schema.NonEmptyArray(
        Schema.Struct({ error: Schema.Struct({ code: loose(Schema.Finite), message: Schema.Unknown }) })
      )
    })
  ])
)
const decodeFailed = Schema.decodeUnknownOption(Failed)

const openAiUrl = "https://api.openai.com/v1"

/** The settings of OpenAI and of servers that speak its protocol. */
export const openAiSettings = {
  address: setting(
    "OPENAI_BASE_URL",
    address,
    "address of OpenAI, or of a server that speaks its protocol, with its version",
    openAiUrl
  ),
  key: keySetting("OPENAI_API_KEY", "key for OPENAI_BASE_URL; local servers need none")
} as const

/** OpenAI, or a server that speaks its protocol: Azure, Gemini, OpenRouter, Groq, vLLM, llama.cpp, LM Studio. */
export const openAi: Protocol = {
  name: "openai",
  settings: Object.values(openAiSettings),
  target: targetOf(openAiSettings),
  connect: (wanted, target) =>
    target.address === openAiUrl && Option.isNone(target.key)
      ? noKey(target, `, or set ${target.settings.address}`)
      : connect(wanted, target)
}

const connect = Effect.fnUntraced(function* (wanted: WantedModel, target: Target) {
  const { model } = wanted
  const url = new URL(target.address)
  const own = /(?:^|\.)openai\.(?:com|azure\.com)$/u.test(url.hostname)
  const server: ModelServer = {
    address: url.origin,
    startIt: `Start that server, or set ${target.settings.address}`,
    checkKey: `Set ${target.settings.key} to a key that may use this model`,
    getModel: `Check the name ${model} in DOCFLOW_LLM, and that ${target.settings.address} ends as the server wants it (often /v1)`
  }
  const { at, isAzure } = endpointOf(target.address, model)
  const headers = keyHeader(target, isAzure ? "api-key" : undefined)
  const { transport } = target
  const get = (address: string) => exchangeText(server, { transport, url: address, headers })
  const limitName = {
    usual: own ? "max_completion_tokens" : "max_tokens",
    other: own ? "max_tokens" : "max_completion_tokens"
  }

  const attempt = Effect.fnUntraced(function* (request: LlmRequest, manner: Manner) {
    const isStrict = manner.form === "strict"
    const prompt = promptOf(request, manner, isStrict ? "nullable" : "bare")
    const { content, strict } = prompt
    const named = strict && {
      name: formatName(request),
      ...(isStrict ? { strict: true } : {}),
      schema: strict.schema
    }
    const body = {
      model,
      messages: chatOf(prompt, { content: contentOf(content) }),
      ...(manner.limit === "none" ? {} : { [limitName[manner.limit]]: manner.maxTokens }),
      temperature: manner.temperature,
      reasoning_effort: manner.thinking ? wanted.reasoning : undefined,
      response_format: named
        ? { type: "json_schema", json_schema: named }
        : request.schema !== undefined && manner.form === "json"
          ? { type: "json_object" }
          : undefined
    }
    const text = yield* exchangeText(server, {
      transport,
      url: at("chat/completions"),
      headers,
      body: JSON.stringify(body),
      began: manner.began
    })
    return yield* readCompletion(server, request, manner, strict?.wrapped === true, text)
  })

  return {
    contextTokens:
      wanted.contextTokens ??
      (own || isAzure ? ownContext : yield* contextOf(get, at("models"), url.origin, model)),
    seesPictures: wanted.pictures ?? (own || isAzure),
    forms: ["strict", "shape", "json", "words"],
    // OpenAI's newer models take none but their own.
    temperature: wanted.temperature ?? (own ? undefined : 0),
    thinkingTokens: own && thinks.test(model) ? thinkingTokens : 0,
    attempt
  } satisfies Connected
})

const formatName = ({ schema }: LlmRequest): string =>
  (schema?.name ?? "").replaceAll(/[^\w-]/gu, "_").slice(0, 64) || "answer"

const contentOf = (content: ReadonlyArray<LlmContent>) =>
  content.some(({ type }) => type === "image") ? content.map(partOf) : textOf({ content })

const partOf = (part: LlmContent) =>
  part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image_url", image_url: { url: `data:${part.mimeType};base64,${base64(part.bytes)}` } }

const text = (value: unknown): string => (typeof value === "string" ? value : "")
const isPart = Schema.is(Part)

/** The text of a message, which may be in parts, in a call of a tool, or among the model's thoughts. */
const messageText = (message: typeof Message.Type, isJson: boolean): string => {
  const { content, reasoning, reasoning_content, tool_calls } = message
  const said = Array.isArray(content)
    ? content.flatMap((part) => (isPart(part) ? [part.text] : [])).join("")
    : typeof content === "object" && content !== null
      ? JSON.stringify(content)
      : text(content)
  if (said.trim() !== "" || !isJson) return said
  const [call] = Array.isArray(tool_calls) ? tool_calls : []
  return text(call?.function?.arguments) || text(reasoning_content) || text(reasoning)
}

const isCount = Schema.is(
  Schema.Struct({ prompt_tokens: loose(Schema.Finite), completion_tokens: loose(Schema.Finite) })
)
const count = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0)

const readCompletion = (
  server: ModelServer,
  { schema }: LlmRequest,
  { maxTokens }: Manner,
  wrapped: boolean,
  body: string
): Effect.Effect<RawAnswer, CallFailure> => {
  const failed = Option.getOrUndefined(decodeFailed(body))
  if (failed !== undefined) {
    const { code } = "error" in failed ? failed.error : failed.choices[0].error
    const status = typeof code === "number" && code >= 400 && code < 600 ? code : 502
    return Effect.fail(statusFailure(server, { status, retryAfter: undefined, body }))
  }
  const completion = Option.getOrUndefined(decodeCompletion(body))
  if (completion === undefined) return Effect.fail(notProtocol(server.address, "OpenAI"))
  const [{ finish_reason, message }] = completion.choices
  if (text(message.refusal) !== "" || finish_reason === "content_filter") return Effect.fail(refusal())
  const usage = isCount(completion.usage) ? completion.usage : {}
  const spent = { inputTokens: count(usage.prompt_tokens), outputTokens: count(usage.completion_tokens) }
  if (finish_reason === "length" || finish_reason === "max_tokens") {
    const thought = withoutThinking(messageText(message, false)).trim() === ""
    return Effect.fail(cutOff(maxTokens, { thought, spent }))
  }
  return Effect.succeed({ text: messageText(message, schema !== undefined), wrapped, ...spent })
}
