import { Effect, type Scope } from "effect"
import type { Caller } from "../../domain/ApiKey.ts"
import { ConcurrentLimit } from "../../domain/Errors.ts"
import { limitsFor } from "../../domain/Organization.ts"

/** The number of streams per concurrent execution of an organization: one for its program, one for a person. */
const streamsPerExecution = 2

/** Counts the streams that are open in this process, for each organization and environment. */
export class OpenStreams {
  readonly #open = new Map<string, number>()

  /** The number of all open streams. */
  get size(): number {
    return [...this.#open.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Counts a stream of the caller until the scope closes. */
  enter(caller: Caller): Effect.Effect<void, ConcurrentLimit, Scope.Scope> {
    const limits = limitsFor(caller.plan, caller.environment, caller.customLimits)
    const limit = limits.concurrentExecutions * streamsPerExecution
    const owner = `${caller.organizationId}:${caller.environment}`
    const enter = Effect.suspend(() => {
      const count = this.#open.get(owner) ?? 0
      if (count >= limit) return tooMany(limit)
      this.#open.set(owner, count + 1)
      return Effect.void
    })
    const leave = Effect.sync(() => {
      const count = (this.#open.get(owner) ?? 1) - 1
      if (count === 0) this.#open.delete(owner)
      else this.#open.set(owner, count)
    })
    return Effect.acquireRelease(enter, () => leave)
  }
}

const tooMany = (limit: number) =>
  new ConcurrentLimit({
    message: `Too many open event streams: at most ${limit} may be open at once`,
    details: { limit }
  })
