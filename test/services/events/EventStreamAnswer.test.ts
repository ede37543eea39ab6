import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Ref, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { ExecutionEvent } from "../../../src/domain/ExecutionEvent.ts"
import { eventStreamAnswer } from "../../../src/http/EventStreamAnswer.ts"

/** Follows an answer; what has arrived so far, and whether it has ended. */
const following = Effect.fnUntraced(function* (
  events: Stream.Stream<ExecutionEvent>,
  good: Ref.Ref<boolean>
) {
  const response = eventStreamAnswer(events, Ref.get(good))
  const arrived = yield* Ref.make("")
  const body = response.body._tag === "Stream" ? response.body.stream : Stream.empty
  const fiber = yield* Stream.decodeText(body).pipe(
    Stream.runForEach((text) => Ref.update(arrived, (before) => before + text)),
    Effect.forkChild
  )
  return { arrived: Ref.get(arrived), ended: Effect.sync(() => fiber.pollUnsafe() !== undefined), fiber }
})

describe("the answer with events", () => {
  it.effect("sends a comment after every 15 seconds of a stream", () =>
    Effect.gen(function* () {
      const stream = yield* following(Stream.never, yield* Ref.make(true))
      yield* TestClock.adjust("14 seconds")
      assert.strictEqual(yield* stream.arrived, "retry: 1000\n\n")
      yield* TestClock.adjust("1 second")
      assert.strictEqual(yield* stream.arrived, "retry: 1000\n\n: heartbeat\n\n")
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* stream.arrived).match(/: heartbeat/gu)?.length, 5)
      assert.isFalse(yield* stream.ended)
    })
  )

  it.effect("ends within 5 seconds when its key is revoked", () =>
    Effect.gen(function* () {
      const good = yield* Ref.make(true)
      const stream = yield* following(Stream.never, good)
      yield* TestClock.adjust("1 minute")
      yield* Ref.set(good, false)
      yield* TestClock.adjust("5 seconds")
      assert.isTrue(yield* stream.ended)
    })
  )

  it.effect("ends with the last event, and writes each on lines of its own", () =>
    Effect.gen(function* () {
      const last = yield* Deferred.make<ExecutionEvent>()
      const events: Stream.Stream<ExecutionEvent> = Stream.concat(
        Stream.make({ event: "progress", data: { step: "a\nb" } } as const),
        Stream.fromEffect(Deferred.await(last))
      )
      const stream = yield* following(events, yield* Ref.make(true))
      yield* Deferred.succeed(last, { id: "7", event: "execution.completed", data: { id: "exec_1" } })
      yield* Fiber.join(stream.fiber)
      assert.strictEqual(
        yield* stream.arrived,
        'retry: 1000\n\nevent: progress\ndata: {"step":"a\\nb"}\n\nid: 7\nevent: execution.completed\ndata: {"id":"exec_1"}\n\n'
      )
    })
  )
})
