import { Duration, Effect, Schedule, Schema, UndefinedOr } from "effect"
import { ApiFailure, ConnectionFailure } from "./ClientFailures.ts"
import { defined } from "../domain/Defined.ts"

/** Where the service is, and who calls it. */
export interface ClientOptions {
  /** The API key; keep it out of browsers. */
  readonly apiKey: string
  /** The service's address with `/api/v1`; the one of a service on this machine when absent. */
  readonly baseUrl?: string
  /** Used instead of the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch
  /** How often a request is tried again that was refused for the moment (429, 503) or failed on the way; 4 when absent. */
  readonly retries?: number
}

/** One request. */
export interface Request<A> {
  readonly method: "GET" | "POST"
  /** Relative to the base URL, with its query. */
  readonly path: string
  readonly body?: unknown
  readonly answer: Schema.ConstraintCodec<A, unknown>
  /** Whether it may be sent again when nobody knows what became of it. */
  readonly repeatable: boolean
}

const ErrorBody = Schema.Struct({
  error: Schema.Struct({
    code: Schema.String,
    message: Schema.String,
    details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
  })
})
const decodeError = Schema.decodeUnknownOption(Schema.fromJsonString(ErrorBody))
const longestWait = Duration.seconds(60)

/** Sends a request, again where that helps, and reads the answer. */
export const call = <A>(
  options: ClientOptions,
  request: Request<A>
): Effect.Effect<A, ApiFailure | ConnectionFailure> => {
  const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(request.answer))
  return send(options, request).pipe(
    Effect.retry({
      times: options.retries ?? 4,
      while: (failure) => isPassing(failure, request.repeatable),
      schedule: backoff
    }),
    Effect.flatMap((text) =>
      Effect.mapError(
        decode(text),
        (cause) => new ConnectionFailure({ message: "The answer does not come from docflow", cause })
      )
    )
  )
}

/** Doubles from half a second, with jitter; longer where the service names a time. */
export const backoff = Schedule.exponential("500 millis").pipe(
  Schedule.jittered,
  Schedule.modifyDelay(({ duration, input }) =>
    Effect.succeed(Duration.max(duration, Duration.min(askedFor(input), longestWait)))
  )
)

const askedFor = (failure: unknown) =>
  Duration.millis(failure instanceof ApiFailure ? (failure.retryAfterMs ?? 0) : 0)

/** Whether it is worth sending a request again. */
export const isPassing = (failure: ApiFailure | ConnectionFailure, repeatable: boolean): boolean => {
  if (failure._tag === "ConnectionFailure") return repeatable
  // These two have changed nothing, so they may be sent again whatever they are.
  if (failure.status === 429 || failure.status === 503) return true
  return repeatable && failure.status >= 500 && failure.code !== "EXECUTION_TIMEOUT"
}

const send = (options: ClientOptions, { body, method, path }: Request<unknown>) =>
  Effect.gen(function* () {
    const response = yield* Effect.tryPromise({
      try: async (signal) => {
        const answer = await fetched(options, path, {
          method,
          signal,
          ...defined({ body: UndefinedOr.map(body, (value) => JSON.stringify(value)) })
        })
        return { ok: answer.ok, status: answer.status, headers: answer.headers, text: await answer.text() }
      },
      catch: (cause) => new ConnectionFailure({ message: "The service could not be reached", cause })
    })
    return response.ok ? response.text : yield* failureOf(response)
  })

/** Sends one request with the key; `headers` are sent with it. */
export const fetched = (
  { apiKey, baseUrl = "http://127.0.0.1:8080/api/v1", fetch = globalThis.fetch }: ClientOptions,
  path: string,
  { headers, ...init }: RequestInit & { readonly headers?: Readonly<Record<string, string>> }
): Promise<Response> =>
  fetch(`${baseUrl.replace(/\/+$/u, "")}${path}`, {
    ...init,
    // The key must not travel to wherever a redirect points.
    redirect: "error",
    headers: { ...headers, authorization: `Bearer ${apiKey}`, "content-type": "application/json" }
  })

/** What the service refused a request with. */
export const failureOf = ({
  headers,
  status,
  text
}: {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}) => {
  const body = decodeError(text)
  const seconds = Number(headers.get("retry-after") ?? "NaN")
  const when = Number.isFinite(seconds) ? { retryAfterMs: seconds * 1000 } : {}
  return body._tag === "Some"
    ? new ApiFailure({ status, ...body.value.error, ...when })
    : new ApiFailure({ status, code: "UNKNOWN", message: `The service answered ${status}`, ...when })
}
