import { describe, expect, it, layer } from "@effect/vitest"
import { DateTime, Duration, Effect, Option } from "effect"
import { parseRetryAfter } from "../../../src/support/RetryAfter.ts"
import { maxAttempts, waitAfter } from "../../../src/services/webhooks/RetrySchedule.ts"
import { accept, receiver } from "./Receiver.ts"
import { attempts, awaitDelivery, endedExecution, layerOfDays, untilDue } from "./Support.ts"

const minute = 60
const hour = 60 * minute
const nominal = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour]
const ids = Array.from({ length: 500 }, (_, index) => `dlv_${index}`)
const none = Option.none<Duration.Duration>()
const seconds = (wait: Option.Option<Duration.Duration>) =>
  Option.getOrUndefined(Option.map(wait, Duration.toSeconds))
/** Milliseconds: three days of the clock are many steps, which take some seconds of CPU. */
const slow = 300_000
const start = Date.parse("2026-11-01T00:00:00Z")

describe("the schedule", () => {
  it("has ten attempts, each within a fifth of its nominal time", () => {
    expect(maxAttempts).toBe(10)
    for (const id of ids) {
      nominal.forEach((wait, index) => {
        const actual = seconds(waitAfter(id, index + 1, none)) ?? 0
        expect(actual).toBeGreaterThanOrEqual(wait * 0.8)
        expect(actual).toBeLessThanOrEqual(wait * 1.2)
      })
      expect(waitAfter(id, 10, none)).toEqual(Option.none())
    }
  })

  it("never makes the last attempt before 74 hours", () => {
    const totals = ids.map((id) =>
      nominal.reduce((total, _, index) => total + (seconds(waitAfter(id, index + 1, none)) ?? 0), 0)
    )
    expect(Math.min(...totals)).toBeGreaterThan(74 * hour)
  })

  it("spreads deliveries that fail together over the whole deviation", () => {
    const first = ids.map((id) => seconds(waitAfter(id, 1, none)) ?? 0)
    expect(Math.min(...first)).toBeLessThan(4.1)
    expect(Math.max(...first)).toBeGreaterThan(5.9)
  })

  it("waits longer when the receiver asks for it, but not for ever", () => {
    expect(seconds(waitAfter("dlv_1", 1, Option.some(Duration.seconds(90))))).toBe(90)
    expect(seconds(waitAfter("dlv_1", 2, Option.some(Duration.seconds(1))))).toBeGreaterThan(200)
    expect(seconds(waitAfter("dlv_1", 1, Option.some(Duration.days(365))))).toBe(24 * hour)
  })

  it.each([
    ["120", 120],
    [" 7 ", 7],
    ["0", 0],
    ["Sun, 01 Nov 2026 00:01:30 GMT", 90],
    ["Sat, 31 Oct 2026 00:00:00 GMT", 0],
    ["-5", undefined],
    ["1e9", undefined],
    ["soon", undefined],
    ["Xyz, 99 Nov 2026 GMT", undefined],
    ["", undefined]
  ])("reads Retry-After: %s", (header, expected) => {
    expect(seconds(parseRetryAfter(header, DateTime.makeUnsafe(start)))).toBe(expected)
  })
})

layer(layerOfDays)("the schedule in time", (it) => {
  it.effect(
    "delivers once to a receiver that is down for 74 hours and comes back",
    () =>
      Effect.gen(function* () {
        const server = yield* receiver((response) => response.writeHead(503).end())
        const id = yield* endedExecution({ url: server.url })
        let delivery = yield* awaitDelivery(id, attempts(1))
        const first = Date.parse(delivery.attempts[0]?.at ?? "")
        while (delivery.status === "pending") {
          yield* untilDue(delivery)
          const down = Date.parse(delivery.nextAttemptAt ?? "") - first < 74 * hour * 1000
          if (!down) server.become(accept)
          delivery = yield* awaitDelivery(id, attempts(delivery.attempts.length + 1))
        }
        expect(delivery.status).toBe("delivered")
        expect(delivery.attempts.map(({ status }) => status)).toEqual([...Array(9).fill(503), 204])
        delivery.attempts.slice(1).forEach(({ at }, index) => {
          const before = Date.parse(delivery.attempts[index]?.at ?? "")
          const wait = (Date.parse(at) - before) / 1000
          expect(wait / (nominal[index] ?? 0)).toBeGreaterThanOrEqual(0.799)
          expect(wait / (nominal[index] ?? 0)).toBeLessThanOrEqual(1.201)
        })
        expect(server.received.length).toBe(10)
        expect(new Set(server.received.map(({ headers }) => headers["webhook-id"])).size).toBe(1)
        expect(new Set(server.received.map(({ headers }) => headers["webhook-timestamp"])).size).toBe(10)
      }),
    slow
  )

  it.effect(
    "gives up after the tenth attempt",
    () =>
      Effect.gen(function* () {
        const server = yield* receiver((response) => response.writeHead(500).end())
        const id = yield* endedExecution({ url: server.url })
        let delivery = yield* awaitDelivery(id, attempts(1))
        while (delivery.status === "pending") {
          yield* untilDue(delivery)
          delivery = yield* awaitDelivery(id, attempts(delivery.attempts.length + 1))
        }
        expect(delivery).toMatchObject({ status: "failed", nextAttemptAt: null })
        expect(server.received.length).toBe(10)
      }),
    slow
  )
})
