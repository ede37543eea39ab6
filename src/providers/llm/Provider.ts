import type { Effect } from "effect"
import type { LlmRequest } from "./Llm.ts"
import type { CallFailure } from "./CallFailure.ts"

/** How a request is made this time. */
export interface Manner {
  /** The provider is made to keep to the schema; otherwise the schema only stands in the instructions. */
  readonly constrained: boolean
  /** How free the model is in choosing words, 0–1, where the provider lets one say. */
  readonly temperature: number
}

/** What came back, not looked at yet. */
export interface RawAnswer {
  readonly text: string
  /** Whether the text is an object whose property `value` is the answer. */
  readonly wrapped: boolean
  readonly inputTokens: number
  readonly outputTokens: number
}

/** A provider's model that was found. */
export interface Connected {
  readonly contextTokens: number
  readonly seesPictures: boolean
  /** Makes one attempt: no retries, no time limit. */
  readonly attempt: (request: LlmRequest, manner: Manner) => Effect.Effect<RawAnswer, CallFailure>
}

/** The instructions, with the schema of the answer for models that see it nowhere else. */
export const withSchema = ({ instructions, schema }: LlmRequest): string =>
  schema === undefined
    ? instructions
    : `${instructions}\n\nAnswer with nothing but JSON that fits this JSON Schema:\n${JSON.stringify(schema.schema)}`

/** All the text of a request, its parts a blank line apart. */
export const textOf = ({ content }: LlmRequest): string =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n")

/** Bytes in base64. */
export const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")
