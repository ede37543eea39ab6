import { ApiFailure, ConnectionFailure } from "./ClientFailures.ts"
import { infoOf, keepInfo, type ResponseInfo } from "./ResponseInfo.ts"
import { randomShare, sleep } from "./Waiting.ts"

/** Where the service is, and who calls it. */
export interface ClientOptions {
  /** The API key; keep it out of browsers. */
  readonly apiKey: string
  /** The service's address, such as `https://docflow.example.com`. Default: a service on this machine. */
  readonly baseUrl?: string
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** Maximum number of retries after a temporary refusal (429, 503) or a connection failure. Default: 4. */
  readonly retries?: number
  /** Time limit of one attempt, in milliseconds. Default: two minutes. */
  readonly timeoutMs?: number
}

/** Options of every call. */
export interface CallOptions {
  /** Stops waiting for the answer, which then rejects with the reason of the signal; an execution continues. */
  readonly signal?: AbortSignal
  /** Overrides the client's time limit for this call. */
  readonly timeoutMs?: number
  readonly retries?: number
}

/** One request. */
export interface Request {
  readonly method: "GET" | "POST" | "PUT"
  /** Relative to the base URL, with its query. */
  readonly path: string
  readonly body?: unknown
  /** Members that a response of docflow has. */
  readonly answer: ReadonlyArray<string>
  /** Whether it may be sent again if its outcome is unknown. */
  readonly repeatable: boolean
}

const longestWait = 60_000
const firstWait = 500

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The failure for a response that refuses a request. */
export const failureOf = (text: string, info: ResponseInfo): ApiFailure => {
  const body = parsed(text)
  const error = isObject(body) ? body["error"] : undefined
  if (!isObject(error) || typeof error["code"] !== "string")
    return new ApiFailure({ code: "UNKNOWN", message: `The service answered ${info.status}` }, info)
  const { code, details, message } = error
  return new ApiFailure(
    { code, message: String(message), details: isObject(details) ? details : undefined },
    info
  )
}

/** The base of all paths. Behind a proxy the API may be elsewhere: a path of the address is kept as it is. */
const baseOf = (address: string): string => {
  const base = address.replace(/\/+$/u, "")
  return /^https?:\/\/[^/]+$/iu.test(base) ? `${base}/api/v1` : base
}

/** Sends one request with the key. Rejects with the reason of `signal`, or `ConnectionFailure`. */
export const fetched = async (
  { apiKey, baseUrl = "http://127.0.0.1:8080", fetch = globalThis.fetch }: ClientOptions,
  path: string,
  init: Omit<RequestInit, "headers" | "signal"> & { readonly headers?: Readonly<Record<string, string>> },
  signal: AbortSignal
): Promise<Response> => {
  try {
    return await fetch(`${baseOf(baseUrl)}${path}`, {
      ...init,
      signal,
      // The key must not be sent to the target of a redirect.
      redirect: "error",
      headers: { ...init.headers, authorization: `Bearer ${apiKey}`, "content-type": "application/json" }
    })
  } catch (cause) {
    if (signal.aborted) throw signal.reason
    throw new ConnectionFailure("The service could not be reached", { cause })
  }
}

/** Runs work under a time limit and the caller's signal; both abort the signal that it receives. */
export const limited = async <A>(
  { signal, timeoutMs }: { readonly signal: AbortSignal | undefined; readonly timeoutMs: number },
  work: (signal: AbortSignal) => Promise<A>
): Promise<A> => {
  if (signal?.aborted === true) throw signal.reason
  const controller = new AbortController()
  const abort = () => controller.abort(signal?.reason)
  signal?.addEventListener("abort", abort, { once: true })
  const timer = setTimeout(
    () => controller.abort(new ConnectionFailure(`No answer within ${timeoutMs / 1000} seconds`)),
    timeoutMs
  )
  try {
    return await work(controller.signal)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", abort)
  }
}

const attempt = async <A extends object>(
  options: ClientOptions,
  { answer, body, method, path }: Request,
  signal: AbortSignal
): Promise<A> => {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
  const response = await fetched(options, path, init, signal)
  const text = await response.text().catch((cause: unknown) => {
    if (signal.aborted) throw signal.reason
    throw new ConnectionFailure("The connection was lost during the response", { cause })
  })
  const info = infoOf(response)
  if (!response.ok) throw failureOf(text, info)
  const value = parsed(text)
  if (!isObject(value) || !answer.every((name) => name in value))
    throw new ConnectionFailure("The answer does not come from docflow")
  const typed: A = JSON.parse(text)
  return keepInfo(typed, info)
}

/** Whether a failure is temporary, so that the request is worth sending again. */
export const isPassing = (failure: unknown, repeatable: boolean): boolean => {
  if (failure instanceof ConnectionFailure) return repeatable
  if (!(failure instanceof ApiFailure)) return false
  // These two have changed nothing, so any request may be sent again.
  if (failure.status === 429 || failure.status === 503) return true
  return repeatable && failure.status >= 500 && failure.code !== "EXECUTION_TIMEOUT"
}

/** The wait before attempt `count` + 1, in milliseconds: doubles, with jitter; longer if the service asks for it. */
export const backoff = async (failure: unknown, count: number): Promise<number> => {
  const asked = failure instanceof ApiFailure ? (failure.retryAfterMs ?? 0) : 0
  const own = firstWait * 2 ** count * (0.8 + 0.4 * (await randomShare()))
  return Math.max(own, Math.min(asked, longestWait))
}

/** Sends a request, with retries, and reads the response. */
export const call = async <A extends object>(
  options: ClientOptions,
  request: Request,
  { retries = options.retries ?? 4, signal, timeoutMs = options.timeoutMs ?? 120_000 }: CallOptions
): Promise<A> => {
  for (let count = 0; ; count++) {
    try {
      return await limited({ signal, timeoutMs }, (limit) => attempt<A>(options, request, limit))
    } catch (failure) {
      if (signal?.aborted === true || count >= retries || !isPassing(failure, request.repeatable))
        throw failure
      await sleep(await backoff(failure, count), signal)
    }
  }
}
