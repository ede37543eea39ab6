import { Schema } from "effect"
import { CallFailure, final, requestTooLong, unavailable } from "./CallFailure.ts"

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

const word = Schema.Union([Schema.String, Schema.Finite, Schema.Null])
const errorFields = Schema.Struct({
  message: Schema.optionalKey(Schema.Unknown),
  type: Schema.optionalKey(word),
  code: Schema.optionalKey(word)
})
/** The three protocols' errors, and the older vLLM's: text, or an object, inside `error` or not. */
const errorBody = Schema.fromJsonString(
  Schema.Union([Schema.Struct({ error: Schema.Union([Schema.String, errorFields]) }), errorFields])
)
const decodeError = Schema.decodeUnknownOption(errorBody)

/** Parses an error: `text` is only searched, never shown; `code` is a bare word that may be shown. */
const readError = (body: string): { readonly text: string; readonly code: string | undefined } => {
  const decoded = decodeError(body)
  if (decoded._tag === "None") return { text: "", code: undefined }
  const error = "error" in decoded.value ? decoded.value.error : decoded.value
  if (typeof error === "string") return { text: error, code: undefined }
  const text = typeof error.message === "string" ? error.message : ""
  const code = [error.code, error.type].find(
    (value) => typeof value === "string" && /^[a-z_]{3,40}$/u.test(value)
  )
  return { text: `${String(code)} ${text}`, code: typeof code === "string" ? code : undefined }
}

const tooLong =
  /context_length_exceeded|exceed_context_size|prompt is too long|maximum context|context (?:length|size|window)|too many tokens/iu
const noModel = /model_not_found|model.{0,300}(?:not found|not exist)|no such model/isu
const noForm = /output_config|output_format|response_format|json_schema|grammar|schema|structured output/iu
const noMemory = /more system memory|out of memory|insufficient memory/iu

/** What an error status of a provider means. */
export const statusFailure = (server: ModelServer, answer: ErrorAnswer): CallFailure => {
  const { status } = answer
  const { code, text } = readError(answer.body)
  const said = `${server.address} answered ${status}${code === undefined ? "" : ` (${code})`}`
  if (status === 401 || status === 403) return final("refused", said, server.checkKey)
  if (status === 413 || (status < 500 && tooLong.test(text))) return requestTooLong()
  if (noModel.test(text) || status === 404) {
    return final("model-missing", `${server.address} does not have the model`, server.getModel)
  }
  if (status >= 300 && status < 400) {
    return final("refused", `${said}, a redirect, which is not followed`, "Set the final address")
  }
  if (noMemory.test(text)) {
    return final(
      "unavailable",
      `${server.address} has too little memory for the model`,
      "Take a smaller model or set DOCFLOW_LLM_CONTEXT lower"
    )
  }
  if (status === 429) return limited(said, code, answer.retryAfter)
  if (status >= 500 || status === 408) {
    // Ollama answers 500 to a schema that it cannot turn into a grammar.
    const failure = new CallFailure({
      ...unavailable(said, "Run it again later"),
      formRefused: noForm.test(text)
    })
    return withRetryAfter(failure, answer.retryAfter)
  }
  return new CallFailure({
    ...final("refused", said, "Check that the server and the model support such requests; its log says more"),
    formRefused: noForm.test(text)
  })
}

const limited = (said: string, code: string | undefined, retryAfter: string | undefined): CallFailure => {
  if (code === "insufficient_quota")
    return final("limited", said, "The account's quota is used up: top it up")
  return withRetryAfter(
    new CallFailure({
      reason: "limited",
      what: said,
      todo: "Send less at once (DOCFLOW_LLM_CONCURRENCY) or ask for a higher limit",
      again: true,
      down: false
    }),
    retryAfter
  )
}

const withRetryAfter = (failure: CallFailure, retryAfter: string | undefined): CallFailure =>
  retryAfter === undefined ? failure : new CallFailure({ ...failure, retryAfter })
