import { describe, expect, test } from "vitest"
import { type Entry, Occupancies } from "../../src/engine/placement/Occupancy.ts"
import type { Tenancy } from "../../src/engine/placement/Tenancy.ts"
import * as fc from "../support/FastCheck.ts"

const tenancy: Tenancy = { organizationId: "org", environment: "live" }
const limit = 3

/** A database with the executions of an organization, and a process that asks it. */
class World {
  readonly occupancies = new Occupancies()
  running = 0
  /** The executions that this process knows to be running: what it accepted, without the ends that it heard of. */
  known = 0
  now = 0
  asked = 0
  lookedUp = 0
  /** Since when there has been a free place. */
  freeSince: number | undefined = 0

  /** A run arrives; whether it was refused without the database. */
  arrive(): boolean {
    const entry = this.occupancies.enter(tenancy, limit, this.now, this.known >= limit)
    if (entry !== undefined) {
      this.ask(entry)
      return false
    }
    if (this.occupancies.isDue(tenancy, this.now)) {
      this.lookedUp += 1
      this.known = Math.min(this.known, this.running)
      this.occupancies.counted(tenancy, this.running, this.now)
    }
    return true
  }

  ask(entry: Entry): void {
    this.asked += 1
    if (this.running >= limit) return this.occupancies.refused(tenancy, limit, entry, this.now)
    this.begin()
    this.known += 1
    this.occupancies.accepted(tenancy, entry)
  }

  /** An execution that another process accepts. */
  begin(): void {
    this.running += 1
    if (this.running === limit) this.freeSince = undefined
  }

  end(isHeard: boolean): void {
    if (this.running === 0) return
    this.running -= 1
    this.freeSince ??= this.now
    if (!isHeard) return
    this.known = Math.max(0, this.known - 1)
    this.occupancies.ended(tenancy)
  }
}

const full = (): World => {
  const world = new World()
  for (let run = 0; run < limit + 5; run++) world.arrive()
  return world
}

describe("an organization that is refused all the time", () => {
  test("is refused without the database, which counts its executions now and then", () => {
    const world = full()
    const { asked } = world
    for (; world.now < 10_000; world.now += 5) world.arrive()
    expect(world.asked).toBe(asked)
    expect(world.lookedUp).toBeGreaterThan(5)
    expect(world.lookedUp).toBeLessThanOrEqual(12)
  })

  test("gets all places whose ends were not heard once they are counted, but not those that are being taken", () => {
    const world = full()
    world.end(false)
    world.end(false)
    world.end(true)
    const taking = world.occupancies.enter(tenancy, limit, world.now)
    if (taking === undefined) throw new Error("the free place was not given")
    world.now += 300
    expect([world.arrive(), world.arrive(), world.arrive(), world.arrive()]).toEqual([
      true,
      false,
      false,
      true
    ])
    world.ask(taking)
    expect([world.running, world.arrive()]).toEqual([limit, true])
  })

  test("is counted less and less often while nothing is found, also while a place is being taken", () => {
    const world = full()
    world.end(true)
    world.occupancies.enter(tenancy, limit, world.now)
    world.now += 300
    expect([world.arrive(), world.lookedUp]).toEqual([true, 1])
    world.now += 300
    expect([world.arrive(), world.lookedUp]).toEqual([true, 1])
  })

  test("gets every place as soon as it is free", () => {
    const world = full()
    world.end(true)
    world.end(true)
    expect([world.arrive(), world.arrive(), world.arrive()]).toEqual([false, false, true])
    expect(world.running).toBe(limit)
  })

  test("gets a place that a run left again", () => {
    const world = full()
    world.end(true)
    const entry = world.occupancies.enter(tenancy, limit, world.now)
    if (entry === undefined) throw new Error("the free place was not given")
    expect(world.arrive()).toBe(true)
    world.occupancies.left(tenancy, entry)
    expect([world.arrive(), world.arrive()]).toEqual([false, true])
    expect(world.running).toBe(limit)
  })

  test("is not known any more after a pause, or with another limit", () => {
    const world = full()
    expect(world.arrive()).toBe(true)
    expect(world.occupancies.isFull(tenancy, limit + 1, world.now)).toBe(false)
    const later = full()
    later.now += 1_500
    expect(later.occupancies.isFull(tenancy, limit, later.now)).toBe(false)
  })

  test("does not concern others, but an end of unknown origin may be anybody's", () => {
    const world = full()
    expect(world.occupancies.isFull({ ...tenancy, environment: "test" }, limit, 0)).toBe(false)
    world.occupancies.ended({ ...tenancy, environment: "test" })
    expect(world.occupancies.isFull(tenancy, limit, 0)).toBe(true)
    world.occupancies.ended(undefined)
    expect(world.occupancies.isFull(tenancy, limit, 0)).toBe(false)
  })

  test("is known before the first answer, if many arrive that have no hope; each counts once", () => {
    const world = full()
    const later = 1_500
    const entries = Array.from({ length: 5 }, () => world.occupancies.enter(tenancy, limit, later, true))
    expect(world.occupancies.enter(tenancy, limit, later, true)).toBeUndefined()
    world.end(true)
    expect(world.occupancies.isFull(tenancy, limit, later)).toBe(false)
    const other = new Occupancies()
    for (let run = 0; run < 4; run++) {
      const entry = other.enter(tenancy, limit, later, true)
      if (entry !== undefined) other.refused(tenancy, limit, entry, later)
    }
    expect([entries.length, other.isFull(tenancy, limit, later)]).toEqual([5, false])
  })

  test("of a few refusals is not known: the database decides", () => {
    const world = new World()
    for (let run = 0; run < limit + 4; run++) expect(world.arrive()).toBe(false)
  })
})

interface Happening {
  readonly event: "arrive" | "end" | "other"
  /** Milliseconds since the one before. */
  readonly after: number
  readonly heard: number
}

const event = fc.oneof(
  { weight: 6, arbitrary: fc.constant("arrive" as const) },
  { weight: 2, arbitrary: fc.constant("end" as const) },
  { weight: 1, arbitrary: fc.constant("other" as const) }
)
const history = fc.array(fc.record({ event, after: fc.integer({ min: 0, max: 40 }), heard: fc.nat(9) }), {
  minLength: 50,
  maxLength: 400
})

/** Plays a history; the longest time for which a place was free when a run was refused. */
const longestWrong = (events: ReadonlyArray<Happening>, isHeard: (luck: number) => boolean): number => {
  const world = full()
  let longest = -1
  for (const { after, event, heard } of events) {
    world.now += after
    if (event === "end") world.end(isHeard(heard))
    else if (event === "other" && world.running < limit) world.begin()
    else if (event === "arrive" && world.arrive() && world.freeSince !== undefined) {
      longest = Math.max(longest, world.now - world.freeSince)
    }
  }
  return longest
}

describe("whatever happens", () => {
  test("no run is refused while a place is free, if every end is heard", () => {
    fc.assert(fc.property(history, (events) => longestWrong(events, () => true) === -1))
  })

  test("a lost signal keeps a place free for little more than a second at most", () => {
    fc.assert(fc.property(history, (events) => longestWrong(events, (luck) => luck < 5) <= 1_250))
  })
})
