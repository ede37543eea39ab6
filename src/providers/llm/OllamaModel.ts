import { Config, Effect, Option, Schema, SchemaTransformation } from "effect"
import type { Ollama } from "ollama/browser"
import { setting } from "../../config/Setting.ts"
import type { LlmRequest } from "./Llm.ts"
import { answerTooLong, badAnswer, type CallFailure, requestTooLong } from "./CallFailure.ts"
import { exchange, type Send } from "./ModelHttp.ts"
import { checkedLines } from "./NdjsonLines.ts"
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
import { address } from "./ServerSettings.ts"
import type { ModelServer } from "./StatusFailure.ts"
import { isWrapped, ollamaDialect, strictSchema } from "./StrictSchema.ts"

/** The address of Ollama, and the model. */
interface OllamaOptions extends WantedModel {
  readonly host: string
}

/** The default limit of the context, in tokens: a larger one takes memory even if it is not used. */
const enoughContext = 16_384
/** The context that Ollama itself assumes if a model does not state it, in tokens. */
const unknownContext = 4096
/** How long a model stays in memory after a request. */
const keepAlive = "15m"

const Shown = Schema.Struct({
  capabilities: Schema.optionalKey(Schema.NullOr(Schema.Array(Schema.String))),
  model_info: Schema.optionalKey(Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)))
})
const Part = Schema.Struct({
  message: Schema.optionalKey(Schema.Struct({ content: Schema.optionalKey(Schema.String) })),
  done: Schema.optionalKey(Schema.Boolean),
  done_reason: Schema.optionalKey(Schema.String),
  prompt_eval_count: Schema.optionalKey(Schema.Finite),
  eval_count: Schema.optionalKey(Schema.Finite)
})
const decodeShown = Schema.decodeUnknownSync(Shown)
const decodePart = Schema.decodeUnknownSync(Part)

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
  host: setting("OLLAMA_HOST", ollamaHost, "address of Ollama", "http://127.0.0.1:11434")
} as const

/** Ollama. */
export const ollama = modelProvider({
  name: "ollama",
  settings: ollamaSettings,
  values: Config.all(ollamaSettings),
  connect: (wanted, { host }) => connect({ ...wanted, host })
})

/** Reads the size of the model's context from the server. */
const connect = Effect.fnUntraced(function* (options: OllamaOptions) {
  const server = serverOf(options)
  const shown = yield* exchange(server, async (send) => {
    const client = await clientOf(options.host, (call) => send(call))
    return decoded(server, decodeShown, await client.show({ model: options.model }))
  })
  const [, length] =
    Object.entries(shown.model_info ?? {}).find(([key]) => key.endsWith(".context_length")) ?? []
  const contextTokens = Option.getOrElse(options.contextTokens, () =>
    Math.min(typeof length === "number" ? length : unknownContext, enoughContext)
  )
  return {
    contextTokens,
    seesPictures: Option.getOrElse(options.pictures, () => shown.capabilities?.includes("vision") === true),
    attempt: (request, manner) => chat(server, options, contextTokens, request, manner)
  } satisfies Connected
})

const serverOf = ({ host, model }: OllamaOptions): ModelServer => ({
  address: new URL(host).origin,
  startIt: "Start Ollama there (ollama serve), or set OLLAMA_HOST",
  checkKey: "Set OLLAMA_HOST to an Ollama server that needs no key",
  getModel: `Get it with: ollama pull ${model}`
})

/** Makes a client that reads neither files nor the environment: everything it needs is passed in. */
const clientOf = async (host: string, send: Send): Promise<Ollama> => {
  const { Ollama } = await import("ollama/browser")
  return new Ollama({
    host,
    fetch: async (url, init) => {
      const body = typeof init?.body === "string" ? { body: init.body } : {}
      return new Response(ReadableStream.from(await send({ url: String(url), headers: {}, ...body })))
    }
  })
}

const chat = (
  server: ModelServer,
  { host, model }: OllamaOptions,
  contextTokens: number,
  request: LlmRequest,
  manner: Manner
): Effect.Effect<RawAnswer, CallFailure> => {
  const strict =
    request.schema !== undefined && manner.constrained
      ? strictSchema(request.schema.schema, ollamaDialect)
      : Option.none()
  const images = request.content.flatMap((part) => (part.type === "image" ? [base64(part.bytes)] : []))
  const asked = {
    model,
    stream: true as const,
    // If the context is too small, older servers truncate the prompt silently; these options are for newer ones.
    truncate: false,
    shift: false,
    think: false,
    keep_alive: keepAlive,
    messages: [
      { role: "system", content: withSchema(request) },
      { role: "user", content: textOf(request), ...(images.length > 0 ? { images } : {}) }
    ],
    ...formatOf(request, manner, strict),
    options: { num_ctx: contextTokens, num_predict: request.maxTokens, temperature: manner.temperature }
  }
  return exchange(server, async (send) => {
    const client = await clientOf(host, async (call) => checkedLines(server, await send(call)))
    let text = ""
    let inputTokens = 0
    let outputTokens = 0
    for await (const received of await client.chat(asked)) {
      const part = decoded(server, decodePart, received)
      text += part.message?.content ?? ""
      inputTokens = part.prompt_eval_count ?? inputTokens
      outputTokens = part.eval_count ?? outputTokens
      if (part.done_reason === "length") {
        throw inputTokens + request.maxTokens > contextTokens
          ? requestTooLong()
          : answerTooLong(request.maxTokens)
      }
    }
    // An older server truncated the prompt: the answer is about a part of the document.
    if (inputTokens >= contextTokens || inputTokens + outputTokens > contextTokens) throw requestTooLong()
    return { text, wrapped: isWrapped(strict), inputTokens, outputTokens }
  })
}

/** The output format: a schema that cannot become a grammar still makes the answer JSON. */
const formatOf = (
  { schema }: LlmRequest,
  { constrained }: Manner,
  strict: ReturnType<typeof strictSchema>
): { readonly format?: string | object } => {
  if (schema === undefined) return {}
  if (Option.isSome(strict)) return { format: strict.value.schema }
  return constrained ? { format: "json" } : {}
}

const decoded = <A>(server: ModelServer, decode: (value: unknown) => A, value: unknown): A => {
  try {
    return decode(value)
  } catch {
    throw badAnswer(`${server.address} did not answer in Ollama's protocol`, true)
  }
}
