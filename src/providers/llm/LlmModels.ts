import { Clock, type Config, Effect, Layer, Option, Redacted } from "effect"
import { hash } from "node:crypto"
import type { SettingsConflict } from "../../config/Setting.ts"
import { formatModelName, type ModelName } from "../../domain/ModelName.ts"
import { echoModel } from "./EchoModel.ts"
import { Llm, LlmFailure, type LlmModel } from "./Llm.ts"
import type { CallFailure } from "./CallFailure.ts"
import { type Guard, makeGuard } from "./Guard.ts"
import { described, guardedModel } from "./GuardedModel.ts"
import { checkModels, type ModelSettings, modelSettings } from "./ModelSettings.ts"
import { ModelAccounts } from "./ModelAccounts.ts"
import { ModelRun } from "./ModelRun.ts"
import type { ModelOptions, ReadyProvider } from "./NamedProviders.ts"
import { ModelPlaces } from "./ModelPlaces.ts"
import type { Connected, Target, WantedModel } from "./Provider.ts"
import { defaultRetries, type RetryPolicy } from "./RetryWait.ts"

/** The models of the environment; fails if a setting is wrong or missing. */
export const layerConfig: Layer.Layer<Llm, Config.ConfigError | SettingsConflict> = Layer.unwrap(
  Effect.map(Effect.flatMap(modelSettings, checkModels), (settings) => layer(settings))
)

/** The most models that are kept connected, with all keys of organizations. */
const mostModels = 1000

type ProviderInUse = ReadyProvider & { readonly places: ModelPlaces }

const withOwnKey = ({ name, target }: ReadyProvider, key: Option.Option<Redacted.Redacted>): Target => ({
  ...target,
  key,
  settings: { ...target.settings, key: `the organization's key for ${name}` }
})

/** The models of the settings. Nothing is asked before a step needs one. */
export const layer = (settings: ModelSettings, retries: RetryPolicy = defaultRetries): Layer.Layer<Llm> =>
  Layer.effect(
    Llm,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const providers = new Map(
        settings.providers.map((provider) => {
          const places = new ModelPlaces(provider.concurrency ?? settings.concurrency, () =>
            clock.currentTimeMillisUnsafe()
          )
          return [provider.name, { ...provider, places }] as const
        })
      )
      const names = new Map(settings.models.map((name) => [formatModelName(name), name] as const))
      const made = new Map<string, Effect.Effect<LlmModel, LlmFailure>>()

      const make = Effect.fnUntraced(function* (
        name: ModelName,
        provider: ProviderInUse,
        key: Option.Option<Redacted.Redacted>
      ) {
        const { places, protocol } = provider
        const target = Option.isNone(key) ? provider.target : withOwnKey(provider, key)
        const options = provider.models[name.model] ?? {}
        const guard = yield* makeGuard({
          model: formatModelName(name),
          places,
          timeLimit: provider.timeLimit ?? settings.timeLimit,
          retries
        })
        const wanted: WantedModel = {
          model: name.model,
          contextTokens: options.context ?? Option.getOrUndefined(settings.contextTokens),
          pictures: options.pictures ?? Option.getOrUndefined(settings.pictures),
          temperature: options.temperature,
          reasoning: options.reasoning
        }
        const own = found(name, protocol.connect(wanted, target), guard, options)
        const { fallback } = options
        return fallback === undefined ? own : withFallback(own, modelFor(fallback))
      })

      /** A model by its name, for the organization that asks: with its own key at the provider, if it has one. */
      const modelFor = (model: string | undefined): Effect.Effect<LlmModel, LlmFailure> =>
        Effect.gen(function* () {
          const [first] = names.keys()
          const name = names.get(model ?? first ?? "")
          if (name === undefined) return yield* notThere(model, [...names.keys()])
          const provider = providers.get(name.provider)
          if (provider === undefined) return echoModel
          const { organization } = yield* ModelRun
          const key = yield* (yield* ModelAccounts).keyOf(organization, provider.name)
          const secret = Option.match(key, { onNone: () => "", onSome: Redacted.value })
          const id = hash("sha256", `${formatModelName(name)} ${secret}`)
          const known = made.get(id) ?? (yield* make(name, provider, key))
          // The one that was not asked for the longest time goes first.
          made.delete(id)
          made.set(id, known)
          const [oldest] = made.keys()
          if (made.size > mostModels && oldest !== undefined) made.delete(oldest)
          return yield* known
        })

      const choose: Llm["Service"]["choose"] = ({ environment, model }) =>
        environment === "test" ? Effect.succeed(echoModel) : modelFor(model)
      return Llm.of({ choose, providers: [...providers.keys()] })
    })
  )

/** Connects to the model on first use, and tries again until that succeeds. */
const found = (
  name: ModelName,
  connect: Effect.Effect<Connected, CallFailure>,
  guard: Guard,
  options: ModelOptions
): Effect.Effect<LlmModel, LlmFailure> => {
  let model: LlmModel | undefined
  return Effect.suspend(() =>
    model === undefined
      ? guard(() => connect).pipe(
          Effect.mapError((failure) => described(formatModelName(name), failure)),
          Effect.map((connected) => (model = guardedModel(name, connected, guard, options.price)))
        )
      : Effect.succeed(model)
  )
}

/** Failures that another model does not change: less has to be asked. */
const asksTooMuch = ({ reason }: LlmFailure): boolean =>
  reason === "too-long" || reason === "cut-off" || reason === "over-budget"

/** A model that is replaced by another one for the requests that it cannot answer. */
const withFallback = (
  own: Effect.Effect<LlmModel, LlmFailure>,
  other: Effect.Effect<LlmModel, LlmFailure>
): Effect.Effect<LlmModel, LlmFailure> =>
  own.pipe(
    Effect.map((model): LlmModel => ({
      name: model.name,
      get contextTokens() {
        return model.contextTokens
      },
      get outputTokens() {
        return model.outputTokens
      },
      seesPictures: model.seesPictures,
      ask: (request) =>
        Effect.catch(model.ask(request), (failure) =>
          asksTooMuch(failure)
            ? Effect.fail(failure)
            : Effect.flatMap(other, (next) =>
                Effect.map(next.ask(request), (answer) => ({ ...answer, model: answer.model ?? next.name }))
              )
        )
    })),
    Effect.catch(() => other)
  )

const notThere = (model: string | undefined, names: ReadonlyArray<string>): LlmFailure =>
  model === undefined || names.length === 0
    ? new LlmFailure({
        reason: "not-configured",
        message: "No model is set; set DOCFLOW_LLM, like ollama:llama3.2."
      })
    : new LlmFailure({
        reason: "model-missing",
        message: `The model ${model} is not in DOCFLOW_LLM, which has ${names.join(", ")}.`
      })
