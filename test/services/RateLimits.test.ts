import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { expect, test } from "vitest"
import { RateLimits, type RateState } from "../../src/services/admission/RateLimits.ts"
import * as fc from "../support/FastCheck.ts"
import { useService } from "../support/TestService.ts"

const service = useService()

/** Requests of one bucket at several nodes over one database: for each turn, a node and how many come at once. */
const countAt = (
  bucket: string,
  limit: number,
  turns: ReadonlyArray<{ readonly node: number; readonly atOnce: number }>
): Promise<ReadonlyArray<RateState>> =>
  service.it.run(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const built = Effect.provideService(
        Layer.build(Layer.fresh(RateLimits.layer)),
        SqlClient.SqlClient,
        sql
      )
      const nodes = yield* Effect.replicateEffect(Effect.map(built, Context.get(RateLimits)), 3)
      const states = yield* Effect.forEach(turns, ({ atOnce, node }) =>
        Effect.replicateEffect(nodes[node]?.count(bucket, limit) ?? Effect.die("no node"), atOnce, {
          concurrency: "unbounded"
        })
      )
      return states.flat()
      // The clock of these processes says 1970.
    }).pipe(Effect.scoped, Effect.provide(TestClock.layer()))
  )

test("several nodes allow exactly the limit in a minute of the database, and each request has its own number", async () => {
  const limit = 50
  const turns = fc.sample(fc.record({ node: fc.nat(2), atOnce: fc.integer({ min: 1, max: 9 }) }), 40)
  const states = await countAt("several", limit, turns)
  // A new minute may begin meanwhile.
  for (const window of Map.groupBy(states, ({ resetAt }) => resetAt).values()) {
    const allowed = window.filter((state) => state.allowed)
    expect(allowed).toHaveLength(Math.min(limit, window.length))
    expect(allowed.map(({ remaining }) => remaining).toSorted((a, b) => b - a)).toEqual(
      allowed.map((_, index) => limit - 1 - index)
    )
  }
})

test("the window is that of the database, whatever the clock of a process says", async () => {
  const [row] = await service.it.rows("select extract(epoch from now())::float8 as now")
  const now = Number(Object(row).now)
  const [state] = await countAt("clock", 10, [{ node: 0, atOnce: 1 }])
  expect(Math.abs(Number(state?.resetAt) - now)).toBeLessThanOrEqual(120)
  expect(Number(state?.resetAt) % 60).toBe(0)
  expect(state).toMatchObject({ allowed: true, limit: 10, remaining: 9 })
  const looked = await service.it.run(Effect.flatMap(RateLimits, (limits) => limits.look("unknown", 10)))
  expect(looked).toMatchObject({ allowed: true, remaining: 10 })
})
