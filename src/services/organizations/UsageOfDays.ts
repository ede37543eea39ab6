import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { makeReading } from "../../sql/ReadingPlaces.ts"
import { decodeRows } from "../../support/DecodeRows.ts"
import { DayOfUse, type Usage } from "../../domain/Usage.ts"

/** The number of days that are added up, today included. */
const numberOfDays = 30

const Named = Schema.Struct({ ...DayOfUse.fields, name: Schema.String })

/** Executions, pages and credits for each of the last 30 days, in UTC; an execution counts on the day it was accepted. */
export class UsageOfDays extends Context.Service<
  UsageOfDays,
  {
    /** The use of an organization, by flow. */
    ofOrganization(id: string): Effect.Effect<Usage, SqlError.SqlError>
    /** The use of all organizations, by organization. */
    readonly ofAll: Effect.Effect<Usage, SqlError.SqlError>
  }
>()("docflow/UsageOfDays") {
  static readonly layer = Layer.effect(
    UsageOfDays,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const reading = yield* makeReading

      const span = Effect.map(DateTime.now, (now) => {
        const first = DateTime.startOf(DateTime.subtract(now, { days: numberOfDays - 1 }), "day")
        return {
          since: DateTime.toDateUtc(first),
          from: DateTime.formatIsoDateUtc(first),
          until: DateTime.formatIsoDateUtc(now)
        }
      })

      const sums = sql.literal(
        "count(*)::int as executions, sum(page_count)::int as pages, sum(charged)::float8 as credits"
      )
      const day = sql.literal("(created_at at time zone 'UTC')::date::text as day")

      const ofOrganization = Effect.fn("UsageOfDays.ofOrganization")(
        function* (id: string) {
          const { since, ...days } = yield* span
          // Both environments are named, so that the index of an organization's executions serves.
          const rows = yield* sql`
          select ${day}, environment, flow_id as of, ${sums} from executions
          where organization_id = ${id} and environment in ('live', 'test') and created_at >= ${since}
          group by 1, 2, 3 order by 1, 2, 3`
          return { ...days, days: yield* decodeRows(DayOfUse, rows), names: {} }
        },
        (read, id) => reading(id, read)
      )

      const ofAll = Effect.gen(function* () {
        const { since, ...days } = yield* span
        const rows = yield* sql`
          select o.id as of, o.name, used.* from organizations o cross join lateral (
            select ${day}, environment, ${sums} from executions
            where organization_id = o.id and environment in ('live', 'test') and created_at >= ${since}
            group by 1, 2) used
          order by used.day, used.environment, o.id`
        const found = yield* decodeRows(Named, rows)
        return {
          ...days,
          days: found.map(({ name: _name, ...use }) => use),
          names: Object.fromEntries(found.map(({ name, of }) => [of, name]))
        }
      }).pipe((read) => reading(undefined, read), Effect.withSpan("UsageOfDays.ofAll"))

      return UsageOfDays.of({ ofOrganization, ofAll })
    })
  )
}
