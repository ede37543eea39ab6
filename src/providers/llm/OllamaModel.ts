import { Effect, Option, Schema, SchemaTransformation } from "effect"
import { setting } from "../../config/Setting.ts"
import type { LlmRequest } from "./Llm.ts"
import { type CallFailure, cutOff, notProtocol, requestTooLong, unavailable } from "./CallFailure.ts"
import { exchange, exchangeText, type ModelCall } from "./ModelHttp.ts"
import {
  base64,
  chatOf,
  type Connected,
  keyHeader,
  type Manner,
  promptOf,
  type Protocol,
  type RawAnswer,
  type Target,
  textOf,
  type WantedModel
} from "./Provider.ts"
import { address, keySetting, targetOf } from "./ServerSettings.ts"
import { type ModelServer, statusFailure } from "./StatusFailure.ts"
import { withoutThinking } from "./ReadAnswer.ts"

/** The default limit of the context, in tokens: a larger one takes memory even if it is not used. */
const enoughContext = 16_384
/** The context that Ollama itself assumes if a model does not state it, in tokens. */
const unknownContext = 4096
/** How long a model stays in memory after a request. */
const keepAlive = "15m"

const Shown = Schema.fromJsonString(
  Schema.Struct({
    capabilities: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
    model_info: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)))
  })
)
const Line = Schema.fromJsonString(
  Schema.Struct({
    error: Schema.optionalKey(Schema.Unknown),
    message: Schema.optionalKey(Schema.Struct({ content: Schema.optionalKey(Schema.NullOr(Schema.String)) })),
    done: Schema.optionalKey(Schema.Boolean),
    done_reason: Schema.optionalKey(Schema.NullOr(Schema.String)),
    prompt_eval_count: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
    eval_count: Schema.optionalKey(Schema.NullOr(Schema.Finite))
  })
)
const decodeShown = Schema.decodeUnknownOption(Shown)
const decodeLine = Schema.decodeUnknownOption(Line)

/** Completes an address as Ollama itself does: scheme and port are optional. */
const completeHost = (text: string): string => {
  const host = text.startsWith(":") ? `127.0.0.1${text}` : text
  if (host.includes("://")) return host
  return /:\d+$/u.test(host) ? `http://${host}` : `http://${host}:11434`
}
const ollamaHost = Schema.String.pipe(
  Schema.decodeTo(
    address,
    SchemaTransformation.transform<string, string>({ decode: completeHost, encode: (host) => host })
  )
)

/** The settings of Ollama. */
export const ollamaSettings = {
  address: setting("OLLAMA_HOST", ollamaHost, "address of Ollama", "http://127.0.0.1:11434"),
  key: keySetting("OLLAMA_API_KEY", "key for OLLAMA_HOST; a server of your own needs none")
} as const

/** Ollama. */
export const ollama: Protocol = {
  name: "ollama",
  settings: Object.values(ollamaSettings),
  target: targetOf(ollamaSettings),
  connect: (wanted, target) => connect(wanted, target)
}

/** Reads the size of the model's context from the server. */
const connect = Effect.fnUntraced(function* (wanted: WantedModel, target: Target) {
  const { model } = wanted
  const server: ModelServer = {
    address: new URL(target.address).origin,
    startIt: `Start Ollama there (ollama serve), or set ${target.settings.address}`,
    checkKey: `Set ${target.settings.key} to a key that may use this model, or ${target.settings.address}`,
    getModel: `Get it with: ollama pull ${model}`
  }
  const shown = decodeShown(yield* exchangeText(server, callOf(target, "show", { model })))
  if (Option.isNone(shown)) return yield* notProtocol(server.address, "Ollama")
  const { capabilities, model_info } = shown.value
  const [, length] = Object.entries(model_info ?? {}).find(([key]) => key.endsWith(".context_length")) ?? []
  const contextTokens =
    wanted.contextTokens ?? Math.min(typeof length === "number" ? length : unknownContext, enoughContext)
  return {
    contextTokens,
    seesPictures: wanted.pictures ?? capabilities?.includes("vision") === true,
    forms: ["strict", "json", "words"],
    temperature: wanted.temperature ?? 0,
    thinkingTokens: 0,
    attempt: (request, manner) => chat(server, target, wanted, contextTokens, request, manner)
  } satisfies Connected
})

const callOf = (target: Target, resource: string, body: object): ModelCall => ({
  transport: target.transport,
  url: `${target.address.replace(/\/+$/u, "").replace(/\/(?:v1|api)$/u, "")}/api/${resource}`,
  headers: keyHeader(target),
  body: JSON.stringify(body)
})

const levels = ["high", "medium", "low"] as const

const thinkOf = (reasoning: string | undefined): (typeof levels)[number] | boolean =>
  levels.find((level) => level === reasoning) ?? (reasoning !== undefined && reasoning !== "none")

const chat = (
  server: ModelServer,
  target: Target,
  { model, reasoning }: WantedModel,
  contextTokens: number,
  request: LlmRequest,
  manner: Manner
): Effect.Effect<RawAnswer, CallFailure> => {
  const prompt = promptOf(request, manner, "nullable")
  const images = request.content.flatMap((part) => (part.type === "image" ? [base64(part.bytes)] : []))
  const asked = {
    model,
    stream: true,
    // If the context is too small, older servers truncate the prompt silently; these options are for newer ones.
    truncate: false,
    shift: false,
    ...(manner.thinking ? { think: thinkOf(reasoning) } : {}),
    keep_alive: keepAlive,
    messages: chatOf(prompt, { content: textOf(prompt), ...(images.length > 0 ? { images } : {}) }),
    // A schema that cannot become a grammar still makes the answer JSON.
    format:
      prompt.strict?.schema ?? (request.schema !== undefined && manner.form !== "words" ? "json" : undefined),
    options: { num_ctx: contextTokens, num_predict: manner.maxTokens, temperature: manner.temperature }
  }
  return exchange(server, async (send) => {
    let text = ""
    let inputTokens = 0
    let outputTokens = 0
    for await (const received of linesOf(
      await send({ ...callOf(target, "chat", asked), began: manner.began })
    )) {
      const line = Option.getOrUndefined(decodeLine(received))
      if (line === undefined) throw notProtocol(server.address, "Ollama")
      if (line.error !== undefined)
        throw statusFailure(server, { status: 500, retryAfter: undefined, body: received })
      text += line.message?.content ?? ""
      inputTokens = line.prompt_eval_count ?? inputTokens
      outputTokens = line.eval_count ?? outputTokens
      if (line.done_reason === "length") {
        const thought = withoutThinking(text).trim() === ""
        throw inputTokens + manner.maxTokens > contextTokens
          ? requestTooLong()
          : cutOff(manner.maxTokens, { thought, spent: { inputTokens, outputTokens } })
      }
      if (line.done !== true) continue
      // An older server truncated the prompt: the answer is about a part of the document.
      if (inputTokens >= contextTokens || inputTokens + outputTokens > contextTokens) throw requestTooLong()
      return { text, wrapped: prompt.strict?.wrapped === true, inputTokens, outputTokens }
    }
    throw unavailable(
      `the answer of ${server.address} broke off`,
      "Run it again; if it stays so, look at its log"
    )
  })
}

/** The lines of a stream that are not empty. */
async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let begun: Array<string> = []
  for await (const chunk of chunks) {
    const [first = "", ...others] = decoder.decode(chunk, { stream: true }).split("\n")
    begun.push(first)
    for (const next of others) {
      const line = begun.join("").trim()
      begun = [next]
      if (line !== "") yield line
    }
  }
  const rest = begun.join("").trim()
  if (rest !== "") yield rest
}
