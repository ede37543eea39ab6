import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { RunQueue, type Turn } from "../../src/engine/placement/RunQueue.ts"

/** Executions in a queue with a number of places; each holds its place until it is told to end. */
class Line {
  readonly started: Array<string> = []
  readonly #queue: RunQueue
  readonly #ends = new Map<string, Deferred.Deferred<void>>()

  constructor(places: number) {
    this.#queue = new RunQueue(places)
  }

  /** Lets an execution ask for a place; its name is what `started` shows. */
  readonly ask = Effect.fnUntraced(function* (this: Line, name: string, turn: Partial<Turn> = {}) {
    const end = yield* Deferred.make<void>()
    this.#ends.set(name, end)
    const work = Effect.andThen(
      Effect.sync(() => this.started.push(name)),
      Deferred.await(end)
    )
    const whose = { organizationId: name.replace(/\d+$/u, ""), waited: false, ...turn }
    return yield* Effect.forkChild(this.#queue.with(whose, work), { startImmediately: true })
  })

  readonly end = Effect.fnUntraced(function* (this: Line, name: string) {
    const end = this.#ends.get(name)
    if (end !== undefined) yield* Deferred.succeed(end, undefined)
    for (let turn = 0; turn < 5; turn++) yield* Effect.yieldNow
  })
}

const many = (line: Line, organization: string, count: number, turn: Partial<Turn> = {}) =>
  Effect.forEach(
    Array.from({ length: count }, (_, index) => `${organization}${index}`),
    (name) => line.ask(name, turn),
    { discard: true }
  )

describe("the places of a runner", () => {
  it.effect("one organization's 10,000 executions leave a place for another's first", () =>
    Effect.gen(function* () {
      const line = new Line(8)
      yield* many(line, "flood", 10_000)
      assert.strictEqual(line.started.length, 7)
      yield* line.ask("other")
      assert.strictEqual(line.started.at(-1), "other")
    })
  )

  it.effect("an organization that holds fewer places gets the next", () =>
    Effect.gen(function* () {
      const line = new Line(4)
      yield* many(line, "a", 10)
      yield* many(line, "b", 10)
      assert.deepStrictEqual(line.started, ["a0", "a1", "a2", "b0"])
      yield* line.end("a0")
      yield* line.end("a1")
      assert.deepStrictEqual(line.started.slice(4), ["b1", "a3"])
    })
  )

  it.effect("executions that somebody waits for go first, and background ones still go on", () =>
    Effect.gen(function* () {
      const line = new Line(1)
      yield* many(line, "background", 3)
      yield* many(line, "waited", 6, { waited: true })
      for (let ended = 0; ended < 8; ended++) yield* line.end(line.started.at(-1) ?? "")
      assert.deepStrictEqual(line.started, [
        "background0",
        "waited0",
        "waited1",
        "background1",
        "waited2",
        "waited3",
        "waited4",
        "background2",
        "waited5"
      ])
    })
  )

  it.effect("whoever is interrupted while waiting takes no place", () =>
    Effect.gen(function* () {
      const line = new Line(1)
      yield* line.ask("first")
      const second = yield* line.ask("second")
      yield* line.ask("third")
      yield* Fiber.interrupt(second)
      yield* line.end("first")
      assert.deepStrictEqual(line.started, ["first", "third"])
    })
  )

  it.effect("expect a wait as long as the last executions took, and none for whom a place is free", () =>
    Effect.gen(function* () {
      const queue = new RunQueue(8)
      const run = (organizationId: string, millis: number) =>
        Effect.forkChild(queue.with({ organizationId, waited: false }, Effect.sleep(millis)), {
          startImmediately: true
        })
      for (let ended = 0; ended < 100; ended++) {
        yield* run("short", 10)
        yield* TestClock.adjust(10)
      }
      for (let long = 0; long < 9; long++) yield* run("long", 60_000)
      assert.strictEqual(queue.expectedWait("other"), 0)
      assert.isAtMost(queue.expectedWait("long"), 10)
      yield* TestClock.adjust(60_000)
      for (let long = 0; long < 9; long++) yield* run("long", 60_000)
      assert.isAtLeast(queue.expectedWait("long"), 1_000)
    })
  )
})
