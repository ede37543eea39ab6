import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import { TestClock } from "effect/testing"
import { SlowSenders } from "../../src/http/SlowSenders.ts"

/** A body of which some bytes have arrived, and so many arrive a second. */
const makeBody = (perSecond: number, bytes = 0) => {
  const body = {
    bytes,
    chunks: bytes === 0 ? 0 : 1,
    refused: "",
    refuse: ({ message }: { readonly message: string }) => {
      body.refused = message
    },
    grow: () => {
      body.bytes += perSecond
      if (perSecond > 0) body.chunks += 1
    }
  }
  return body
}

const secondsUntilRefused = (perSecond: number, bytes = 0) =>
  Effect.gen(function* () {
    const senders = new SlowSenders()
    yield* Effect.forkChild(senders.refusing)
    // Most bodies begin between two looks.
    yield* TestClock.adjust("500 millis")
    const body = makeBody(perSecond, bytes)
    senders.watch(body, yield* Clock.currentTimeMillis)
    for (let second = 1; second <= 30; second++) {
      yield* TestClock.adjust("1 second")
      if (body.refused !== "") return { second, message: body.refused }
      body.grow()
    }
    return undefined
  })

describe("a body that arrives", () => {
  it.effect("is refused before ten seconds without data have passed", () =>
    Effect.gen(function* () {
      expect(yield* secondsUntilRefused(0, 1_000_000)).toEqual({
        second: 10,
        message: "No data of the body arrived for 9 seconds"
      })
    })
  )

  it.effect("is refused if it is slow for long, and only then", () =>
    Effect.gen(function* () {
      expect(yield* secondsUntilRefused(0)).toMatchObject({ second: 7 })
      expect(yield* secondsUntilRefused(1_000)).toEqual({
        second: 7,
        message: "The body arrives too slowly; the minimum is 16 KB a second"
      })
      expect(yield* secondsUntilRefused(40_000)).toBeUndefined()
    })
  )

  it.effect("is not looked at any more once it has arrived", () =>
    Effect.gen(function* () {
      const senders = new SlowSenders()
      yield* Effect.forkChild(senders.refusing)
      const body = makeBody(0)
      senders.watch(body, 0)
      senders.leave(body)
      yield* TestClock.adjust("30 seconds")
      expect(body.refused).toBe("")
    })
  )
})
