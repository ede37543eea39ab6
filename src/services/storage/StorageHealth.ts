import { Clock, Context, Effect } from "effect"
import type { Outage } from "../../sql/Outage.ts"

export { outageOf } from "../../sql/Outage.ts"

/** How long after an outage this process reports that it is not ready, in milliseconds. */
const memory = 5_000

/** The storage outages that this process has seen. */
export class StorageHealth {
  #last: { readonly outage: Outage; readonly at: number } | undefined

  /** Remembers an outage. */
  report(outage: Outage): Effect.Effect<void> {
    return Effect.map(Clock.currentTimeMillis, (at) => {
      this.#last = { outage, at }
    })
  }

  /** The outage within the last seconds, if any. */
  get recent(): Effect.Effect<Outage | undefined> {
    return Effect.map(Clock.currentTimeMillis, (now) =>
      this.#last !== undefined && now - this.#last.at < memory ? this.#last.outage : undefined
    )
  }
}

/** The health of this process's storage. */
export const CurrentStorageHealth = Context.Reference<StorageHealth>(
  "docflow/services/storage/StorageHealth",
  {
    defaultValue: () => new StorageHealth()
  }
)

/** Remembers an outage in the health of this process's storage. */
export const reportOutage = (outage: Outage): Effect.Effect<void> =>
  Effect.flatMap(CurrentStorageHealth, (health) => health.report(outage))
