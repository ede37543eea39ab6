import { Config, Duration, Effect, Option, Schema, SchemaTransformation } from "effect"
import { count, type Description, mapped, optional, setting, SettingsConflict } from "../../config/Setting.ts"
import { formatModelName, ModelName, parseModelName } from "../../domain/ModelName.ts"
import { modelNameForm, modelProviders } from "./ModelProviders.ts"

const isKnown = (name: string): boolean =>
  Option.exists(
    parseModelName(name),
    ({ provider }) => provider === "echo" || modelProviders.some((known) => known.name === provider)
  )
const models = Schema.String.check(
  Schema.makeFilter((list: string) => list === "" || list.split(",").every((name) => isKnown(name.trim())), {
    message: `must be ${modelNameForm}; several are separated by commas`
  })
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

/** The settings of the models, read. */
export const modelSettings = Config.all({
  ...own,
  providers: Config.all(modelProviders.map(({ read }) => read))
})
export type ModelSettings = typeof modelSettings extends Config.Config<infer A> ? A : never

/** Fails if the provider of a configured model lacks a setting. */
export const checkModels = (settings: ModelSettings): Effect.Effect<ModelSettings, SettingsConflict> => {
  const problem = settings.providers.find(
    ({ name, problem }) => problem !== undefined && settings.models.some(({ provider }) => provider === name)
  )?.problem
  return problem === undefined
    ? Effect.succeed(settings)
    : Effect.fail(new SettingsConflict({ message: problem }))
}

/** Every setting of models and their providers, as `docflow serve --help` lists it. */
export const modelSettingsHelp: ReadonlyArray<Description> = [
  ...Object.values(own),
  ...modelProviders.flatMap(({ settings }) => settings)
]
