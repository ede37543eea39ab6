import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { openEmbedded } from "../../src/sql/EmbeddedDatabase.ts"
import { layerEmptyStore } from "../support/EmptyStore.ts"

const empty = Layer.provide(layerEmptyStore, NodeServices.layer)

describe("the embedded database", () => {
  it.live("calculates in a thread of its own: everything else goes on meanwhile", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const slow = yield* Effect.forkChild(sql`select count(*) from generate_series(1, 1000000)`)
      let turns = 0
      while (slow.pollUnsafe() === undefined) {
        yield* Effect.sleep("1 millis")
        turns += 1
      }
      yield* Fiber.join(slow)
      assert.isAbove(turns, 10)
    }).pipe(Effect.provide(empty))
  )

  it.live("answers statements that are sent together in their order", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const asked = Array.from({ length: 50 }, (_, i) => i)
      const rows = yield* Effect.forEach(asked, (i) => sql`select ${i}::int as i`, {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(
        rows.flat(),
        asked.map((i) => ({ i }))
      )
    }).pipe(Effect.provide(empty))
  )

  it.live("fails what is asked once its thread has ended", () =>
    Effect.gen(function* () {
      const database = yield* Effect.scoped(openEmbedded(undefined))
      const failed = yield* Effect.callback<Error>((resume) => {
        const connection = database.connect()
        connection.on("error", (error) => resume(Effect.succeed(error)))
        connection.write(Uint8Array.of(83, 0, 0, 0, 4))
      })
      assert.strictEqual(failed.message, "The embedded database has stopped")
    })
  )
})
