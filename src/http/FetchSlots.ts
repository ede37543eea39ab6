import { Deferred, Effect, Semaphore } from "effect"

/**
 * The number of documents fetched at the same time: in all, and for one organization. Each may take half a minute and
 * the maximum size.
 */
const mostAtOnce = 8
const mostOfOne = 2
/** The number of requests of one organization that may wait for a slot, and for how long. */
const mostWaiting = 30
const patience = "10 seconds"

interface Owner {
  readonly slots: Semaphore.Semaphore
  /** The number of requests that fetch or wait. */
  requests: number
}

/** The slots in which documents are fetched. An organization that sends many URLs waits without delaying others. */
export class FetchSlots {
  readonly #all = Semaphore.makeUnsafe(mostAtOnce)
  readonly #owners = new Map<string, Owner>()

  /**
   * Fetches as soon as a slot is free; fails with `busy` if none is free within ten seconds, or if too many wait
   * already.
   */
  with<A, E, R, E2>(
    organizationId: string,
    fetching: Effect.Effect<A, E, R>,
    busy: Effect.Effect<never, E2>
  ): Effect.Effect<A, E | E2, R> {
    return Effect.suspend(() => {
      const owner = this.#owners.get(organizationId) ?? {
        slots: Semaphore.makeUnsafe(mostOfOne),
        requests: 0
      }
      if (owner.requests >= mostOfOne + mostWaiting) return busy
      owner.requests++
      this.#owners.set(organizationId, owner)
      const begun = Deferred.makeUnsafe<void>()
      const inSlot = owner.slots.withPermit(
        this.#all.withPermit(Effect.andThen(Deferred.succeed(begun, undefined), fetching))
      )
      const tooLong = Deferred.await(begun).pipe(
        Effect.timeoutOrElse({ duration: patience, orElse: () => busy }),
        Effect.andThen(Effect.never)
      )
      return Effect.ensuring(
        Effect.raceFirst(inSlot, tooLong),
        Effect.sync(() => {
          owner.requests--
          if (owner.requests === 0) this.#owners.delete(organizationId)
        })
      )
    })
  }
}
