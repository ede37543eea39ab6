import { Effect } from "effect"
import type { Caller } from "../../domain/ApiKey.ts"

/** The idempotency keys of the requests that this process is checking or accepting. */
export class KeysAtWork {
  readonly #requests = new Map<string, number>()

  /** Runs an effect for a request; `hasTwin` tells whether another request with its key is at work. */
  use<A, E, R>(
    { environment, organizationId }: Caller,
    key: string | undefined,
    effect: (hasTwin: boolean) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> {
    if (key === undefined) return effect(false)
    const name = `${environment} ${organizationId} ${key}`
    return Effect.suspend(() => {
      const others = this.#requests.get(name) ?? 0
      this.#requests.set(name, others + 1)
      return Effect.ensuring(
        effect(others > 0),
        Effect.sync(() => {
          const left = (this.#requests.get(name) ?? 1) - 1
          if (left === 0) this.#requests.delete(name)
          else this.#requests.set(name, left)
        })
      )
    })
  }
}
