import { describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { expect, test } from "vitest"
import { CurrentIntakeSlot, makeIntake } from "../../src/services/admission/Overload.ts"
import { runOf } from "../support/Documents.ts"
import { useOwnService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

const service = useOwnService()

/** Milliseconds for which the intake must be full before it refuses. */
const patience = 2_000

test("a burst of 40 runs is taken; what a busy machine cannot take in 2 seconds is refused later, and taken when it is sent again", async () => {
  const { live: key } = await service.it.tenant()
  const body = await runOf()
  const startedAt = performance.now()
  const post = async () => {
    const { status } = await service.it.call("POST", "/flows/greet/run", { key, body, mayBeRefused: true })
    return { status, afterMs: performance.now() - startedAt }
  }
  const answers = await Promise.all(Array.from({ length: 40 }, post))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.filter(({ afterMs, status }) => status !== 503 || afterMs < patience)).toEqual([])
  for (const _ of refused) {
    await until("the run to be taken", async () => ((await post()).status === 200 ? true : undefined))
  }
})

describe("the intake", () => {
  /** Someone comes and stays; whether he was one too many. */
  const arriveAt = Effect.fnUntraced(function* (intake: ReturnType<typeof makeIntake>) {
    yield* Effect.forkScoped(intake.hold(Effect.never))
    yield* Effect.yieldNow
    return yield* intake.isFull
  })

  it.effect("takes a burst, and refuses when there are too many for 2 seconds", () =>
    Effect.gen(function* () {
      const arrive = arriveAt(makeIntake(3))
      expect(yield* Effect.replicateEffect(arrive, 10)).toEqual(Array.from({ length: 10 }, () => false))
      yield* TestClock.adjust("1900 millis")
      expect(yield* arrive).toBe(false)
      yield* TestClock.adjust("200 millis")
      expect(yield* arrive).toBe(true)
    }).pipe(Effect.scoped)
  )

  it.effect("takes again as soon as there is a place", () =>
    Effect.gen(function* () {
      const arrive = arriveAt(makeIntake(3))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* Effect.replicateEffect(arrive, 10)
          yield* TestClock.adjust("3 seconds")
          expect(yield* arrive).toBe(true)
        })
      )
      expect(yield* arrive).toBe(false)
    }).pipe(Effect.scoped)
  )

  it.effect("takes a burst after a burst, however long ago that was", () =>
    Effect.gen(function* () {
      const intake = makeIntake(3)
      // All of a burst hold their place before any of them asks.
      const burst = Effect.scoped(
        Effect.gen(function* () {
          yield* Effect.replicateEffect(Effect.forkScoped(intake.hold(Effect.never)), 10)
          yield* Effect.yieldNow
          return yield* Effect.replicateEffect(intake.isFull, 10)
        })
      )
      expect(yield* burst).not.toContain(true)
      yield* TestClock.adjust("1 minute")
      expect(yield* burst).not.toContain(true)
    })
  )

  it.effect("counts a run that gives its place back once", () =>
    Effect.gen(function* () {
      const intake = makeIntake(3)
      const arrive = arriveAt(intake)
      const leavesTwice = Effect.flatMap(CurrentIntakeSlot, ({ aside, leave }) =>
        Effect.andThen(aside(Effect.void), Effect.andThen(leave, leave))
      )
      yield* Effect.replicateEffect(intake.hold(leavesTwice), 10)
      yield* Effect.replicateEffect(arrive, 4)
      yield* TestClock.adjust("3 seconds")
      expect(yield* arrive).toBe(true)
    }).pipe(Effect.scoped)
  )

  it.effect("does not count who waits for a slow sender", () =>
    Effect.gen(function* () {
      const intake = makeIntake(3)
      const arrive = arriveAt(intake)
      yield* Effect.replicateEffect(
        Effect.forkScoped(intake.hold(Effect.flatMap(CurrentIntakeSlot, ({ aside }) => aside(Effect.never)))),
        10
      )
      yield* Effect.yieldNow
      yield* TestClock.adjust("3 seconds")
      expect(yield* arrive).toBe(false)
    }).pipe(Effect.scoped)
  )
})
