import { type Config, Effect, Option, Redacted } from "effect"
import type { Description } from "../../config/Setting.ts"
import type { LlmRequest } from "./Llm.ts"
import { type CallFailure, final } from "./CallFailure.ts"
import type { Transport } from "./ModelHttp.ts"
import { type Dialect, type StrictSchema, strictSchema } from "./StrictSchema.ts"

/** How the form of an answer is asked for: by a strict schema, by its bare shape, as any JSON, or in words alone. */
export type Form = "strict" | "shape" | "json" | "words"

/** How a request is made in this attempt. */
export interface Manner {
  readonly form: Form
  /** Whether the instructions contain the schema. */
  readonly tellsSchema: boolean
  /** The sampling temperature, 0–1; undefined if the model does not take one. */
  readonly temperature: number | undefined
  /** The longest answer, in tokens, and by which of its names it is limited. */
  readonly maxTokens: number
  readonly limit: "usual" | "other" | "none"
  /** Whether instructions are a message of their own. */
  readonly system: boolean
  /** Whether to say how much the model may think. */
  readonly thinking: boolean
  /** An answer that was of no use, and what is wrong with it. */
  readonly correct?: { readonly answer: string; readonly correction: string }
  /** Called when the server begins to answer. */
  readonly began: () => void
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
  /** The forms that the protocol has, each for servers that refuse the one before. */
  readonly forms: readonly [Form, ...ReadonlyArray<Form>]
  /** The temperature to begin with; undefined for the provider's own. */
  readonly temperature: number | undefined
  /** What thinking takes of an answer's tokens, if the model is known to think. */
  readonly thinkingTokens: number
  /** Makes one attempt: no retries, no time limit. */
  readonly attempt: (request: LlmRequest, manner: Manner) => Effect.Effect<RawAnswer, CallFailure>
}

/** The model to connect to; what is not set is asked of the server, or known of the provider. */
export interface WantedModel {
  readonly model: string
  readonly contextTokens: number | undefined
  readonly pictures: boolean | undefined
  readonly temperature: number | undefined
  /** How much the model may think: `none`, or an effort by the provider's name for it. */
  readonly reasoning: string | undefined
}

/** A provider's server: its address, with the version where the protocol has one, and how to reach it. */
export interface Target {
  readonly address: string
  readonly key: Option.Option<Redacted.Redacted>
  readonly transport: Transport
  /** What to set if the address, or the key, is wrong. */
  readonly settings: { readonly address: string; readonly key: string }
}

/** A protocol of models: its name in `DOCFLOW_LLM`, the settings of the server under that name, and how to connect. */
export interface Protocol {
  readonly name: string
  readonly settings: ReadonlyArray<Description>
  readonly target: Config.Config<Target>
  /** Completes an address as users of the provider write it. */
  readonly connect: (wanted: WantedModel, target: Target) => Effect.Effect<Connected, CallFailure>
}

/** A request without a key, which organizations may bring: it fails when it is made, not the start of the service. */
export const noKey = ({ settings }: Target, instead = ""): Effect.Effect<never, CallFailure> =>
  Effect.fail(
    final("not-configured", "no key is set", `Set ${settings.key} or the organization's own key${instead}`)
  )

/** What a request says, before a protocol puts it into its own form. */
interface Prompt {
  /** The schema that the server is to hold the answer to, if it can. */
  readonly strict: StrictSchema | undefined
  /** The instructions, with the schema if the server cannot hold it; undefined if they begin the content. */
  readonly system: string | undefined
  readonly content: LlmRequest["content"]
  /** The turns after the first: the model's wrong answer, and what is wrong with it. */
  readonly turns: ReadonlyArray<{ readonly role: "assistant" | "user"; readonly content: string }>
}

/** The parts of a request as this attempt makes it. */
export const promptOf = (
  { content, instructions, schema }: LlmRequest,
  { correct, form, system, tellsSchema }: Manner,
  dialect: Dialect
): Prompt => {
  const isEnforced = schema !== undefined && (form === "strict" || form === "shape")
  const strict = isEnforced ? strictSchema(schema.schema, dialect) : undefined
  const isTold = schema !== undefined && (tellsSchema || strict === undefined)
  const told = isTold
    ? `${instructions}\n\nAnswer with nothing but JSON that fits this JSON Schema:\n${JSON.stringify(schema.schema)}`
    : instructions
  const again = `${correct?.correction}. Answer again, with the whole corrected JSON and nothing else.`
  return {
    strict,
    system: system ? told : undefined,
    content: system ? content : [{ type: "text", text: told }, ...content],
    turns:
      correct === undefined
        ? []
        : [
            { role: "assistant", content: correct.answer },
            { role: "user", content: again }
          ]
  }
}

/** The messages of a chat whose instructions are its first message. */
export const chatOf = <Content>({ system, turns }: Prompt, user: { readonly content: Content }) => [
  ...(system === undefined ? [] : [{ role: "system", content: system }]),
  { role: "user", ...user },
  ...turns
]

/** The text of a request, with blank lines between its parts. */
export const textOf = ({ content }: Pick<LlmRequest, "content">): string =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n")

/** The header with the key of a server, if it has one. */
export const keyHeader = ({ key }: Target, header = "Authorization"): Readonly<Record<string, string>> =>
  Option.match(key, {
    onNone: () => ({}),
    onSome: (known) => ({
      [header]: `${header === "Authorization" ? "Bearer " : ""}${Redacted.value(known)}`
    })
  })

/** Bytes in base64. */
export const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64")
