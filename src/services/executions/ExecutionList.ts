import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError, type Statement } from "effect/sql"
import type { Caller } from "../../domain/ApiKey.ts"
import { isDay } from "../../support/CalendarDates.ts"
import { InvalidInput } from "../../domain/Errors.ts"
import type { Execution, ExecutionStatus } from "../../domain/Execution.ts"
import { executionsFrom, outlinedColumns } from "../../engine/journal/ExecutionRow.ts"
import { makeReading } from "../../sql/ReadingPlaces.ts"

/** A filter of executions; all conditions apply. */
export interface ListFilter {
  readonly status?: ExecutionStatus | undefined
  readonly flowId?: string | undefined
  /** Created after this moment. */
  readonly createdAfter?: Date | undefined
  /** Created before this moment. */
  readonly createdBefore?: Date | undefined
  /** Top-level members of the metadata and their values: a string, or another value as JSON. */
  readonly metadata?: ReadonlyArray<readonly [name: string, value: string]>
}

interface ListPage {
  /** Without outputs, which may be large. */
  readonly executions: ReadonlyArray<Execution>
  /** Where the next page begins; undefined on the last. */
  readonly nextCursor: string | undefined
}

/** A date, or a time with its zone. */
const moment = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d))?$/u

/** The database writes years with four digits, from 1 on; no execution is older or newer. */
const earliest = Date.parse("0001-01-01T00:00:00Z")
const latest = Date.parse("9999-12-31T23:59:59.999Z")

/** Parses a time such as `2026-11-20` or `2026-11-20T09:30:00Z`; undefined if it is invalid. */
export const momentOf = (text: string): Date | undefined => {
  const time = Date.parse(text)
  if (!moment.test(text) || !isDay(text.slice(0, 10)) || Number.isNaN(time)) return undefined
  return new Date(Math.min(Math.max(time, earliest), latest))
}

/** The position after a page: the creation time and id of its last execution. */
const Cursor = Schema.fromJsonString(Schema.Tuple([Schema.String, Schema.String]))
const decodeCursor = Schema.decodeUnknownEffect(Cursor)

/** The executions that a key may see. */
export class ExecutionList extends Context.Service<
  ExecutionList,
  {
    /** A page of the executions of the caller's organization and environment, newest first. */
    page(
      caller: Caller,
      filter: ListFilter,
      page: { readonly limit: number; readonly cursor?: string | undefined }
    ): Effect.Effect<ListPage, InvalidInput | SqlError.SqlError>
  }
>()("docflow/ExecutionList") {
  static readonly layer = Layer.effect(
    ExecutionList,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const reading = yield* makeReading
      const columns = sql.literal(outlinedColumns)

      const conditions = (filter: ListFilter) => [
        // Written out, so that the index of unfinished executions can be used.
        ...(filter.status === undefined ? [] : [sql`status = ${sql.literal(`'${filter.status}'`)}`]),
        ...(filter.flowId === undefined ? [] : [sql`flow_id = ${filter.flowId}`]),
        ...(filter.createdAfter === undefined ? [] : [sql`created_at > ${filter.createdAfter}`]),
        ...(filter.createdBefore === undefined ? [] : [sql`created_at < ${filter.createdBefore}`]),
        ...(filter.metadata ?? []).map(([name, value]) => sql`metadata ->> ${name} = ${value}`)
      ]

      /** Finds them in an index, which knows numbers only. */
      const withMetadata = ({ environment, organizationId }: Caller, { metadata = [] }: ListFilter) =>
        metadata.length === 0
          ? []
          : [
              sql`metadata_numbers(organization_id, environment, metadata) @> metadata_numbers(
                ${organizationId}, ${environment}, ${JSON.stringify(Object.fromEntries(metadata))}::text::json)`
            ]

      const after = Effect.fnUntraced(function* (cursor: string | undefined) {
        if (cursor === undefined) return []
        const text = Buffer.from(cursor, "base64url").toString()
        const [at, id] = yield* Effect.mapError(decodeCursor(text), () => wrongCursor)
        const createdAt = momentOf(at)
        if (id.includes("\u0000") || createdAt?.toISOString() !== at) return yield* wrongCursor
        return [sql`created_at <= ${createdAt}`, sql`(created_at, id) < (${createdAt}, ${id})`]
      })

      const page: ExecutionList["Service"]["page"] = Effect.fn("ExecutionList.page")(function* (
        caller,
        filter,
        { cursor, limit }
      ) {
        // PostgreSQL cannot store such a string, so nothing matches.
        const texts = [filter.flowId ?? "", ...(filter.metadata ?? []).flat()]
        if (texts.some((text) => text.includes("\u0000"))) return { executions: [], nextCursor: undefined }
        const own = [
          sql`organization_id = ${caller.organizationId}`,
          sql`environment = ${caller.environment}`,
          ...(yield* after(cursor))
        ]
        const newestFirst = sql`order by created_at desc, id desc`
        const select = (from: Statement.Fragment, wanted: ReadonlyArray<Statement.Fragment>) =>
          reading(
            caller.organizationId,
            sql`select ${columns} from ${from} where ${sql.and(wanted)} ${newestFirst} limit ${limit + 1}`
          )
        // The index of metadata has no order: a value that many executions have is found sooner among the newest ones.
        const some =
          filter.metadata === undefined || filter.metadata.length === 0
            ? []
            : yield* select(
                sql`(select * from executions where ${sql.and(own)} ${newestFirst} limit ${newest}) as newest`,
                conditions(filter)
              )
        const rows =
          some.length > limit
            ? some
            : yield* select(sql`executions`, [...own, ...conditions(filter), ...withMetadata(caller, filter)])
        const found = yield* executionsFrom(rows)
        const executions = found.slice(0, limit)
        return { executions, nextCursor: found.length > limit ? cursorOf(executions.at(-1)) : undefined }
      })

      return ExecutionList.of({ page })
    })
  )
}

/** The number of newest executions that are searched first for a page with metadata. */
const newest = 2_000

const cursorOf = (last: Execution | undefined): string | undefined =>
  last === undefined
    ? undefined
    : Buffer.from(JSON.stringify([last.createdAt, last.id])).toString("base64url")

const wrongCursor = new InvalidInput({
  message: "Invalid cursor. Pass nextCursor of the page before, as it was returned",
  details: { field: "cursor", reason: "must be the nextCursor of a page" }
})
