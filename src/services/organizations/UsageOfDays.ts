import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { DayOfUse, MonthOfUse, type Usage } from "../../domain/Usage.ts"
import { makeReading } from "../../sql/ReadingPlaces.ts"
import { decodeRows } from "../../support/DecodeRows.ts"

/** The number of days that are added up, today included. */
const numberOfDays = 30

const Named = Schema.Struct({ ...DayOfUse.fields, name: Schema.String })

/** What was used, by days in UTC: an execution counts on the day of its end, also once it is removed. */
export class UsageOfDays extends Context.Service<
  UsageOfDays,
  {
    /** The use of an organization in each of the last 30 days, by flow. */
    ofOrganization(id: string): Effect.Effect<Usage, SqlError.SqlError>
    /** The use of all organizations in each of the last 30 days, by organization. */
    readonly ofAll: Effect.Effect<Usage, SqlError.SqlError>
    /** The use in a month, such as `2026-11`, of all organizations or of one. */
    ofMonth(month: string, id?: string): Effect.Effect<ReadonlyArray<MonthOfUse>, SqlError.SqlError>
  }
>()("docflow/UsageOfDays") {
  static readonly layer = Layer.effect(
    UsageOfDays,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const reading = yield* makeReading

      const span = Effect.map(DateTime.now, (now) => ({
        from: DateTime.formatIsoDateUtc(DateTime.subtract(now, { days: numberOfDays - 1 })),
        until: DateTime.formatIsoDateUtc(now)
      }))

      /** Adds up what was used by these columns, from a day on for some time. Each organization is read by an index. */
      const used = (columns: ReadonlyArray<string>, id: string | undefined, from: string, time: string) => {
        const groups = sql.literal(columns.map((_, index) => index + 1).join())
        const first = sql`${from}::timestamp`
        const end = sql`${first} + ${time}::interval`
        const summed = sql.literal(
          "day, environment, flow_id, model, executions, pages, credits, input_tokens, output_tokens"
        )
        return reading(
          id,
          sql`
            select ${sql.literal(columns.join())}, sum(executions)::int as executions, sum(pages)::int as pages,
              sum(credits)::float8 as credits, sum(input_tokens)::float8 as "inputTokens",
              sum(output_tokens)::float8 as "outputTokens"
            from organizations o cross join lateral (
              select ${summed} from usage_of_days
              where organization_id = o.id and day >= ${first} and day < ${end}
              union all
              select ${summed} from usage_of_executions
              where organization_id = o.id and environment in ('live', 'test')
                and ended_at >= ${first} at time zone 'UTC' and ended_at < (${end}) at time zone 'UTC'
            ) used
            where ${id === undefined ? sql`true` : sql`o.id = ${id}`} group by ${groups} order by ${groups}`
        )
      }

      const ofOrganization = Effect.fn("UsageOfDays.ofOrganization")(function* (id: string) {
        const days = yield* span
        const rows = yield* used(["day::text", "environment", "flow_id as of"], id, days.from, "30 days")
        return { ...days, days: yield* decodeRows(DayOfUse, rows), names: {} }
      })

      const ofAll = Effect.gen(function* () {
        const days = yield* span
        const rows = yield* used(
          ["day::text", "environment", "o.id as of", "name"],
          undefined,
          days.from,
          "30 days"
        )
        const found = yield* decodeRows(Named, rows)
        return {
          ...days,
          days: found.map(({ name: _name, ...use }) => use),
          names: Object.fromEntries(found.map(({ name, of }) => [of, name]))
        }
      }).pipe(Effect.withSpan("UsageOfDays.ofAll"))

      const ofMonth = Effect.fn("UsageOfDays.ofMonth")(function* (month: string, id?: string) {
        const columns = ['o.id as "organizationId"', "name", "environment", 'flow_id as "flowId"', "model"]
        return yield* decodeRows(MonthOfUse, yield* used(columns, id, `${month}-01`, "1 month"))
      })

      return UsageOfDays.of({ ofOrganization, ofAll, ofMonth })
    })
  )
}
