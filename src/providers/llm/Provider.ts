import { Config, type Effect, type Option } from "effect"
import type { Description } from "../../config/Setting.ts"
import type { LlmRequest } from "./Llm.ts"
import type { CallFailure } from "./CallFailure.ts"

/** How a request is made in this attempt. */
export interface Manner {
  /** Whether the provider enforces the schema; otherwise, the schema is only in the instructions. */
  readonly constrained: boolean
  /** The sampling temperature, 0–1, if the provider supports it. */
  readonly temperature: number
}

/** An unparsed answer. */
export interface RawAnswer {
  readonly text: string
  /** Whether the text is an object whose property `value` is the answer. */
  readonly wrapped: boolean
  readonly inputTokens: number
  readonly outputTokens: number
}

/** A connected model of a provider. */
export interface Connected {
  readonly contextTokens: number
  readonly seesPictures: boolean
  /** Makes one attempt: no retries, no time limit. */
  readonly attempt: (request: LlmRequest, manner: Manner) => Effect.Effect<RawAnswer, CallFailure>
}

/** The model to connect to, with the settings of all models. */
export interface WantedModel {
  readonly model: string
  readonly contextTokens: Option.Option<number>
  readonly pictures: Option.Option<boolean>
}

/** A provider whose settings have been read. */
export interface ReadyProvider {
  readonly name: string
  /** Why its models cannot be used with these settings, if so, with what to set. */
  readonly problem: string | undefined
  readonly connect: (wanted: WantedModel) => Effect.Effect<Connected, CallFailure>
}

/** A provider of models: its name in `DOCFLOW_LLM`, its settings, and how to connect to a model. */
export interface ModelProvider {
  readonly name: string
  readonly settings: ReadonlyArray<Description>
  readonly read: Config.Config<ReadyProvider>
}

/** Makes a provider from its settings; `values` reads them all. */
export const modelProvider = <A>(options: {
  readonly name: string
  readonly settings: Readonly<Record<string, Description>>
  readonly values: Config.Config<A>
  readonly problem?: (settings: A) => string | undefined
  readonly connect: (wanted: WantedModel, settings: A) => Effect.Effect<Connected, CallFailure>
}): ModelProvider => ({
  name: options.name,
  settings: Object.values(options.settings),
  read: Config.map(options.values, (settings) => ({
    name: options.name,
    problem: options.problem?.(settings),
    connect: (wanted: WantedModel) => options.connect(wanted, settings)
  }))
})

/** The instructions, with the schema of the answer if the provider does not receive it otherwise. */
export const withSchema = ({ instructions, schema }: LlmRequest): string =>
  schema === undefined
    ? instructions
    : `${instructions}\n\nAnswer with nothing but JSON that fits this JSON Schema:\n${JSON.stringify(schema.schema)}`

/** The text of a request, with blank lines between its parts. */
export const textOf = ({ content }: LlmRequest): string =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n")

/** Bytes in base64. */
export const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")
