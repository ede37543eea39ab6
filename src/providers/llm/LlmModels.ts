import { type Config, Effect, Layer, Semaphore } from "effect"
import type { SettingsConflict } from "../../config/Setting.ts"
import { formatModelName, type ModelName } from "../../domain/ModelName.ts"
import { echoModel } from "./EchoModel.ts"
import { Llm, LlmFailure, type LlmModel } from "./Llm.ts"
import type { CallFailure } from "./CallFailure.ts"
import { type Guard, makeGuard } from "./Guard.ts"
import { guardedModel } from "./GuardedModel.ts"
import { checkModels, type ModelSettings, modelSettings } from "./ModelSettings.ts"
import type { Connected } from "./Provider.ts"
import { defaultRetries, type RetryPolicy } from "./RetryWait.ts"

/** The models of the environment; fails if a setting is wrong or missing. */
export const layerConfig: Layer.Layer<Llm, Config.ConfigError | SettingsConflict> = Layer.unwrap(
  Effect.map(Effect.flatMap(modelSettings, checkModels), (settings) => layer(settings))
)

/** The models of the settings. Nothing is asked before a step needs one. */
export const layer = (settings: ModelSettings, retries: RetryPolicy = defaultRetries): Layer.Layer<Llm> =>
  Layer.effect(
    Llm,
    Effect.gen(function* () {
      const providers = new Map(
        yield* Effect.forEach(settings.providers, (provider) =>
          Effect.map(
            Semaphore.make(settings.concurrency),
            (slots) => [provider.name, { ...provider, slots }] as const
          )
        )
      )
      const modelOf = Effect.fnUntraced(function* (name: ModelName) {
        const provider = providers.get(name.provider)
        if (provider === undefined) return Effect.succeed(echoModel)
        const { slots } = provider
        const { timeLimit } = settings
        const guard = yield* makeGuard({ model: formatModelName(name), slots, timeLimit, retries })
        return found(name, provider.connect({ ...settings, model: name.model }), guard)
      })
      const models = new Map(
        yield* Effect.forEach(settings.models, (name) =>
          Effect.map(modelOf(name), (model) => [formatModelName(name), model] as const)
        )
      )
      const choose: Llm["Service"]["choose"] = ({ environment, model }) => {
        if (environment === "test") return Effect.succeed(echoModel)
        const names = [...models.keys()]
        return models.get(model ?? names[0] ?? "") ?? Effect.fail(notThere(model, names))
      }
      return Llm.of({ choose })
    })
  )

/** Connects to the model on first use, and tries again until that succeeds. */
const found = (
  name: ModelName,
  connect: Effect.Effect<Connected, CallFailure>,
  guard: Guard
): Effect.Effect<LlmModel, LlmFailure> => {
  let model: LlmModel | undefined
  return Effect.suspend(() =>
    model === undefined
      ? Effect.map(guard(connect), (connected) => (model = guardedModel(name, connected, guard)))
      : Effect.succeed(model)
  )
}

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
