import { defined } from "../../support/Defined.ts"
import { CallFailure, final, type Refusal, requestTooLong, unavailable } from "./CallFailure.ts"

/** What messages may say about a provider's server. */
export interface ModelServer {
  /** Its address: scheme, host and port. */
  readonly address: string
  /** What to do if nothing answers there. */
  readonly startIt: string
  /** What to do if it refuses the key. */
  readonly checkKey: string
  /** What to do if it does not have the model. */
  readonly getModel: string
}

/** A response with an error status. */
export interface ErrorAnswer {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly body: string
}

/** Where errors say what is wrong; other properties may repeat what was sent. */
const telling = new Set([
  "error",
  "errors",
  "message",
  "msg",
  "detail",
  "details",
  "loc",
  "param",
  "code",
  "type",
  "status",
  "title",
  "reason",
  "metadata",
  "raw",
  "object"
])

/** All that an error says, whatever its form: an object, a list of them, or text. */
const saidIn = (value: unknown): ReadonlyArray<string> => {
  if (typeof value === "string" || typeof value === "number") return [String(value)]
  if (Array.isArray(value)) return value.flatMap(saidIn)
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => (telling.has(key) ? saidIn(inner) : []))
}

const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return body.trimStart().startsWith("<") ? undefined : body
  }
}

/** Parses an error: `text` is only searched, never shown; `code` is a bare word that may be shown. */
const readError = (body: string): { readonly text: string; readonly code: string | undefined } => {
  const said = saidIn(parsed(body))
  const code = said.find(
    (text) => /^[a-z]+_[a-z_]{2,40}$/u.test(text) || text === "overloaded" || text === "insufficient_quota"
  )
  return { text: said.join(" "), code }
}

const tooLong =
  /context_length_exceeded|exceed_context_size|prompt is too long|maximum context|context (?:length|size|window)|too many tokens|input token count/iu
const noModel = /model_not_found|model.{0,300}(?:not found|not exist)|no such model/isu
const noMemory = /more system memory|out of memory|insufficient memory/iu

/** What errors say about each part of a request that a server may refuse. */
const refusals: ReadonlyArray<readonly [Refusal, RegExp]> = [
  ["temperature", /temperature/iu],
  ["maxTokens", /max_(?:completion_|output_)?tokens|maxOutputTokens/iu],
  [
    "system",
    /system (?:role|message|prompt|instruction)|role.{0,40}system|system.{0,40}role|developer instruction|roles must alternate/isu
  ],
  ["thinking", /\bthink|reasoning/iu],
  [
    "form",
    /output_config|output_format|response_?format|json_?schema|json_object|json mode|grammar|schema|structured output|json_validate_failed|additionalProperties|\bformat\b|requested parameters/iu
  ]
]

/** The longest answer of a model, if an error says that it was asked for a longer one. */
const outputLimit =
  /(?:at most|up to|maximum(?: value)?(?: allowed| of| is| for [\w.`-]+ is)*|less than or equal to|<=|>)\s*[`'"]?(\d{3,7})/iu
const contextLimit =
  /"n_ctx":\s*(\d+)|(?:maximum context length(?: is| of)|context (?:length|size|window)(?: is| of|:)?|available context size \()\s*(\d{3,8})|tokens? > (\d{3,8}) maximum|maximum number of tokens allowed \((\d{3,8})\)/iu

const numberIn = (text: string, pattern: RegExp): number | undefined => {
  const digits = pattern
    .exec(text)
    ?.slice(1)
    .find((group) => group !== undefined)
  return digits === undefined ? undefined : Number(digits)
}

/** What an error status of a provider means. */
export const statusFailure = (server: ModelServer, answer: ErrorAnswer): CallFailure => {
  const { status } = answer
  const { code, text } = readError(answer.body)
  const said = `${server.address} answered ${status}${code === undefined ? "" : ` (${code})`}`
  if (status === 401 || status === 403) return final("refused", said, server.checkKey)
  if (status === 413 || (status !== 429 && tooLong.test(text)))
    return requestTooLong(numberIn(answer.body, contextLimit))
  if (noModel.test(text)) return missing(server)
  if (noMemory.test(text)) {
    return final(
      "unavailable",
      `${server.address} has too little memory for the model`,
      "Take a smaller model or set DOCFLOW_LLM_CONTEXT lower"
    )
  }
  const retry = defined({ retryAfter: answer.retryAfter })
  if (status === 429)
    return text.includes("insufficient_quota")
      ? final("limited", said, "The account's quota is used up: top it up")
      : new CallFailure({
          reason: "limited",
          what: said,
          todo: "Send less at once (DOCFLOW_LLM_CONCURRENCY) or ask for a higher limit",
          again: true,
          down: false,
          ...retry
        })
  const refuses = refusals.flatMap(([refusal, pattern]) => (pattern.test(text) ? [refusal] : []))
  if (status === 404 && !refuses.includes("form")) return missing(server)
  if (status >= 300 && status < 400)
    return final("refused", `${said}, a redirect, which is not followed`, "Set the final address")
  const refused = defined({
    refuses: refuses.length === 0 ? undefined : refuses,
    outputTokens: refuses.includes("maxTokens") ? numberIn(text, outputLimit) : undefined
  })
  // Ollama answers 500 to a schema that it cannot turn into a grammar.
  if (status >= 500 || status === 408)
    return new CallFailure({ ...unavailable(said, "Run it again later"), ...refused, ...retry })
  const parts = refuses.length === 0 ? "" : `It refuses ${refuses.map((one) => words[one]).join(" or ")}. `
  const todo = `${parts}Check that the server and the model support such requests; its log says more`
  return new CallFailure({ ...final("refused", said, todo), ...refused })
}

const words: Readonly<Record<Refusal, string>> = {
  temperature: "the temperature",
  maxTokens: "the limit of the answer",
  system: "system messages",
  thinking: "the setting of reasoning",
  form: "the form of the answer"
}

const missing = (server: ModelServer): CallFailure =>
  final("model-missing", `${server.address} does not have the model`, server.getModel)
