import { Config, Duration, Option, Redacted, Schema, SchemaTransformation } from "effect"
import { formatModelName, ModelName, modelNameForm, parseModelName } from "../domain/ModelName.ts"
import { count, optional, setting } from "./Setting.ts"

const models = Schema.String.check(
  Schema.makeFilter(
    (list: string) =>
      list === "" || list.split(",").every((name) => Option.isSome(parseModelName(name.trim()))),
    { message: `must be ${modelNameForm}; several are separated by commas` }
  )
).pipe(
  Schema.decodeTo(
    Schema.Array(ModelName),
    SchemaTransformation.transform<ReadonlyArray<ModelName>, string>({
      decode: (list) => list.split(",").flatMap((name) => Option.toArray(parseModelName(name.trim()))),
      encode: (names) => names.map(formatModelName).join(",")
    })
  )
)

const isAddress = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/u.test(url.protocol) && url.username === "" && url.password === ""
}
const address = Schema.String.check(
  Schema.makeFilter(isAddress, {
    message: "must be an address, like https://models.example.com, without a password"
  })
)

/** As Ollama itself reads it: scheme and port may be left out. */
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

const key = (label: string) =>
  Schema.RedactedFromValue(
    Schema.String.check(Schema.isPattern(/^[!-~]*$/u, { message: "must be one line without spaces" })),
    { label }
  )
const seconds = Schema.FiniteFromString.check(Schema.isBetween({ minimum: 1, maximum: 3600 }))
const tokens = Schema.FiniteFromString.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: 512, maximum: 10_000_000 })
)

/** Compose files like to hand on variables that are not set as empty ones. */
const isFilled = (key: Redacted.Redacted): boolean => Redacted.value(key) !== ""

/** The settings of the models. */
export const modelTable = {
  DOCFLOW_LLM: optional(
    models,
    `models that steps may ask, the first unless they name another: ${modelNameForm}`
  )("DOCFLOW_LLM"),
  DOCFLOW_LLM_CONCURRENCY: setting(count, "requests that are made at once to each provider")(
    "DOCFLOW_LLM_CONCURRENCY",
    4
  ),
  DOCFLOW_LLM_TIMEOUT: setting(seconds, "seconds that an attempt to ask a model may take")(
    "DOCFLOW_LLM_TIMEOUT",
    120
  ),
  DOCFLOW_LLM_CONTEXT: optional(
    tokens,
    "tokens that a request to a model and its answer may have together",
    "asked of the server or known of the provider; at most 16384 of Ollama"
  )("DOCFLOW_LLM_CONTEXT"),
  DOCFLOW_LLM_PICTURES: optional(
    Schema.Literals(["yes", "no"]),
    "whether the models take pictures: yes or no",
    "asked of Ollama; yes for OpenAI and Anthropic, no for other servers"
  )("DOCFLOW_LLM_PICTURES"),
  OLLAMA_HOST: setting(ollamaHost, "address of Ollama")("OLLAMA_HOST", "http://127.0.0.1:11434"),
  OPENAI_BASE_URL: setting(
    address,
    "address of OpenAI, or of a server that speaks its protocol, with its version"
  )("OPENAI_BASE_URL", "https://api.openai.com/v1"),
  OPENAI_API_KEY: optional(
    key("OPENAI_API_KEY"),
    "key for OPENAI_BASE_URL; local servers need none"
  )("OPENAI_API_KEY"),
  ANTHROPIC_BASE_URL: setting(address, "address of Anthropic's API")(
    "ANTHROPIC_BASE_URL",
    "https://api.anthropic.com"
  ),
  ANTHROPIC_API_KEY: optional(key("ANTHROPIC_API_KEY"), "key for Anthropic's API")("ANTHROPIC_API_KEY")
} as const

/** The settings of the models, as they are used. */
export const modelSettings = Config.all({
  models: Config.map(
    modelTable.DOCFLOW_LLM.config,
    Option.getOrElse((): ReadonlyArray<ModelName> => [])
  ),
  concurrency: modelTable.DOCFLOW_LLM_CONCURRENCY.config,
  timeLimit: Config.map(modelTable.DOCFLOW_LLM_TIMEOUT.config, (limit) => Duration.seconds(limit)),
  contextTokens: modelTable.DOCFLOW_LLM_CONTEXT.config,
  pictures: Config.map(
    modelTable.DOCFLOW_LLM_PICTURES.config,
    Option.map((answer) => answer === "yes")
  ),
  ollamaHost: modelTable.OLLAMA_HOST.config,
  openAiBaseUrl: modelTable.OPENAI_BASE_URL.config,
  openAiKey: Config.map(modelTable.OPENAI_API_KEY.config, Option.filter(isFilled)),
  anthropicBaseUrl: modelTable.ANTHROPIC_BASE_URL.config,
  anthropicKey: Config.map(modelTable.ANTHROPIC_API_KEY.config, Option.filter(isFilled))
})
export type ModelSettings = typeof modelSettings extends Config.Config<infer A> ? A : never

/** Which key the models need that is not set. */
export const keyMissing = (settings: ModelSettings): string | undefined => {
  const uses = (wanted: string) => settings.models.some(({ provider }) => provider === wanted)
  if (uses("anthropic") && Option.isNone(settings.anthropicKey)) {
    return "DOCFLOW_LLM names a model of anthropic, which needs ANTHROPIC_API_KEY: set it"
  }
  const own = settings.openAiBaseUrl === modelTable.OPENAI_BASE_URL.fallback
  return uses("openai") && own && Option.isNone(settings.openAiKey)
    ? "DOCFLOW_LLM names a model of openai, which needs OPENAI_API_KEY: set it, or OPENAI_BASE_URL"
    : undefined
}
