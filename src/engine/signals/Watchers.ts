import { Effect, type Scope } from "effect"
import { heldInScope } from "../../support/HeldInScope.ts"
import type { CommittedEnd } from "../journal/CommittedEnd.ts"

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
    return heldInScope(
      () => {
        const all = this.#byExecution.get(executionId) ?? new Set()
        this.#byExecution.set(executionId, all.add(wake))
      },
      () => {
        const all = this.#byExecution.get(executionId)
        all?.delete(wake)
        if (all?.size === 0) this.#byExecution.delete(executionId)
      }
    )
  }

  /** Wakes everybody who watches the execution. */
  wake(executionId: string, end?: CommittedEnd): Effect.Effect<void> {
    const all = this.#byExecution.get(executionId)
    return all === undefined ? Effect.void : Effect.forEach([...all], (wake) => wake(end), { discard: true })
  }
}
