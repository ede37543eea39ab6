import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { RateLimits } from "../../../src/services/limits/RateLimits.ts"
import * as fc from "../../support/FastCheck.ts"
import { useService } from "../../support/TestService.ts"

const service = useService()

/** The begin of a minute that is not over for the service, which removes the counters of past ones. */
const someMinute = Date.parse("2100-01-01T00:00:00Z")

/** The rate limits of several nodes over one database, at the begin of a minute. */
const makeNodes = (count: number) =>
  Effect.gen(function* () {
    const sql = yield* Effect.promise(() => service.it.run(SqlClient.SqlClient))
    yield* TestClock.setTime(someMinute)
    return yield* Effect.forEach(Array.from({ length: count }), () =>
      Effect.map(
        Layer.build(Layer.fresh(RateLimits.layer)).pipe(Effect.provideService(SqlClient.SqlClient, sql)),
        (built) => Context.get(built, RateLimits)
      )
    )
  })

const storedFor = (bucket: string) =>
  Effect.promise(async () => {
    const [row] = await service.it.rows(`select requests from rate_windows where bucket = '${bucket}'`)
    return Number(Object(row).requests)
  })

describe("many requests", () => {
  it.effect("take numbers in advance; what is told is exact, and what is not used is given back", () =>
    Effect.gen(function* () {
      const [node] = yield* makeNodes(1)
      assert.isDefined(node)
      for (let made = 1; made <= 300; made++) {
        assert.strictEqual((yield* node.count("advance", 100_000)).remaining, 100_000 - made)
      }
      assert.isAbove(yield* storedFor("advance"), 300)
      assert.strictEqual((yield* node.look("advance", 100_000)).remaining, 100_000 - 300)
      // What gives back may begin to wait after the clock was set forward: the minute has time for several tries.
      for (let tries = 0; tries < 18 && (yield* storedFor("advance")) !== 300; tries++)
        yield* TestClock.adjust("3 seconds")
      assert.strictEqual(yield* storedFor("advance"), 300)
      assert.strictEqual((yield* node.count("advance", 100_000)).remaining, 100_000 - 301)
    }).pipe(Effect.scoped)
  )

  it.effect("near the limit take none", () =>
    Effect.gen(function* () {
      const [node] = yield* makeNodes(1)
      assert.isDefined(node)
      for (let made = 1; made <= 90; made++) yield* node.count("near", 100)
      assert.strictEqual(yield* storedFor("near"), 90)
    }).pipe(Effect.scoped)
  )

  it.effect("at several nodes are never more than the limit, and hardly fewer", () =>
    Effect.gen(function* () {
      const limit = 1_000
      const nodes = yield* makeNodes(3)
      const turns = fc.sample(fc.record({ node: fc.nat(2), atOnce: fc.integer({ min: 1, max: 9 }) }), 400)
      let allowed = 0
      for (const { atOnce, node } of turns) {
        const states = yield* Effect.replicateEffect(
          nodes[node]?.count("several", limit) ?? Effect.die("no node"),
          atOnce,
          { concurrency: "unbounded" }
        )
        allowed += states.filter((state) => state.allowed).length
        assert.isAtMost(allowed, limit)
      }
      assert.isAtLeast(
        turns.reduce((sum, { atOnce }) => sum + atOnce, 0),
        limit + 300
      )
      assert.isAtLeast(allowed, limit - 20)
    }).pipe(Effect.scoped)
  )
})
