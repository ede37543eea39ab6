import { Context, Effect, PartitionedSemaphore, Semaphore } from "effect"
import { SqlError } from "effect/sql"
import { unlessLate } from "../support/UnlessLate.ts"

/** How long a list or a report may take with the wait for a place: less than the time limit of a statement. */
const longest = "5 seconds"
/** The lists and reports of an organization that are read at the same time. */
const placesOfOrganization = 2

/** The places of lists and reports in this process: what they cost is never taken from runs and health checks. */
class ReadingPlaces {
  readonly #all: PartitionedSemaphore.PartitionedSemaphore<string>
  readonly #own = new Map<string, { readonly places: Semaphore.Semaphore; readers: number }>()

  constructor(permits: number) {
    this.#all = PartitionedSemaphore.makeUnsafe({ permits })
  }

  hold<A, E, R>(organizationId: string, read: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      const own = this.#own.get(organizationId) ?? {
        places: Semaphore.makeUnsafe(placesOfOrganization),
        readers: 0
      }
      own.readers += 1
      this.#own.set(organizationId, own)
      return Effect.ensuring(
        own.places.withPermits(1)(this.#all.withPermit(organizationId)(read)),
        Effect.sync(() => {
          own.readers -= 1
          if (own.readers === 0) this.#own.delete(organizationId)
        })
      )
    })
  }
}

/** The places of this process. */
export const CurrentReadingPlaces = Context.Reference<ReadingPlaces>("docflow/sql/ReadingPlaces", {
  defaultValue: () => placesFor(12)
})

/** The places of a process with this number of connections: a third of them. */
export const placesFor = (connections: number) => new ReadingPlaces(Math.max(1, Math.floor(connections / 3)))

const tooLong = new SqlError.SqlError({
  reason: new SqlError.StatementTimeoutError({
    cause: Object.assign(new Error("reading took too long"), { code: "57014" }),
    message: "reading took too long",
    operation: "read"
  })
})

/** Reads lists and reports of organizations, with few places for each and a time limit. */
export const makeReading = Effect.map(
  CurrentReadingPlaces,
  (places) =>
    <A, E, R>(organizationId: string | undefined, read: Effect.Effect<A, E, R>) =>
      places.hold(organizationId ?? "", read).pipe(unlessLate(longest, () => Effect.fail(tooLong)))
)
