import { Context, Effect, Layer, type Scope } from "effect"
import { HttpServerRequest } from "effect/http"
import { releaseBytes } from "../support/ReleaseBytes.ts"
import { type JsonBounds, jsonExcess } from "../support/JsonDepth.ts"
import { maxMetadataBytes } from "../domain/RunRequest.ts"
import { BodyRefused, refuseBody } from "./BodyRefused.ts"
import { collectBody } from "./CollectBody.ts"
import { readMultipartRun } from "./MultipartRun.ts"
import { parseJson, refuseExcess } from "./ParseJson.ts"
import { parseRun } from "./ParseRun.ts"
import { remoteNetwork } from "./RemoteAddress.ts"
import type { RunBody } from "./RunBody.ts"
import { SlowSenders } from "./SlowSenders.ts"

/** The limits of bodies in flight: the bytes of all together, and their number. */
interface BodyLimits {
  readonly inFlight: number
  readonly requests: number
}

/** The number of organizations that can each use their full share at the same time. */
const shares = 3

interface InFlight {
  bytes: number
  requests: number
}

/**
 * Counts the bodies that are being received or processed, and their bytes as they arrive, not as announced. One owner
 * may use a third of the budget, so that nobody locks the others out.
 */
export class BodyBudget {
  readonly #limits: BodyLimits
  readonly #all: InFlight = { bytes: 0, requests: 0 }
  readonly #owned = new Map<string, InFlight>()

  constructor(limits: BodyLimits) {
    this.#limits = limits
  }

  /** Counts a body of `owner`. */
  enter(owner: string): void {
    const own = this.#owned.get(owner) ?? { bytes: 0, requests: 0 }
    this.#owned.set(owner, own)
    own.requests += 1
    this.#all.requests += 1
  }

  /** Counts bytes that have arrived. */
  add(owner: string, bytes: number): void {
    const own = this.#owned.get(owner)
    if (own !== undefined) own.bytes += bytes
    this.#all.bytes += bytes
  }

  /** Removes a body and its bytes from the count. */
  leave(owner: string, bytes: number): void {
    this.add(owner, -bytes)
    this.#all.requests -= 1
    const own = this.#owned.get(owner)
    if (own === undefined) return
    own.requests -= 1
    if (own.requests === 0) this.#owned.delete(owner)
  }

  /** The limit that is exceeded if `more` bytes of `owner` arrive: that of all bodies together, or that of the owner. */
  excess(owner: string, more = 0): "all" | "owner" | undefined {
    const { inFlight, requests } = this.#limits
    const own = this.#owned.get(owner) ?? { bytes: 0, requests: 0 }
    if (own.bytes + more > inFlight / shares || own.requests > requests / shares) return "owner"
    return this.#all.bytes + more > inFlight || this.#all.requests > requests ? "all" : undefined
  }
}

/** The limits of bodies: of one, and of all together. */
export interface JsonLimits extends BodyLimits {
  /** Bytes of the body of a run. */
  readonly perRun: number
  /** JSON values in one body: elements, members, arrays and objects. */
  readonly values: number
  /** Bytes of JSON that the `variables` of a run may have. */
  readonly variables: number
  /** Members that the objects in the `variables` of a run may have together. */
  readonly keys: number
}

/** The factor by which white space and escapes may enlarge a value, which is measured again after parsing. */
const slack = 8

/** Limits of the free-form members of a run, so that nothing larger is ever parsed. */
const boundsOf = ({ keys, values, variables }: JsonLimits): JsonBounds => ({
  values,
  members: [
    { path: "input.variables", bytes: slack * variables, members: keys },
    { path: "metadata", bytes: slack * maxMetadataBytes, members: keys }
  ]
})

/** Reads JSON bodies within limits of size, number and depth. */
export class JsonBody extends Context.Service<
  JsonBody,
  {
    readonly limits: JsonLimits
    /** The current request, with its JSON body received and within `limit` bytes. */
    bounded(
      limit: number
    ): Effect.Effect<HttpServerRequest.HttpServerRequest, BodyRefused, HttpServerRequest.HttpServerRequest>
    /** The JSON body of the current request, of at most `limit` bytes; undefined if there is none. */
    readIfAny(limit: number): Effect.Effect<unknown, BodyRefused, HttpServerRequest.HttpServerRequest>
    /**
     * The body of a run, which may also be `multipart/form-data`, sent by `owner`. It counts as in flight until the scope closes.
     */
    readRun(
      owner: string
    ): Effect.Effect<RunBody, BodyRefused, HttpServerRequest.HttpServerRequest | Scope.Scope>
    /** The same for a run that must be JSON: unlike a form, no other web site can make a browser send it. */
    readJsonRun(
      owner: string
    ): Effect.Effect<RunBody, BodyRefused, HttpServerRequest.HttpServerRequest | Scope.Scope>
  }
