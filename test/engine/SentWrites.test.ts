import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlError } from "effect/sql"
import type { Written } from "../../src/engine/journal/ExecutionWrites.ts"
import { SentWrites } from "../../src/engine/journal/SentWrites.ts"

const away = new SqlError.SqlError({
  reason: new SqlError.ConnectionError({ cause: "away", message: "the database is away" })
})

const send = (sent: SentWrites) => {
  const write = Deferred.makeUnsafe<Written, SqlError.SqlError>()
  sent.add(write)
  return write
}

describe("the writes of an execution that were sent", () => {
  it.effect("are waited for again when the time limit of a step ended the first wait", () =>
    Effect.gen(function* () {
      const sent = new SentWrites()
      const record = send(sent)
      const first = yield* Effect.forkChild(sent.settle, { startImmediately: true })
      yield* Fiber.interrupt(first)
      yield* Deferred.fail(record, away)
      assert.strictEqual(yield* Effect.flip(sent.settle), away)
      assert.strictEqual(yield* Effect.flip(sent.check), away)
    })
  )

  it.effect("are waited for once, and say when the execution had ended", () =>
    Effect.gen(function* () {
      const sent = new SentWrites()
      const done = { begun: null, webhook: null, charged: null }
      yield* Deferred.succeed(send(sent), { ...done, done: true })
      yield* Deferred.succeed(send(sent), { ...done, done: false })
      assert.isFalse(yield* sent.settle)
      assert.strictEqual(sent.count, 0)
      assert.isTrue(yield* sent.settle)
    })
  )
})
