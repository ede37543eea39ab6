import { Context, Effect, Layer, Schema } from "effect"
import type { JsonSchema } from "effect"
import type { Environment } from "../../domain/Organization.ts"

/**
 * A model gave no answer that can be used. `reason` is for whoever decides what to do next; `message` is for people: it
 * says what went wrong and what to do, and holds neither text of the document nor a secret. `not-configured` is only said
 * where no model is set or its key is missing: a step that can go on without one may do so.
 */
export class LlmFailure extends Schema.TaggedError<LlmFailure>()("LlmFailure", {
  reason: Schema.Literals([
    "not-configured",
    "model-missing",
    "refused",
    "limited",
    "unavailable",
    "timed-out",
    "bad-answer",
    "too-long",
    "breaker-open"
  ]),
  message: Schema.String
}) {}

/** A part of what a model is shown: text, or a picture for models that see. */
export type LlmContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mimeType: "image/png" | "image/jpeg"; readonly bytes: Uint8Array }

/** What a model is asked. */
export interface LlmRequest {
  /** What the flow's author and docflow want: the only instructions there are. */
  readonly instructions: string
  /** What it is about: text of a document is data here, whatever it says. */
  readonly content: ReadonlyArray<LlmContent>
  /** With a schema the answer is JSON that fits it; without one it is text. */
  readonly schema?: { readonly name: string; readonly schema: JsonSchema.JsonSchema }
  /** The longest answer, in tokens. */
  readonly maxTokens: number
}

/** What a model answered. */
export interface LlmAnswer {
  /** The text of the answer; of a request with a schema: JSON that was parsed and fits. */
  readonly value: unknown
  readonly inputTokens: number
  readonly outputTokens: number
}

/** A model that can be asked. */
export interface LlmModel {
  /** Its provider and name, as in `DOCFLOW_LLM`: `ollama:llama3.2`. */
  readonly name: string
  /** How many tokens a request and its answer may have together. */
  readonly contextTokens: number
  /** Whether it takes pictures. */
  readonly seesPictures: boolean
  /** Asks once for the caller: retries, limits and the breaker are inside. Interrupting closes the connection. */
  readonly ask: (request: LlmRequest) => Effect.Effect<LlmAnswer, LlmFailure>
}

/** Which model is wanted. */
export interface LlmChoice {
  /** Executions of test keys are answered by `echo`, so that a test never costs money. */
  readonly environment: Environment
  /** One of the models in `DOCFLOW_LLM`; its first where this is left out. */
  readonly model?: string
}

/** The models that steps may ask. */
export class Llm extends Context.Service<
  Llm,
  {
    readonly choose: (choice: LlmChoice) => Effect.Effect<LlmModel, LlmFailure>
  }
>()("docflow/providers/Llm") {
  /** No model can be used, for this reason. */
  static readonly layerFailing = (failure: LlmFailure): Layer.Layer<Llm> =>
    Layer.succeed(Llm, { choose: () => Effect.fail(failure) })

  /** No model at all. */
  static readonly layerNone: Layer.Layer<Llm> = Llm.layerFailing(
    new LlmFailure({ reason: "not-configured", message: "No model is set; set DOCFLOW_LLM." })
  )
}
