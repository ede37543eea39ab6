import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Result } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { makeBatches } from "../../src/sql/Batches.ts"

const refused = new SqlError.SqlError({
  reason: new SqlError.UnknownError({ cause: new Error("no"), message: "a bad item" })
})

/** Items are `<key>:<name>`; a statement with an item named bad fails. */
const over = (sent: Array<ReadonlyArray<string>>, gate: Effect.Effect<unknown> = Effect.void) =>
  makeBatches<string, string>({
    statement: (items) =>
      Effect.gen(function* () {
        sent.push(items)
        yield* gate
        return items.some((item) => item.endsWith("bad")) ? yield* refused : items.map((item) => `${item}!`)
      }),
    keyOf: (item) => item.split(":")[0] ?? "",
    sizeOf: (item) => item.length
  })

/** Waits until a statement is on its way. */
const untilSent = Effect.fnUntraced(function* (sent: ReadonlyArray<unknown>) {
  while (sent.length === 0) yield* Effect.yieldNow
})

describe("items that are sent together", () => {
  it.effect("go in one statement while another is on its way, each with its own result", () =>
    Effect.gen(function* () {
      const sent: Array<ReadonlyArray<string>> = []
      const gate = yield* Deferred.make<void>()
      const { offer, send } = yield* over(sent, Deferred.await(gate))
      const first = yield* Effect.forkChild(send("a:1"))
      yield* untilSent(sent)
      const others = yield* Effect.forEach(["a:2", "c:1", "a:3"], offer)
      yield* Deferred.succeed(gate, undefined)
      assert.strictEqual(yield* Fiber.join(first), "a:1!")
      assert.deepStrictEqual(yield* Effect.forEach(others, Deferred.await), ["a:2!", "c:1!", "a:3!"])
      assert.deepStrictEqual(sent, [["a:1"], ["a:2", "c:1", "a:3"]])
    }).pipe(Effect.scoped)
  )

  it.effect("go past a statement that takes long, except those of its keys", () =>
    Effect.gen(function* () {
      const sent: Array<ReadonlyArray<string>> = []
      const lock = yield* Deferred.make<void>()
      const { offer, send } = yield* over(
        sent,
        Effect.suspend(() => (sent.length === 1 ? Deferred.await(lock) : Effect.void))
      )
      const held = yield* offer("a:1")
      yield* untilSent(sent)
      const soon = yield* offer("b:1")
      yield* TestClock.adjust("100 millis")
      assert.strictEqual(yield* send("c:1"), "c:1!")
      const behind = yield* offer("a:2")
      const further = yield* offer("b:2")
      assert.strictEqual(yield* send("c:2"), "c:2!")
      assert.deepStrictEqual(sent, [["a:1"], ["c:1"], ["c:2"]])
      yield* Deferred.succeed(lock, undefined)
      assert.deepStrictEqual(yield* Effect.forEach([held, soon, behind, further], Deferred.await), [
        "a:1!",
        "b:1!",
        "a:2!",
        "b:2!"
      ])
      assert.deepStrictEqual(sent.slice(3), [["b:1", "a:2", "b:2"]])
    }).pipe(Effect.scoped)
  )

  it.effect("fail alone, with those of their key behind them", () =>
    Effect.gen(function* () {
      const sent: Array<ReadonlyArray<string>> = []
      const { offer } = yield* over(sent)
      const items = ["a:1", "a:bad", "c:1", "a:2", "c:2"]
      const results = yield* Effect.forEach(yield* Effect.forEach(items, offer), (result) =>
        Effect.result(Deferred.await(result))
      )
      assert.deepStrictEqual(
        results.map((result) => (Result.isSuccess(result) ? result.success : "failed")),
        ["a:1!", "failed", "c:1!", "failed", "c:2!"]
      )
      assert.deepStrictEqual(sent, [items, ["a:1"], ["a:bad"], ["c:1"], ["c:2"]])
    }).pipe(Effect.scoped)
  )

  it.effect("are not sent after one of their key that failed before them", () =>
    Effect.gen(function* () {
      const sent: Array<ReadonlyArray<string>> = []
      const gate = yield* Deferred.make<void>()
      const { offer } = yield* over(sent, Deferred.await(gate))
      const bad = yield* offer("a:bad")
      yield* untilSent(sent)
      const behind = yield* offer("a:1")
      yield* Deferred.succeed(gate, undefined)
      assert.isTrue(Result.isFailure(yield* Effect.result(Deferred.await(bad))))
      assert.isTrue(Result.isFailure(yield* Effect.result(Deferred.await(behind))))
      assert.deepStrictEqual(sent, [["a:bad"]])
    }).pipe(Effect.scoped)
  )
})
