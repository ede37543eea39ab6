import { Clock, Effect, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import { IncomingMessage } from "node:http"
import { type BodyRefused, refuseBody } from "./BodyRefused.ts"

/** A sender that is silent for this long is disconnected, before 10 s have passed; in milliseconds. */
const idle = 9_000
/**
 * The time for which a sender may be slow, in milliseconds; after that, it needs an average of `slowest` bytes a
 * second.
 */
const grace = 5_000
const slowest = 16 * 1024
/** How often the speed is checked, in milliseconds. */
const interval = 1_000

/** What has arrived of a body. */
interface Arrived {
  bytes: number
  /** The number of chunks. */
  chunks: number
}

type Take = (chunk: Uint8Array) => BodyRefused | undefined

/** The whole body. Every chunk is passed to `take` on arrival, because `Content-Length` may be absent. */
export const collectBody = (
  request: HttpServerRequest.HttpServerRequest,
  take: Take
): Effect.Effect<Buffer, BodyRefused> =>
  Effect.suspend(() => {
    const arrived = { bytes: 0, chunks: 0 }
    const count: Take = (chunk) => {
      arrived.bytes += chunk.length
      arrived.chunks += 1
      return take(chunk)
    }
    const { source } = request
    // The stream confirms the body to clients that wait for that, and costs more than a short body.
    const collected =
      source instanceof IncomingMessage && source.headers.expect === undefined
        ? collectMessage(source, count)
        : collectStream(request, count)
    return Effect.raceFirst(collected, refuseSlow(arrived))
  })

const incomplete = () => refuseBody(400, "The body is incomplete")

const collectMessage = (source: IncomingMessage, take: Take) =>
  Effect.callback<Buffer, BodyRefused>((resume) => {
    const chunks: Array<Buffer> = []
    const onData = (chunk: Buffer) => {
      chunks.push(chunk)
      const refusal = take(chunk)
      if (refusal === undefined) return
      leave()
      resume(Effect.fail(refusal))
    }
    const onEnd = () => {
      leave()
      resume(
        Effect.succeed(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks))
      )
    }
    const onBroken = () => {
      leave()
      resume(Effect.fail(incomplete()))
    }
    const leave = () => {
      source.off("data", onData).off("end", onEnd).off("error", onBroken).off("close", onBroken)
      if (!source.readableEnded) source.pause()
    }
    if (source.destroyed) return onBroken()
    source.on("end", onEnd).on("error", onBroken).on("close", onBroken).on("data", onData)
    return Effect.sync(leave)
  })

const collectStream = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest, take: Take) {
  const chunks: Array<Uint8Array> = []
  yield* Stream.runForEach(Stream.mapError(request.stream, incomplete), (chunk) => {
    chunks.push(chunk)
    return take(chunk) ?? Effect.void
  })
  return Buffer.concat(chunks)
})

/**
 * Fails once a sender is silent or too slow. Two checks in a row must find that it is slow, because a busy process may not
 * have read what was sent.
 */
const refuseSlow = Effect.fnUntraced(function* (arrived: Readonly<Arrived>) {
  const begun = yield* Clock.currentTimeMillis
  let heardAt = begun
  let chunks = 0
  for (let slow = 0; slow < 2;) {
    yield* Effect.sleep(interval)
    const now = yield* Clock.currentTimeMillis
    if (arrived.chunks !== chunks) heardAt = now
    chunks = arrived.chunks
    if (now - heardAt >= idle) {
      return yield* refuseBody(408, `No data of the body arrived for ${idle / 1000} seconds`)
    }
    const isSlow = now - begun >= grace && arrived.bytes < (slowest * (now - begun)) / 1000
    slow = isSlow ? slow + 1 : 0
  }
  return yield* refuseBody(408, `The body arrives too slowly; the minimum is ${slowest / 1024} KB a second`)
})
