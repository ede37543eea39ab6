import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import type { Turn } from "../../src/engine/placement/Runner.ts"
import { FairSlots } from "../../src/support/FairSlots.ts"

/** Executions in a queue with a number of places; each holds its place until it is told to end. */
class Line {
  readonly started: Array<string> = []
  readonly #slots: FairSlots<string>
  readonly #ends = new Map<string, Deferred.Deferred<void>>()

  constructor(places: number) {
    this.#slots = new FairSlots(places, Math.floor((places * 7) / 8))
  }

  /** Lets an execution ask for a place; its name is what `started` shows. */
  readonly ask = Effect.fnUntraced(function* (this: Line, name: string, turn: Partial<Turn> = {}) {
    const end = yield* Deferred.make<void>()
    this.#ends.set(name, end)
    const work = Effect.andThen(
      Effect.sync(() => this.started.push(name)),
      Deferred.await(end)
    )
    const { organizationId = name.replace(/\d+$/u, ""), waited } = turn
    return yield* Effect.forkChild(this.#slots.with(organizationId, work, waited), { startImmediately: true })
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
})

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
      const slots = new FairSlots<object>(2)
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
      const slots = new FairSlots<object>(2, 1)
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

  it.effect("grants no more than are left after the number was reduced", () =>
    Effect.gen(function* () {
      const slots = new FairSlots<object>(3)
      const { begun, job } = makeJobs()
      const ends = yield* Effect.forEach([0, 1, 2, 3], () => Deferred.make<void>())
      yield* Effect.forEach(ends, (end, index) => Effect.forkChild(slots.with({}, job(`${index}`, end))))
      yield* Effect.yieldNow
      slots.resize(2)
      yield* Deferred.succeed(ends[0] ?? assert.fail(), undefined)
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["0", "1", "2"])
      slots.resize(3)
      yield* Effect.yieldNow
      assert.deepStrictEqual(begun, ["0", "1", "2", "3"])
    })
  )
})
