import { Context, Effect, Layer, Schema } from "effect"
import type { JsonSchema } from "effect"
import { hash } from "node:crypto"
import type { Environment } from "../../domain/Organization.ts"
import { canonicalJson } from "../../support/CanonicalJson.ts"
import { defined } from "../../support/Defined.ts"

/**
 * A model returned no usable answer. `reason` is for the code that decides what to do next; `message` is for people: it
 * says what went wrong and what to do, and contains neither text of the document nor a secret. `not-configured` means
 * that no model is set or its key is missing: a step that can continue without one may do so.
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
    "cut-off",
    "breaker-open",
    "over-budget"
  ]),
  message: Schema.String,
  /** The tokens of the attempts, which were paid for. */
  tokensUsed: Schema.optionalKey(Schema.Finite)
}) {}

/** A part of the content for a model: text, or a picture for models with vision. */
export type LlmContent =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mimeType: "image/png" | "image/jpeg"; readonly bytes: Uint8Array }

/** A request to a model. */
export interface LlmRequest {
  /** The instructions of the flow's author and docflow; nothing else is an instruction. */
  readonly instructions: string
  /** The content of the request: text of a document is data here, whatever it says. */
  readonly content: ReadonlyArray<LlmContent>
  /** With a schema, the answer is valid JSON; without one, it is text. */
  readonly schema?: { readonly name: string; readonly schema: JsonSchema.JsonSchema }
  /** The longest answer, in tokens. */
  readonly maxTokens: number
}

/** The hash of a request to a model, which says nothing of what is asked. */
export const requestHash = (
  model: string,
  { content, instructions, maxTokens, schema }: LlmRequest
): string => {
  const shown = content.map((part) =>
    part.type === "text"
      ? part
      : { type: part.type, mimeType: part.mimeType, sha256: hash("sha256", part.bytes) }
  )
  return hash("sha256", canonicalJson([model, instructions, shown, maxTokens, defined({ schema })]))
}

/** The answer of a model. */
export interface LlmAnswer {
  /** The text of the answer or, with a schema, the parsed and valid JSON. */
  readonly value: unknown
  readonly inputTokens: number
  readonly outputTokens: number
  /** The model that answered, if it was another one than was asked. */
  readonly model?: string
}

/** A model that can be asked. */
export interface LlmModel {
  /** Its provider and name, as in `DOCFLOW_LLM`: `ollama:llama3.2`. */
  readonly name: string
  /** The maximum number of tokens of a request and its answer together: less once the server has said so. */
  readonly contextTokens: number
  /** The maximum number of tokens of an answer, once the server has said so. */
  readonly outputTokens?: number | undefined
  /** Whether it accepts pictures. */
  readonly seesPictures: boolean
  /** Sends a request, with retries, limits and the breaker. Interruption closes the connection. */
  readonly ask: (request: LlmRequest) => Effect.Effect<LlmAnswer, LlmFailure>
}

/** The choice of a model. */
export interface LlmChoice {
  /** Executions of test keys are answered by `echo`, so that a test never costs money. */
  readonly environment: Environment
  /** One of the models in `DOCFLOW_LLM`. Default: the first. */
  readonly model?: string
}

/** The models that steps can use. */
export class Llm extends Context.Service<
  Llm,
  {
    readonly choose: (choice: LlmChoice) => Effect.Effect<LlmModel, LlmFailure>
    /** The providers at which an organization may use its own key. */
    readonly providers?: ReadonlyArray<string>
  }
>()("docflow/providers/Llm") {
  /** A layer without usable models, for this reason. */
  static readonly layerFailing = (failure: LlmFailure): Layer.Layer<Llm> =>
    Layer.succeed(Llm, { choose: () => Effect.fail(failure) })

  /** A layer without models. */
  static readonly layerNone: Layer.Layer<Llm> = Llm.layerFailing(
    new LlmFailure({ reason: "not-configured", message: "No model is set; set DOCFLOW_LLM." })
  )
}
