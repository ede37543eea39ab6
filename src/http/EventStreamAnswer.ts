import { Effect, type Redacted, Stream } from "effect"
import { Sse } from "effect/encoding"
import { HttpServerResponse } from "effect/http"
import { ApiKeys } from "../services/api-keys/ApiKeys.ts"
import type { ExecutionEvent } from "../domain/ExecutionEvent.ts"

/** The key, or the session, is looked at again this often: one that is over hears no more. */
const keyInterval = "5 seconds"
/** Every third time a comment is sent, so that nothing on the way takes a quiet connection for a dead one. */
const heartbeatEvery = 3
/** How soon a client comes back when a stream breaks off, in milliseconds. */
const retry = 1_000

const headers = {
  // Some proxies collect an answer before they pass it on, unless they are told not to.
  "cache-control": "no-store, no-transform",
  "x-accel-buffering": "no"
}

/** The answer that is a stream of events, for as long as the key that asked for it is good. */
export const eventStreamAnswer = Effect.fnUntraced(function* (
  events: Stream.Stream<ExecutionEvent>,
  key: Redacted.Redacted
) {
  const keys = yield* ApiKeys
  const isGood = keys.authenticate(key).pipe(
    Effect.as(true),
    Effect.catchTag("SqlError", () => Effect.succeed(true)),
    Effect.orElseSucceed(() => false)
  )
  return streamAnswer(events, isGood)
})

/** The answer that is a stream of events, for as long as whoever asked for it may see them. */
export const streamAnswer = (events: Stream.Stream<ExecutionEvent>, isGood: Effect.Effect<boolean>) => {
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
