import { Context, Effect, Layer, Ref, Result, Schema, type Scope, Stream } from "effect"
import { HttpServerRequest } from "effect/http"
import { isTooDeep } from "../domain/JsonDepth.ts"

/** What may be in flight: the bytes of one body, of all bodies together, and how many there are. */
export interface BodyLimits {
  readonly perRequest: number
  readonly inFlight: number
  readonly requests: number
}

/** A sender that is silent for so long is cut off: its connection is closed before 10 s are over. */
const idleLimit = "9 seconds"

/** A body that cannot be taken: what the answer says. */
export class BodyRefused extends Schema.TaggedError<BodyRefused>()("BodyRefused", {
  status: Schema.Int,
  code: Schema.Literals(["INVALID_INPUT", "SERVICE_UNAVAILABLE"]),
  message: Schema.String
}) {}

const refuse = (status: number, message: string) =>
  new BodyRefused({ status, code: "INVALID_INPUT", message })

/** Reads JSON bodies within limits of size, number and depth. */
export class JsonBody extends Context.Service<
  JsonBody,
  {
    /** The body of the request at hand. It counts as in flight until the scope closes. */
    readonly read: Effect.Effect<unknown, BodyRefused, HttpServerRequest.HttpServerRequest | Scope.Scope>
    /** The same where the body may be left out: undefined then. */
    readonly readIfAny: Effect.Effect<unknown, BodyRefused, HttpServerRequest.HttpServerRequest | Scope.Scope>
  }
>()("docflow/http/JsonBody") {
  static readonly layer = (limits: BodyLimits) =>
    Layer.effect(
      JsonBody,
      Effect.gen(function* () {
        const inFlight = yield* Ref.make({ bytes: 0, requests: 0 })

        const reserve = (bytes: number) =>
          Effect.acquireRelease(
            Effect.flatMap(
              Ref.modify(inFlight, (taken) =>
                taken.bytes + bytes > limits.inFlight || taken.requests >= limits.requests
                  ? [false, taken]
                  : [true, { bytes: taken.bytes + bytes, requests: taken.requests + 1 }]
              ),
              (fits) => (fits ? Effect.void : overloaded)
            ),
            () =>
              Ref.update(inFlight, (taken) => ({
                bytes: taken.bytes - bytes,
                requests: taken.requests - 1
              }))
          )

        const read = Effect.gen(function* () {
          const request = yield* HttpServerRequest.HttpServerRequest
          yield* checkType(request.headers["content-type"])
          const declared = Number(request.headers["content-length"] ?? limits.perRequest)
          if (declared > limits.perRequest) return yield* tooLarge(limits.perRequest)
          yield* reserve(declared)
          return yield* parse(yield* collect(request, limits.perRequest))
        })

        const readIfAny = Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ headers }) =>
          headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? "0") === 0
            ? Effect.succeed(undefined)
            : read
        )

        return JsonBody.of({ read, readIfAny })
      })
    )
}

const overloaded = new BodyRefused({
  status: 503,
  code: "SERVICE_UNAVAILABLE",
  message: "Too many requests are being received; try again in a second"
})

const tooLarge = (limit: number) => refuse(413, `The body is larger than ${limit} bytes`)

const checkType = (contentType: string | undefined) => {
  const type = contentType?.split(";")[0]?.trim().toLowerCase()
  return type === "application/json"
    ? Effect.void
    : refuse(415, `Content-Type must be application/json, not ${type ?? "absent"}`)
}

/** The whole body; counted as it comes, because `Content-Length` may be absent. */
const collect = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, limit: number) {
  const chunks: Array<Uint8Array> = []
  let size = 0
  yield* Stream.runForEach(
    request.stream.pipe(
      Stream.mapError(() => refuse(400, "The body broke off")),
      Stream.timeoutOrElse({
        duration: idleLimit,
        orElse: () => Stream.fail(refuse(408, `Nothing of the body came for ${idleLimit}`))
      })
    ),
    (chunk) => {
      size += chunk.length
      chunks.push(chunk)
      return size > limit ? tooLarge(limit) : Effect.void
    }
  )
  return Buffer.concat(chunks)
})

const utf8 = new TextDecoder("utf-8", { fatal: true })

const parse = (bytes: Uint8Array): Effect.Effect<unknown, BodyRefused> => {
  if (isTooDeep(bytes)) return refuse(400, "The JSON is nested too deeply")
  return Effect.fromResult(
    Result.try({
      try: (): unknown => JSON.parse(utf8.decode(bytes)),
      catch: () => refuse(400, "The body is not valid JSON")
    })
  )
}
