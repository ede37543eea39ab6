import { Context, Layer } from "effect"
import { nameOf, type Tenancy } from "./Tenancy.ts"

/** The number of refusals in short succession after which an organization is refused from memory. */
const pressure = 5
/** After this time without a refusal, in milliseconds, the database decides about every run again. */
const calm = 1_000
/**
 * How long it is believed that there are no other places, in milliseconds, because a signal that an execution has ended may
 * be lost: twice as long each time that none was.
 */
const believed = 250
const longestBelieved = 1_000
/** When a look-up has not been answered after this time, in milliseconds, another one is made. */
const patience = 250
/** The number of organizations of which this is known. */
const mostKnown = 10_000

/** A run that asks the database, with what this process had counted then. */
export interface Entry {
  readonly ends: number
  readonly admitted: number
  /** Whether it took a place that is known to be free. */
  readonly hasPlace: boolean
  /** Whether it has been counted as a refusal already. */
  readonly isHopeless: boolean
}

interface Known {
  readonly limit: number
  refusals: number
  refusedAt: number
  /** Until when there are no other places than those that have become free since. */
  fullUntil: number
  /** How long the next answer of the database is believed. */
  believed: number
  /** When the number of unfinished executions was looked up. */
  lookedUpAt: number
  /** The number of places that are free and that nobody has been admitted to. */
  free: number
  /** The number of runs that were admitted to a place and have no answer yet. */
  asking: number
  /** The number of executions that ended, and of runs admitted to places that became free. */
  ends: number
  admitted: number
}

/**
 * Remembers which organizations have as many unfinished executions as they may, so that most of their runs are refused
 * without the database. The database decides whom it accepts; this only says whom it would refuse. That is known only of
 * organizations that are refused all the time: after a refusal, as many runs may ask as executions have ended since.
 */
export class Occupancies {
  readonly #known = new Map<string, Known>()

  /** Whether the database would refuse a run. Counts as a refusal. */
  isFull(tenancy: Tenancy, limit: number, now: number): boolean {
    const known = this.#find(tenancy, limit, now)
    if (known === undefined || known.refusals < pressure || known.free > 0) return false
    known.refusedAt = now
    return true
  }

  /**
   * Lets a run ask the database; undefined if it would be refused. It takes a place that became free. `isHopeless`: this process
   * knows of as many unfinished executions as there may be. That counts as a refusal before the answer: otherwise, many would
   * wait for the answers to the first ones.
   */
  enter(tenancy: Tenancy, limit: number, now: number, isHopeless = false): Entry | undefined {
    if (this.isFull(tenancy, limit, now)) return undefined
    const known = this.#known.get(nameOf(tenancy))
    if (known === undefined || known.free === 0) {
      if (isHopeless) this.#countRefusal(tenancy, limit, now)
      return { ...this.ask(tenancy), isHopeless }
    }
    const { ends } = known
    known.free -= 1
    known.asking += 1
    known.admitted += 1
    return { ends, admitted: known.admitted, hasPlace: true, isHopeless: false }
  }

  /** Whether the unfinished executions are to be counted, of an organization whose run was refused: `counted` takes the answer. */
  isDue(tenancy: Tenancy, now: number): boolean {
    const known = this.#known.get(nameOf(tenancy))
    if (known === undefined || now < known.fullUntil || now - known.lookedUpAt < patience) return false
    known.lookedUpAt = now
    return true
  }

  /** The database has counted the unfinished executions: there may be more places than were heard of. */
  counted(tenancy: Tenancy, unfinished: number, now: number): void {
    const known = this.#known.get(nameOf(tenancy))
    if (known === undefined) return
    const unheard = known.limit - unfinished - known.asking > known.free
    known.free = Math.max(known.free, known.limit - unfinished - known.asking)
    known.believed = unheard ? believed : Math.min(longestBelieved, 2 * known.believed)
    known.fullUntil = now + known.believed
  }

  /** Lets a run ask the database although it may be refused. */
  ask(tenancy: Tenancy): Entry {
    const { admitted, ends } = this.#known.get(nameOf(tenancy)) ?? { admitted: 0, ends: 0 }
    return { ends, admitted, hasPlace: false, isHopeless: false }
  }

  /** The database has accepted a run. */
  accepted(tenancy: Tenancy, entry: Entry): void {
    this.#answered(tenancy, entry)
  }

  /** A run was refused for another reason: the place that it took is free. */
  left(tenancy: Tenancy, entry: Entry): void {
    const known = this.#answered(tenancy, entry)
    if (known === undefined) return
    known.free += 1
    known.admitted -= 1
  }

  /** The database has refused a run because of the limit. */
  refused(tenancy: Tenancy, limit: number, entry: Entry, now: number): void {
    this.#answered(tenancy, entry)
    const counted = entry.isHopeless ? this.#find(tenancy, limit, now) : undefined
    const known = counted ?? this.#countRefusal(tenancy, limit, now)
    // Places that became free after the database was asked are free, unless somebody was admitted to them.
    known.free = Math.max(0, known.ends - entry.ends - (known.admitted - entry.admitted))
  }

  /** An execution has ended; undefined: of whom is not known here, so it may be anybody's. */
  ended(tenancy: Tenancy | undefined): void {
    const known = tenancy === undefined ? undefined : this.#known.get(nameOf(tenancy))
    for (const one of tenancy === undefined ? this.#known.values() : known === undefined ? [] : [known]) {
      one.ends += 1
      one.free += 1
    }
  }

  /** Forgets all of them: executions may have ended unnoticed. */
  clear(): void {
    this.#known.clear()
  }

  #countRefusal(tenancy: Tenancy, limit: number, now: number): Known {
    const known = this.#find(tenancy, limit, now) ?? {
      limit,
      refusals: 0,
      refusedAt: now,
      fullUntil: 0,
      believed,
      lookedUpAt: -patience,
      free: 0,
      asking: 0,
      ends: 0,
      admitted: 0
    }
    known.refusals += 1
    known.refusedAt = now
    known.fullUntil = now + known.believed
    if (this.#known.size > mostKnown) this.#known.clear()
    this.#known.set(nameOf(tenancy), known)
    return known
  }

  /** What is known of the organization of a run that took a place, which has its answer now. */
  #answered(tenancy: Tenancy, { hasPlace }: Entry): Known | undefined {
    const known = hasPlace ? this.#known.get(nameOf(tenancy)) : undefined
    if (known !== undefined) known.asking = Math.max(0, known.asking - 1)
    return known
  }

  #find(tenancy: Tenancy, limit: number, now: number): Known | undefined {
    const known = this.#known.get(nameOf(tenancy))
    if (known !== undefined && known.limit === limit && now - known.refusedAt <= calm) return known
    this.#known.delete(nameOf(tenancy))
    return undefined
  }
}

/** The occupancies that this process knows. */
export class Occupancy extends Context.Service<Occupancy, Occupancies>()("docflow/engine/Occupancy") {
  static readonly layer = Layer.sync(Occupancy, () => new Occupancies())
}
