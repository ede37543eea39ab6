import { Context, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { makeBatches } from "../../sql/Batches.ts"
import { json } from "../../sql/Json.ts"

/** The state of the rate limit when a request was counted. `resetAt` is in Unix seconds. */
export interface RateState {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  readonly resetAt: number
  /** Seconds until the window resets, at least 1. */
  readonly retryAfter: number
}

const windowSeconds = 60

/** Decides who is answered 429: counts requests in fixed windows of a minute, in the database and by its clock. */
export class RateLimits extends Context.Service<
  RateLimits,
  {
    /** Counts one request of `bucket`, of which `limit` are allowed in a window. */
    count(bucket: string, limit: number): Effect.Effect<RateState, SqlError.SqlError>
    /** The state of the current window, without counting a request. */
    look(bucket: string, limit: number): Effect.Effect<RateState, SqlError.SqlError>
    /** Removes the counters of windows that are over. */
    readonly sweep: Effect.Effect<void, SqlError.SqlError>
  }
>()("docflow/RateLimits") {
  static readonly layer = Layer.effect(
    RateLimits,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const counts = yield* makeBatches<string, Counted>({
        statement: (buckets) => countTogether(sql, buckets),
        keyOf: (bucket) => bucket,
        sizeOf: (bucket) => bucket.length
      })

      const count = (bucket: string, limit: number) =>
        Effect.map(counts.send(bucket), ({ now, requests }) => rateState(requests, limit, now))

      const look = Effect.fn("RateLimits.look")(function* (bucket: string, limit: number) {
        const [found] = yield* sql<Counted>`
          select ${nowOf(sql)} as now, coalesce((
            select requests from rate_windows where bucket = ${bucket} and window_start = ${windowOf(sql)}
          ), 0) as requests`
        return rateState(found?.requests ?? 0, limit, found?.now ?? 0)
      })

      const sweep = sql`delete from rate_windows where window_start < ${windowOf(sql)} - ${windowSeconds}`

      return RateLimits.of({ count, look, sweep: Effect.asVoid(sweep) })
    })
  )
}

/** The number of a request in its window, and the time of the database, in Unix seconds. */
interface Counted {
  readonly requests: number
  readonly now: number
}

const nowOf = (sql: SqlClient.SqlClient) => sql`extract(epoch from statement_timestamp())::float8`
const windowOf = (sql: SqlClient.SqlClient) =>
  sql`(floor(extract(epoch from statement_timestamp()) / ${windowSeconds}::int) * ${windowSeconds}::int)::bigint`

/** Counts requests in one statement. The table is unlogged: no commit waits for the disk, and a crash forgets a minute at most. */
const countTogether = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, buckets: ReadonlyArray<string>) {
  const rows = yield* sql<Counted & { readonly bucket: string; readonly added: number }>`
    with asked as (
      select bucket, count(*)::int as added from json_array_elements_text(${json(sql, buckets)}) as bucket group by bucket
    ), counted as (
      insert into rate_windows (bucket, window_start, requests)
      select bucket, ${windowOf(sql)}, added from asked order by bucket
      on conflict (bucket, window_start) do update set requests = rate_windows.requests + excluded.requests
      returning bucket, requests
    )
    select bucket, requests, added, ${nowOf(sql)} as now from counted join asked using (bucket)`
  const found = new Map(
    rows.map(({ added, bucket, now, requests }) => [bucket, { now, requests: requests - added }])
  )
  return buckets.map((bucket) => {
    const { now, requests } = found.get(bucket) ?? { now: 0, requests: 0 }
    found.set(bucket, { now, requests: requests + 1 })
    return { now, requests: requests + 1 }
  })
})

/** The rate state for the `requests`-th request of the window that contains `now`, in Unix seconds. */
export const rateState = (requests: number, limit: number, now: number): RateState => {
  const second = Math.floor(now)
  const resetAt = second - (second % windowSeconds) + windowSeconds
  return {
    allowed: requests <= limit,
    limit,
    remaining: Math.max(0, limit - requests),
    resetAt,
    retryAfter: Math.max(1, resetAt - second)
  }
}