>()("docflow/http/JsonBody") {
  static readonly layer = (limits: JsonLimits) =>
    Layer.effect(
      JsonBody,
      Effect.gen(function* () {
        const budget = new BodyBudget(limits)
        const bounds = boundsOf(limits)
        const senders = new SlowSenders()
        yield* Effect.forkScoped(senders.refusing)

        const receive = Effect.fnUntraced(function* (owner: string, limit: number) {
          const request = yield* HttpServerRequest.HttpServerRequest
          const declared = Number(request.headers["content-length"] ?? "0")
          if (declared > limit) return yield* tooLarge(limit)
          const received = { bytes: 0 }
          yield* Effect.acquireRelease(
            Effect.sync(() => budget.enter(owner)),
            () => Effect.sync(() => budget.leave(owner, received.bytes))
          )
          // A body that is announced as too large is refused before it is sent.
          const early = excessOf(budget.excess(owner, declared))
          if (early !== undefined) return yield* early
          const take = (chunk: Uint8Array) => {
            received.bytes += chunk.length
            budget.add(owner, chunk.length)
            return received.bytes > limit ? tooLarge(limit) : excessOf(budget.excess(owner))
          }
          return yield* collectBody(request, take, senders)
        })

        /** What a body says; its memory is released then. */
        const receiveAs = <A>(owner: string, parse: (bytes: Buffer) => Effect.Effect<A, BodyRefused>) =>
          Effect.flatMap(receive(owner, limits.perRun), (bytes) =>
            Effect.tap(
              parse(bytes),
              Effect.sync(() => releaseBytes(bytes))
            )
          )

        /** The bytes of a short body. Whoever sends one is known by the network alone. */
        const receiveShort = Effect.fnUntraced(function* (limit: number) {
          yield* checkType(["application/json"])
          return yield* Effect.scoped(receive(`network:${yield* remoteNetwork}`, limit))
        })

        const bounded = Effect.fnUntraced(function* (limit: number) {
          const request = yield* HttpServerRequest.HttpServerRequest
          if (!(yield* hasBody)) return request
          const bytes = yield* receiveShort(limit)
          const excess = jsonExcess(bytes, bounds)
          if (excess !== undefined) return yield* refuseExcess(excess, bounds)
          const text: PropertyDescriptor = { value: Effect.succeed(bytes.toString()) }
          const received: HttpServerRequest.HttpServerRequest = Object.create(request, { text })
          return received
        })

        const readIfAny = (limit: number) =>
          Effect.flatMap(hasBody, (isSent) =>
            isSent
              ? Effect.flatMap(receiveShort(limit), (bytes) => parseJson(bytes, bounds))
              : Effect.undefined
          )

        const readJsonRun = Effect.fnUntraced(function* (owner: string) {
          yield* checkType(["application/json"])
          return yield* receiveAs(owner, (bytes) => parseRun(bytes, bounds))
        })

        const readRun = Effect.fnUntraced(function* (owner: string) {
          const type = yield* checkType(["application/json", "multipart/form-data"])
          if (type === "application/json") return yield* readJsonRun(owner)
          const { headers } = yield* HttpServerRequest.HttpServerRequest
          return yield* receiveAs(owner, (bytes) =>
            readMultipartRun(bytes, headers["content-type"] ?? type, bounds)
          )
        })

        return JsonBody.of({ bounded, readRun, readJsonRun, readIfAny, limits })
      })
    )
}

const overloaded = (message: string) => new BodyRefused({ status: 503, code: "SERVICE_UNAVAILABLE", message })

const excessOf = (excess: "all" | "owner" | undefined) => {
  if (excess === undefined) return undefined
  return overloaded(
    excess === "all"
      ? "Too many requests are being received; try again in a second"
      : "You are sending too much at once; try again in a second"
  )
}

const tooLarge = (limit: number) => refuseBody(413, `The body is larger than ${limit} bytes`)

/** Whether the request has a body. */
const hasBody = Effect.map(
  HttpServerRequest.HttpServerRequest,
  ({ headers }) =>
    headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? "0") !== 0
)

/** Refuses a body of another type, and a compressed one; returns the type. */
const checkType = Effect.fnUntraced(function* (accepted: ReadonlyArray<string>) {
  const { headers } = yield* HttpServerRequest.HttpServerRequest
  const encoding = headers["content-encoding"]?.trim().toLowerCase() ?? ""
  if (encoding !== "" && encoding !== "identity")
    return yield* refuseBody(415, `Content-Encoding ${encoding} is not supported. Send the body uncompressed`)
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "absent"
  return accepted.includes(type)
    ? type
    : yield* refuseBody(415, `Content-Type must be ${accepted.join(" or ")}, not ${type}`)
})
