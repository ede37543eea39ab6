import { Clock, Effect, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"
import { releaseBytes } from "../support/ReleaseBytes.ts"
import { type BodyRefused, refuseBody } from "./BodyRefused.ts"
import type { SlowSenders } from "./SlowSenders.ts"

/** What is received, and who is told why it is refused meanwhile. */
class Arriving {
  bytes = 0
  chunks = 0
  refuse: (refusal: BodyRefused) => void = () => {}
}

/** Looks at a chunk on arrival; a refusal ends the body. */
type Take = (chunk: Uint8Array) => BodyRefused | undefined

/**
 * The whole body. Every chunk is passed to `take` on arrival, because `Content-Length` may be absent. One that arrives too
 * slowly is refused.
 */
export const collectBody = (
  request: HttpServerRequest.HttpServerRequest,
  take: Take,
  senders: SlowSenders
): Effect.Effect<Buffer, BodyRefused> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const arriving = new Arriving()
    const count: Take = (chunk) => {
      arriving.bytes += chunk.length
      arriving.chunks += 1
      return take(chunk)
    }
    senders.watch(arriving, now)
    const { source } = request
    // The stream confirms the body to clients that wait for that, and costs more than a short body.
    const collected =
      source instanceof IncomingMessage && source.headers.expect === undefined
        ? collectMessage(source, count, arriving)
        : Effect.raceFirst(collectStream(request, count), refusalOf(arriving))
    return Effect.ensuring(
      collected,
      Effect.sync(() => senders.leave(arriving))
    )
  })

const incomplete = () => refuseBody(400, "The body is incomplete")

const collectMessage = (source: IncomingMessage, take: Take, arriving: Arriving) =>
  Effect.callback<Buffer, BodyRefused>((resume) => {
    const chunks: Array<Buffer> = []
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      const refusal = take(chunk)
      if (refusal !== undefined) refuse(refusal)
    }
    const onEnd = () => {
      leave()
      resume(Effect.succeed(joined(chunks)))
    }
    const refuse = (refusal: BodyRefused) => {
      leave()
      resume(Effect.fail(refusal))
    }
    const onBroken = () => refuse(incomplete())
    const leave = () => {
      source.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken)
      if (!source.readableEnded) source.pause()
    }
    if (source.destroyed) return onBroken()
    arriving.refuse = refuse
    source.on("end", onEnd).on("error", onBroken).on("close", onBroken).on("data", onData)
    return Effect.sync(leave)
  })

/** The chunks as one. Their memory is released. */
const joined = (chunks: ReadonlyArray<Buffer>): Buffer => {
  const [only] = chunks
  if (only !== undefined && chunks.length === 1) return only
  const all = Buffer.concat(chunks)
  for (const chunk of chunks) releaseBytes(chunk)
  return all
}

const collectStream = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, take: Take) {
  const chunks: Array<Uint8Array> = []
  yield* Stream.runForEach(Stream.mapError(request.stream, incomplete), (chunk) => {
    chunks.push(chunk)
    return take(chunk) ?? Effect.void
  })
  return Buffer.concat(chunks)
})

/** Fails once the body is refused. */
const refusalOf = (arriving: Arriving) =>
  Effect.callback<never, BodyRefused>((resume) => {
    arriving.refuse = (refusal) => resume(Effect.fail(refusal))
  })
