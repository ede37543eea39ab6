import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { FairPlaces } from "../../src/document/process/FairPlaces.ts"

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

describe("FairPlaces", () => {
  it.effect("serves who holds the fewest places before who came first", () =>
    Effect.gen(function* () {
      const places = new FairPlaces(2)
      const { begun, job } = makeJobs()
      const ends = yield* Effect.forEach([0, 1], () => Deferred.make<void>())
      const [first, second] = ends
      if (first === undefined || second === undefined) return assert.fail()
      const [long, short] = [{}, {}]
      const fibers = yield* Effect.forEach(
        [
          places.with(long, job("long 1", first)),
          places.with(long, job("long 2", second)),
          places.with(long, job("long 3", second)),
          places.with(long, job("long 4", second)),
          places.with(short, job("short", second))
        ],
        (job) => Effect.forkChild(job)
      )
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["long 1", "long 2"])
      assert.isTrue(places.isWanted)
      yield* Deferred.succeed(first, undefined)
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["long 1", "long 2", "short"])
      yield* Deferred.succeed(second, undefined)
      yield* Fiber.joinAll(fibers)
      assert.deepStrictEqual(begun.slice(3), ["long 3", "long 4"])
      assert.isFalse(places.isWanted)
    })
  )

  it.effect("keeps a place free for others, and gives back those of jobs that are interrupted", () =>
    Effect.gen(function* () {
      const places = new FairPlaces(2, 1)
      const { begun, job } = makeJobs()
      const never = yield* Deferred.make<void>()
      const one = {}
      const running = yield* Effect.forkChild(places.with(one, job("running", never)))
      const waiting = yield* Effect.forkChild(places.with(one, job("waiting", never)))
      const other = yield* Effect.forkChild(places.with({}, job("other", never)))
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["running", "other"])
      yield* Fiber.interrupt(waiting)
      yield* Fiber.interrupt(running)
      yield* Fiber.interrupt(other)
      yield* places.with(one, Effect.void)
      assert.deepStrictEqual(begun, ["running", "other"])
    })
  )
})
