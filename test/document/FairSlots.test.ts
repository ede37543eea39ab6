import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { FairSlots } from "../../src/document/process/FairSlots.ts"

/** A job that notes when it begins and ends when it is told. */
const makeJobs = () => {
  const begun: Array<string> = []
  const job = (name: string, until: Deferred.Deferred<void>) =>
    Effect.andThen(
      Effect.sync(() => begun.push(name)),
      Deferred.await(until)
    )
  return { begun, job }
}

describe("FairSlots", () => {
  it.effect("serves who holds the fewest slots before who came first", () =>
    Effect.gen(function* () {
      const slots = new FairSlots(2)
      const { begun, job } = makeJobs()
      const ends = yield* Effect.forEach([0, 1], () => Deferred.make<void>())
      const [first, second] = ends
      if (first === undefined || second === undefined) return assert.fail()
      const [long, short] = [{}, {}]
      const fibers = yield* Effect.forEach(
        [
          slots.with(long, job("long 1", first)),
          slots.with(long, job("long 2", second)),
          slots.with(long, job("long 3", second)),
          slots.with(long, job("long 4", second)),
          slots.with(short, job("short", second))
        ],
        (job) => Effect.forkChild(job)
      )
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["long 1", "long 2"])
      assert.strictEqual(slots.waiting, 3)
      yield* Deferred.succeed(first, undefined)
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["long 1", "long 2", "short"])
      yield* Deferred.succeed(second, undefined)
      yield* Fiber.joinAll(fibers)
      assert.deepStrictEqual(begun.slice(3), ["long 3", "long 4"])
      assert.strictEqual(slots.waiting, 0)
    })
  )

  it.effect("keeps a slot free for others, and gives back those of jobs that are interrupted", () =>
    Effect.gen(function* () {
      const slots = new FairSlots(2, 1)
      const { begun, job } = makeJobs()
      const never = yield* Deferred.make<void>()
      const one = {}
      const running = yield* Effect.forkChild(slots.with(one, job("running", never)))
      const waiting = yield* Effect.forkChild(slots.with(one, job("waiting", never)))
      const other = yield* Effect.forkChild(slots.with({}, job("other", never)))
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["running", "other"])
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(running)
      yield* Fiber.interrupt(other)
      yield* slots.with(one, Effect.void)
      assert.deepStrictEqual(begun, ["running", "other"])
    })
  )
})
