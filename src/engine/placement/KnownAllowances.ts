import { Context, Layer } from "effect"
import { nameOf, type Tenancy } from "./Tenancy.ts"

/** The number of organizations of which this is known. */
const mostKnown = 10_000
/** From this limit on, runs that are being checked count as executions: of so many, hardly any is refused for another reason. */
const many = 16

/** A run that may be about to be accepted. */
export interface Asking {
  /** Its checks have begun. */
  readonly begin: () => void
  /** It has been accepted or refused, or nobody waits for it any more. */
  readonly end: () => void
}

interface Allowance {
  /** The credits that the last acceptance left; undefined after a refusal. */
  credits: number | undefined
  /** The number of executions that this process accepted and that have not ended. */
  unfinished: number
}

/**
 * What this process knows of the credits and of the unfinished executions of organizations whose runs it accepts. Other
 * processes may know better, and the database decides. It tells who is so far from every limit that nothing need be looked up
 * before a document is stored.
 */
export class Allowances {
  readonly #known = new Map<string, Allowance>()
  /** By unfinished execution. */
  readonly #names = new Map<string, string>()
  /** The number of runs that are being checked, by organization. */
  readonly #asking = new Map<string, number>()

  /** Whether a run that costs so many credits will hardly be refused: there is room for two. */
  haveRoom(tenancy: Tenancy, cost: number, limit: number): boolean {
    const known = this.#known.get(nameOf(tenancy))
    return known?.credits !== undefined && known.credits >= 2 * cost && known.unfinished + 2 <= limit
  }

  /** Whether the last run was accepted and left credits for one that costs so many. */
  haveCredits(tenancy: Tenancy, cost: number): boolean {
    const credits = this.#known.get(nameOf(tenancy))?.credits
    return credits !== undefined && credits >= cost
  }

  /** Whether this process knows of so many unfinished executions that the database would refuse a run, by all appearances. */
  areUsedUp(tenancy: Tenancy, limit: number): boolean {
    const name = nameOf(tenancy)
    const asking = limit < many ? 0 : (this.#asking.get(name) ?? 0)
    return (this.#known.get(name)?.unfinished ?? 0) + asking >= limit
  }

  /** Counts a run while it is being checked. */
  asking(tenancy: Tenancy): Asking {
    const name = nameOf(tenancy)
    let isCounted = false
    const count = (change: number): void => {
      const asking = (this.#asking.get(name) ?? 0) + change
      if (asking > 0) this.#asking.set(name, asking)
      else this.#asking.delete(name)
      isCounted = change > 0
    }
    return {
      begin: () => {
        if (!isCounted) count(1)
      },
      end: () => {
        if (isCounted) count(-1)
      }
    }
  }

  /** The database has counted the unfinished executions. */
  counted(tenancy: Tenancy, unfinished: number): void {
    const known = this.#known.get(nameOf(tenancy))
    if (known !== undefined) known.unfinished = Math.min(known.unfinished, unfinished)
  }

  /** A run was accepted, which left so many credits. */
  accepted(tenancy: Tenancy, executionId: string, credits: number): void {
    const name = nameOf(tenancy)
    const unfinished = this.#known.get(name)?.unfinished
    if (unfinished === undefined && this.#known.size >= mostKnown) this.clear()
    this.#names.set(executionId, name)
    this.#known.set(name, { credits, unfinished: (unfinished ?? 0) + 1 })
  }

  /** A run was refused. */
  refused(tenancy: Tenancy): void {
    const known = this.#known.get(nameOf(tenancy))
    if (known !== undefined) known.credits = undefined
  }

  /** An execution has ended, whoever accepted it. */
  ended(executionId: string): void {
    const known = this.#known.get(this.#names.get(executionId) ?? "")
    if (known !== undefined) known.unfinished = Math.max(0, known.unfinished - 1)
    this.#names.delete(executionId)
  }

  /** Forgets all of them: executions may have ended unnoticed. */
  clear(): void {
    this.#known.clear()
    this.#names.clear()
  }
}

/** The allowances that this process knows. */
export class KnownAllowances extends Context.Service<KnownAllowances, Allowances>()(
  "docflow/engine/KnownAllowances"
) {
  static readonly layer = Layer.sync(KnownAllowances, () => new Allowances())
}
