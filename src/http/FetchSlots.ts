import { Deferred, Effect, Semaphore } from "effect"

/** Documents that are fetched at once: in all, and for one organization. Each may take half a minute and the largest file. */
const mostAtOnce = 8
const mostOfOne = 2
/** How many requests of one organization may wait for a slot, and how long each. */
const mostWaiting = 30
const patience = "10 seconds"

interface Owner {
  readonly slots: Semaphore.Semaphore
  /** Requests that fetch or wait. */
  requests: number
}

/** The slots in which documents are fetched. An organization that sends many URLs waits, and keeps nobody else waiting. */
export class FetchSlots {
  readonly #all = Semaphore.makeUnsafe(mostAtOnce)
  readonly #owners = new Map<string, Owner>()

  /** Fetches as soon as there is a slot; fails with `busy` where there is none in ten seconds, or too many wait already. */
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
