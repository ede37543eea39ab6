import { Context, Layer } from "effect"
import type { Environment } from "../domain/Organization.ts"

/** The number of refusals in short succession after which an organization is refused from memory. */
const pressure = 5
/** After this time without a refusal, in milliseconds, the database decides about every run again. */
const calm = 1_000
/**
 * How long a refusal of the database is believed, in milliseconds, because a signal that an execution has ended may be lost:
 * twice as long each time that none was.
 */
const believed = 250
const longestBelieved = 1_000
/** When a run that asks whether that is still so has found no answer after this time, in milliseconds, another one asks. */
const patience = 250
/** The number of organizations of which this is known. */
const mostKnown = 10_000

/** Who shares a limit of concurrent executions. */
export interface Tenancy {
  readonly organizationId: string
  readonly environment: Environment
}

/** A run that asks the database, with what this process had counted then. */
export interface Entry {
  readonly ends: number
  readonly admitted: number
  /** Whether it asks to find out if there is a place, although none is known to be free. */
  readonly isProbe: boolean
  /** Whether it took a place that is known to be free. */
  readonly hasPlace: boolean
}

interface Known {
  readonly limit: number
  refusals: number
  refusedAt: number
  /** Until when there are no other places than those that have become free since. */
  fullUntil: number
  /** How long the next refusal of the database is believed. */
  believed: number
  /** When a run was admitted to ask whether there are. */
  probedAt: number
  /** The number of places that became free and that nobody has been admitted to. */
  free: number
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
    if (now >= known.fullUntil && now - known.probedAt >= patience) return false
    known.refusedAt = now
    return true
  }

  /** Lets a run ask the database; undefined if it would be refused. It takes a place that became free. */
  enter(tenancy: Tenancy, limit: number, now: number): Entry | undefined {
    if (this.isFull(tenancy, limit, now)) return undefined
    const known = this.#known.get(nameOf(tenancy))
    if (known === undefined) return { ends: 0, admitted: 0, isProbe: false, hasPlace: false }
    const { ends } = known
    const isProbe = known.free === 0
    if (isProbe) known.probedAt = now
    else {
      known.free -= 1
      known.admitted += 1
    }
    return { ends, admitted: known.admitted, isProbe, hasPlace: !isProbe }
  }

  /** Lets a run ask the database although it may be refused. */
  ask(tenancy: Tenancy): Entry {
    const { admitted, ends } = this.#known.get(nameOf(tenancy)) ?? { admitted: 0, ends: 0 }
    return { ends, admitted, isProbe: false, hasPlace: false }
  }

  /** The database has accepted a run. If no place was known to be free before or since, there may be more. */
  accepted(tenancy: Tenancy, { ends, isProbe }: Entry): void {
    const known = this.#known.get(nameOf(tenancy))
    if (known === undefined || !isProbe) return
    if (known.ends > ends) {
      known.free = Math.max(0, known.free - 1)
      known.admitted += 1
      return
    }
    known.fullUntil = 0
    known.probedAt = -patience
    known.believed = believed
  }

  /** A run was refused for another reason: the place that it took is free. */
  left(tenancy: Tenancy, { hasPlace }: Entry): void {
    const known = this.#known.get(nameOf(tenancy))
    if (known === undefined || !hasPlace) return
    known.free += 1
    known.admitted -= 1
  }

  /** The database has refused a run because of the limit. */
  refused(tenancy: Tenancy, limit: number, entry: Entry, now: number): void {
    const known = this.#find(tenancy, limit, now) ?? {
      limit,
      refusals: 0,
      refusedAt: now,
      fullUntil: 0,
      believed,
      probedAt: -patience,
      free: 0,
      ends: 0,
      admitted: 0
    }
    known.refusals += 1
    known.refusedAt = now
    if (entry.isProbe && known.refusals > pressure) {
      known.believed = Math.min(longestBelieved, 2 * known.believed)
    }
    known.fullUntil = now + known.believed
    // Places that became free after the database was asked are free, unless somebody was admitted to them.
    known.free = Math.max(0, known.ends - entry.ends - (known.admitted - entry.admitted))
    if (this.#known.size > mostKnown) this.#known.clear()
    this.#known.set(nameOf(tenancy), known)
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

  #find(tenancy: Tenancy, limit: number, now: number): Known | undefined {
    const known = this.#known.get(nameOf(tenancy))
    if (known !== undefined && known.limit === limit && now - known.refusedAt <= calm) return known
    this.#known.delete(nameOf(tenancy))
    return undefined
  }
}

const nameOf = ({ environment, organizationId }: Tenancy): string => `${environment} ${organizationId}`

/** The occupancies that this process knows. */
export class Occupancy extends Context.Service<Occupancy, Occupancies>()("docflow/engine/Occupancy") {
  static readonly layer = Layer.sync(Occupancy, () => new Occupancies())
}
