import { Context, Effect } from "effect"
import { SqlError } from "effect/sql"
import { FairSlots } from "../support/FairSlots.ts"
import { unlessLate } from "../support/UnlessLate.ts"

/** How long a list or a report may take with the wait for a place: less than the time limit of a statement. */
const longest = "5 seconds"
/** The lists and reports of an organization that are read at the same time. */
const placesOfOrganization = 2

/** The places of lists and reports in this process: what they cost is never taken from runs and health checks. */
export const CurrentReadingPlaces = Context.Reference("docflow/sql/ReadingPlaces", {
  defaultValue: () => placesFor(12)
})

/** The places of a process with this number of connections: a third of them. */
export const placesFor = (connections: number) =>
  new FairSlots<string>(Math.max(1, Math.floor(connections / 3)), placesOfOrganization)

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
      places.with(organizationId ?? "", read).pipe(unlessLate(longest, () => Effect.fail(tooLong)))
)
