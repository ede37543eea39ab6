import { Effect, Layer, Option, type Redacted, Semaphore } from "effect"
import type { ModelSettings } from "../../config/ModelSettings.ts"
import { formatModelName, type ModelName } from "../../domain/ModelName.ts"
import * as AnthropicModel from "./AnthropicModel.ts"
import { echoModel } from "./EchoModel.ts"
import { Llm, LlmFailure, type LlmModel } from "./Llm.ts"
import { type CallFailure, final } from "./CallFailure.ts"
import { type Guard, makeGuard } from "./Guard.ts"
import { guardedModel } from "./GuardedModel.ts"
import type { Connected } from "./Provider.ts"
import { defaultRetries, type RetryPolicy } from "./RetryWait.ts"
import * as OllamaModel from "./OllamaModel.ts"
import * as OpenAiModel from "./OpenAiModel.ts"

type RemoteName = Exclude<ModelName, { readonly provider: "echo" }>

/** The models of the settings. Nothing is asked before a step needs one. */
export const layer = (settings: ModelSettings, retries: RetryPolicy = defaultRetries): Layer.Layer<Llm> =>
  Layer.effect(
    Llm,
    Effect.gen(function* () {
      const places = {
        ollama: yield* Semaphore.make(settings.concurrency),
        openai: yield* Semaphore.make(settings.concurrency),
        anthropic: yield* Semaphore.make(settings.concurrency)
      }
      const remote = (name: RemoteName) =>
        Effect.map(
          makeGuard({
            model: formatModelName(name),
            places: places[name.provider],
            timeLimit: settings.timeLimit,
            retries
          }),
          (guard) => found(name, settings, guard)
        )
      const models = new Map(
        yield* Effect.forEach(settings.models, (name) =>
          Effect.map(
            name.provider === "echo" ? Effect.succeed(Effect.succeed(echoModel)) : remote(name),
            (model) => [formatModelName(name), model] as const
          )
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

/** Looks for the model when it is first wanted, and again for as long as it is not found. */
const found = (
  name: RemoteName,
  settings: ModelSettings,
  guard: Guard
): Effect.Effect<LlmModel, LlmFailure> => {
  let model: LlmModel | undefined
  return Effect.suspend(() =>
    model === undefined
      ? Effect.map(
          guard(connect(name, settings)),
          (connected) => (model = guardedModel(name, connected, guard))
        )
      : Effect.succeed(model)
  )
}

const connect = (
  { model, provider }: RemoteName,
  settings: ModelSettings
): Effect.Effect<Connected, CallFailure> => {
  const known = { model, contextTokens: settings.contextTokens, pictures: settings.pictures }
  switch (provider) {
    case "ollama":
      return OllamaModel.connect({ ...known, host: settings.ollamaHost })
    case "openai":
      return OpenAiModel.connect({ ...known, baseUrl: settings.openAiBaseUrl, key: settings.openAiKey })
    case "anthropic":
      return Option.match(settings.anthropicKey, {
        onNone: () => Effect.fail(final("not-configured", "it has no key", "Set ANTHROPIC_API_KEY")),
        onSome: (key: Redacted.Redacted) =>
          Effect.succeed(AnthropicModel.connect({ ...known, baseUrl: settings.anthropicBaseUrl, key }))
      })
  }
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
