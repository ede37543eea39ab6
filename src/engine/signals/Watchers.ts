import { Effect, Scope } from "effect"
import type { CommittedEnd } from "../CommittedEnd.ts"

/** The callback of a watcher; `end` is the execution's end, if this process made it. */
type Wake = (end?: CommittedEnd) => Effect.Effect<unknown>

/** The watchers of executions in this process. */
export class Watchers {
  readonly #byExecution = new Map<string, Set<Wake>>()

  /** The executions that somebody watches. */
  get watched(): ReadonlyArray<string> {
    return [...this.#byExecution.keys()]
  }

  /** Runs `wake` whenever the execution is announced, until the scope closes. */
  add(executionId: string, wake: Wake): Effect.Effect<void, never, Scope.Scope> {
    // Not `acquireRelease`, which copies all services of the caller when the scope closes.
    return Effect.flatMap(Effect.scope, (scope) => {
      const all = this.#byExecution.get(executionId) ?? new Set()
      this.#byExecution.set(executionId, all.add(wake))
      return Scope.addFinalizer(
        scope,
        Effect.sync(() => this.#remove(executionId, wake))
      )
    })
  }

  /** Wakes everybody who watches the execution. */
  wake(executionId: string, end?: CommittedEnd): Effect.Effect<void> {
    const all = this.#byExecution.get(executionId)
    return all === undefined ? Effect.void : Effect.forEach([...all], (wake) => wake(end), { discard: true })
  }

  #remove(executionId: string, wake: Wake): void {
    const all = this.#byExecution.get(executionId)
    all?.delete(wake)
    if (all?.size === 0) this.#byExecution.delete(executionId)
  }
}
