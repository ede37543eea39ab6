import { Duration, Effect, Schema, Stream } from "effect"
import { Sse } from "effect/encoding"
import { StreamedEvent } from "../api/EventStream.ts"
import { backoff, type ClientOptions, failureOf, fetched, isPassing } from "./Call.ts"
import { type ApiFailure, ConnectionFailure } from "./ClientFailures.ts"
import { defined } from "../domain/Defined.ts"

/** What happened to an execution: `event` says what, `data` more. Those of its log have an `id`. */
export type ClientEvent = typeof StreamedEvent.Type

const decode = Schema.decodeUnknownEffect(StreamedEvent)
const pause = Duration.seconds(1)

/** Where a stream goes on when it broke off. */
interface Position {
  last: string
  hasEnded: boolean
}

/**
 * The events of an execution until it has ended. A stream that breaks off is opened again after the last event that
 * arrived, so each event of the log comes once.
 */
export const follow = (
  options: ClientOptions,
  executionId: string,
  after = ""
): Stream.Stream<ClientEvent, ApiFailure | ConnectionFailure> => {
  const position: Position = { last: after, hasEnded: false }
  const path = `/runs/${encodeURIComponent(executionId)}/events`
  const attach = Stream.unwrap(opened(options, path, position)).pipe(
    Stream.tap((event) =>
      Effect.sync(() => {
        if ("id" in event) position.last = event.id
        position.hasEnded = isEnd(event)
      })
    )
  )
  const fromHere: Stream.Stream<ClientEvent, ApiFailure | ConnectionFailure> = Stream.suspend(() =>
    attach.pipe(
      // Opening is tried again by itself; what breaks off later is taken up where it was.
      Stream.catchTag("BrokenOff", () => Stream.empty),
      Stream.concat(
        Stream.suspend(() =>
          position.hasEnded ? Stream.empty : Stream.unwrap(Effect.as(Effect.sleep(pause), fromHere))
        )
      )
    )
  )
  return fromHere
}

const isEnd = ({ event }: ClientEvent): boolean =>
  event === "execution.completed" || event === "execution.failed" || event === "execution.cancelled"

/** The connection was lost in the middle of a stream. */
class BrokenOff extends Schema.TaggedError<BrokenOff>()("BrokenOff", {}) {}

const opened = (options: ClientOptions, path: string, position: Position) =>
  Effect.retry(connect(options, path, position), {
    times: options.retries ?? 4,
    while: (failure) => isPassing(failure, true),
    schedule: backoff
  })

const connect = Effect.fnUntraced(function* (options: ClientOptions, path: string, position: Position) {
  const headers: Record<string, string> = position.last === "" ? {} : { "last-event-id": position.last }
  const response = yield* Effect.tryPromise({
    // Not the signal of this effect: the answer is read long after it has ended.
    try: () => fetched(options, path, { headers }),
    catch: (cause) => new ConnectionFailure({ message: "The service could not be reached", cause })
  })
  const { body, headers: answered, status } = response
  if (!response.ok) {
    const text = yield* Effect.orElseSucceed(
      Effect.tryPromise(() => response.text()),
      () => ""
    )
    return yield* failureOf({ status, headers: answered, text })
  }
  if (status === 204 || body === null) {
    position.hasEnded = true
    return Stream.empty
  }
  return eventsOf(body)
})

const eventsOf = (body: ReadableStream<Uint8Array>) => {
  const parsed: Array<Sse.AnyEvent> = []
  const parser = Sse.makeParser((event) => void parsed.push(event))
  return Stream.fromReadableStream({ evaluate: () => body, onError: () => new BrokenOff() }).pipe(
    Stream.decodeText,
    Stream.flatMap((text) => {
      const problem = parser.feed(text)
      return problem === undefined ? Stream.fromIterable(parsed.splice(0)) : Stream.fail(notOurs(problem))
    }),
    Stream.filter((event) => event._tag === "Event"),
    Stream.mapEffect(({ data, event, id }) =>
      Effect.mapError(decode({ data, event, ...defined({ id }) }), notOurs)
    )
  )
}

const notOurs = (cause: unknown) =>
  new ConnectionFailure({ message: "The answer does not come from docflow", cause })
