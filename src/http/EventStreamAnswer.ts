import { type Effect, Stream } from "effect"
import { Sse } from "effect/encoding"
import { HttpServerResponse } from "effect/http"
import type { ExecutionEvent } from "../domain/ExecutionEvent.ts"

/** How often the key or session is checked again: the stream ends when it is no longer valid. */
const keyInterval = "5 seconds"
/** A comment is sent every third time, so that no proxy takes a quiet connection for a dead one. */
const heartbeatEvery = 3
/** The delay before a client reconnects a broken stream, in milliseconds. */
const retry = 1_000

const headers = {
  // Some proxies buffer a response, unless they are told not to.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no"
}

/** The response with a stream of events, which lasts as long as the caller may see them. */
export const eventStreamAnswer = (events: Stream.Stream<ExecutionEvent>, isGood: Effect.Effect<boolean>) => {
  const heartbeats = Stream.tick(keyInterval).pipe(
    Stream.drop(1),
    Stream.takeWhileEffect(() => isGood),
    Stream.zipWithIndex,
    Stream.filter(([, index]) => (index + 1) % heartbeatEvery === 0),
    Stream.map(() => ": heartbeat\n\n")
  )
  const body = Stream.make(`retry: ${retry}\n\n`).pipe(
    Stream.concat(Stream.merge(Stream.map(events, written), heartbeats, { haltStrategy: "either" })),
    Stream.encodeText
  )
  return HttpServerResponse.stream(body, { contentType: "text/event-stream", headers })
}

const written = ({ data, event, id }: ExecutionEvent): string =>
  Sse.encoder.write({ _tag: "Event", id, event, data: JSON.stringify(data) })
