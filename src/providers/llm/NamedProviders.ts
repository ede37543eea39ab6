import { ConfigProvider, Config, Duration, Effect, Option, Redacted, Result, Schema } from "effect"
import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { parse } from "yaml"
import { SettingsConflict } from "../../config/Setting.ts"
import { defined } from "../../support/Defined.ts"
import type { Protocol, Target } from "./Provider.ts"
import { address, proxySettings } from "./ServerSettings.ts"
import { anthropic } from "./AnthropicModel.ts"
import { ollama } from "./OllamaModel.ts"
import { openAi } from "./OpenAiModel.ts"

/** Every protocol of models that `DOCFLOW_LLM` can name, in addition to `echo`. */
export const modelProviders: ReadonlyArray<Protocol> = [ollama, openAi, anthropic]

/** The form of a model name, for messages. */
export const modelNameForm = `${modelProviders.map(({ name }) => `${name}:<model>`).join(", ")} or echo`

const tokens = Schema.Int.check(Schema.isBetween({ minimum: 512, maximum: 10_000_000 }))
const price = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))

/** What the file says about a model. */
const ModelOptions = Schema.Struct({
  context: Schema.optionalKey(tokens),
  pictures: Schema.optionalKey(Schema.Boolean),
  temperature: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 2 }))),
  /** `none`, or an effort in the provider's words. */
  reasoning: Schema.optionalKey(Schema.String),
  /** The model to ask if this one fails, as flows name it. */
  fallback: Schema.optionalKey(Schema.String),
  /** Dollars for a million tokens. */
  price: Schema.optionalKey(Schema.Struct({ input: price, output: price }))
})
export type ModelOptions = typeof ModelOptions.Type

/** A string that may name variables of the environment: `${AZURE_KEY}`. */
const Provider = Schema.Struct({
  protocol: Schema.Literals(modelProviders.map(({ name }) => name)),
  address,
  key: Schema.optionalKey(Schema.String),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** Files with PEM, relative to this one. */
  tls: Schema.optionalKey(
    Schema.Struct({
      cert: Schema.optionalKey(Schema.String),
      key: Schema.optionalKey(Schema.String),
      ca: Schema.optionalKey(Schema.String)
    })
  ),
  concurrency: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 10_000 }))),
  timeout: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 3600 }))),
  models: Schema.optionalKey(Schema.Record(Schema.String, Schema.NullOr(ModelOptions)))
})
const File = Schema.Struct({
  providers: Schema.Record(Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9-]{0,30}$/u)), Provider)
})
const decode = Schema.decodeUnknownResult(File, { onExcessProperty: "error", errors: "all" })

/** A provider that models can be asked of. */
export interface ReadyProvider {
  readonly name: string
  readonly protocol: Protocol
  readonly target: Target
  readonly concurrency?: number
  readonly timeLimit?: Duration.Duration
  readonly models: Readonly<Record<string, ModelOptions>>
}

const variable = /\$\{([A-Z_][A-Z0-9_]*)\}/gu

/** Fills in variables of the environment; a missing one is an error, not an empty key. */
const filled = Effect.fnUntraced(function* (path: string, where: string, text: string) {
  let value = text
  for (const [whole, name = ""] of text.matchAll(variable)) {
    const found = yield* Effect.option(Config.String(name).parse(yield* ConfigProvider.ConfigProvider))
    if (Option.isNone(found) || found.value === "")
      return yield* new SettingsConflict({ message: `${path}: ${where} needs the variable ${name}: set it` })
    value = value.replace(whole, () => found.value)
  }
  return Redacted.make(value, { label: where })
})

const textOf = (path: string, file: string): Effect.Effect<string, SettingsConflict> =>
  Effect.try({
    try: () => readFileSync(file, "utf8"),
    catch: () => new SettingsConflict({ message: `${path}: ${file} cannot be read` })
  })

/** Reads the providers of a file of `DOCFLOW_MODELS`. */
export const readProviders = Effect.fnUntraced(function* (path: string) {
  const text = yield* textOf("DOCFLOW_MODELS", path)
  const read = Result.flatMap(
    Result.try({ try: (): unknown => parse(text), catch: (error) => error }),
    (value): Result.Result<typeof File.Type, unknown> => decode(value)
  )
  if (Result.isFailure(read))
    return yield* new SettingsConflict({
      message: `DOCFLOW_MODELS: ${path} is not valid: ${String(read.failure)}`
    })
  const proxy = yield* Effect.mapError(
    proxySettings.parse(yield* ConfigProvider.ConfigProvider),
    ({ message }) => new SettingsConflict({ message })
  )
  return yield* Effect.forEach(Object.entries(read.success.providers), ([name, provider]) =>
    Effect.gen(function* () {
      const where = `providers.${name}`
      const protocol = modelProviders.find((known) => known.name === provider.protocol)
      if (protocol === undefined || modelProviders.some((known) => known.name === name))
        return yield* new SettingsConflict({
          message: `${path}: ${where} has the name of a protocol: choose another name`
        })
      const pem = (file: string | undefined) =>
        file === undefined ? Effect.undefined : textOf(path, resolve(dirname(path), file))
      const { cert, ca, key } = yield* Effect.all({
        cert: pem(provider.tls?.cert),
        ca: pem(provider.tls?.ca),
        key: pem(provider.tls?.key)
      })
      const headers = yield* Effect.forEach(Object.entries(provider.headers ?? {}), ([header, value]) =>
        Effect.map(filled(path, `${where}.headers.${header}`, value), (found) => [header, found] as const)
      )
      const target: Target = {
        address: provider.address,
        key:
          provider.key === undefined
            ? Option.none()
            : Option.some(yield* filled(path, `${where}.key`, provider.key)),
        transport: {
          headers: Object.fromEntries(headers),
          proxy,
          tls: defined({ cert, ca, key: key === undefined ? undefined : Redacted.make(key) })
        },
        settings: { address: `${where}.address in ${path}`, key: `${where}.key in ${path}` }
      }
      const ready: ReadyProvider = {
        name,
        protocol,
        target,
        models: Object.fromEntries(
          Object.entries(provider.models ?? {}).map(([model, options]) => [model, options ?? {}])
        ),
        ...defined({
          concurrency: provider.concurrency,
          timeLimit: provider.timeout === undefined ? undefined : Duration.seconds(provider.timeout)
        })
      }
      return ready
    })
  )
})
