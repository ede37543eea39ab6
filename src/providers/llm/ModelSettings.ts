import { Config, Duration, Effect, Equal, Option, Schema, SchemaTransformation } from "effect"
import { count, type Description, mapped, optional, setting, SettingsConflict } from "../../config/Setting.ts"
import { formatModelName, ModelName, parseModelName } from "../../domain/ModelName.ts"
import { modelNameForm, modelProviders, readProviders, type ReadyProvider } from "./NamedProviders.ts"

const models = Schema.String.check(
  Schema.makeFilter(
    (list: string) =>
      list === "" || list.split(",").every((name) => Option.isSome(parseModelName(name.trim()))),
    {
      message: `must be ${modelNameForm}; several are separated by commas`
    }
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
const seconds = Schema.FiniteFromString.check(Schema.isBetween({ minimum: 1, maximum: 3600 }))
const tokens = Schema.FiniteFromString.check(
  Schema.isInt(),
  Schema.isBetween({ minimum: 512, maximum: 10_000_000 })
)

/** The settings of all models, whoever provides them. */
const own = {
  models: mapped(
    optional(
      "DOCFLOW_LLM",
      models,
      `models that steps may use, separated by commas; the first one is the default: ${modelNameForm}`
    ),
    Option.getOrElse((): ReadonlyArray<ModelName> => [])
  ),
  file: mapped(
    optional("DOCFLOW_MODELS", Schema.String, "file of named providers and their models, models.yaml"),
    Option.filter((path) => path !== "")
  ),
  concurrency: setting(
    "DOCFLOW_LLM_CONCURRENCY",
    count,
    "maximum number of simultaneous requests to each provider",
    4
  ),
  timeLimit: mapped(
    setting("DOCFLOW_LLM_TIMEOUT", seconds, "maximum number of seconds for a request to a model", 120),
    (limit) => Duration.seconds(limit)
  ),
  contextTokens: optional(
    "DOCFLOW_LLM_CONTEXT",
    tokens,
    "maximum number of tokens of a request to a model and its answer together",
    "as the server reports, or as known of the provider; at most 16384 for Ollama"
  ),
  pictures: mapped(
    optional(
      "DOCFLOW_LLM_PICTURES",
      Schema.Literals(["yes", "no"]),
      "whether the models accept pictures: yes or no",
      "as Ollama reports; yes for OpenAI and Anthropic, no for other servers"
    ),
    Option.map((answer) => answer === "yes")
  )
} as const

/** The settings of the models, read; providers are those of the environment. */
export const modelSettings = Config.all({
  ...own,
  providers: Config.all(
    modelProviders.map((protocol) =>
      Config.map(protocol.target, (target): ReadyProvider => ({
        name: protocol.name,
        protocol,
        target,
        models: {}
      }))
    )
  )
})
export type ModelSettings = typeof modelSettings extends Config.Config<infer A> ? A : never

/** Adds the providers of the file; fails if a configured model has none. */
export const checkModels = Effect.fnUntraced(function* (settings: ModelSettings) {
  const named = Option.isSome(settings.file) ? yield* readProviders(settings.file.value) : []
  const providers = [...settings.providers, ...named]
  const listed = named.flatMap(({ models, name }) =>
    Object.keys(models).map((model): ModelName => ({ provider: name, model }))
  )
  const models = [
    ...settings.models,
    ...listed.filter((one) => !settings.models.some((known) => Equal.equals(known, one)))
  ]
  for (const name of models) {
    if (name.provider === "echo") continue
    if (!providers.some((known) => known.name === name.provider))
      return yield* new SettingsConflict({
        message: `DOCFLOW_LLM: must be ${modelNameForm}; no provider ${name.provider} is in DOCFLOW_MODELS either`
      })
  }
  const options = named.flatMap(({ models }) => Object.values(models))
  const missing = options.find(
    ({ fallback }) => fallback !== undefined && !models.some((one) => formatModelName(one) === fallback)
  )?.fallback
  if (missing !== undefined)
    return yield* new SettingsConflict({
      message: `DOCFLOW_MODELS: the fallback ${missing} is no configured model: add it to DOCFLOW_LLM or to its provider's models`
    })
  const checked: ModelSettings = { ...settings, providers, models }
  return checked
})

/** Every setting of models and their providers, as `docflow serve --help` lists it. */
export const modelSettingsHelp: ReadonlyArray<Description> = [
  ...Object.values(own),
  ...modelProviders.flatMap(({ settings }) => settings)
]
