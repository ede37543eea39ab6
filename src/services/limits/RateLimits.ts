import { Clock, Context, Effect, Layer } from "effect"
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

/** Counts requests in fixed windows of a minute; the counters are in the database, so that all nodes share them. */
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

      const counts = yield* makeBatches<Counted, number>({
        statement: (items) => countTogether(sql, items),
        keyOf: ({ bucket }) => bucket,
        sizeOf: ({ bucket }) => bucket.length
      })

      const count = Effect.fn("RateLimits.count")(function* (bucket: string, limit: number) {
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        const start = endOfWindow(now) - windowSeconds
        const requests = yield* counts.send({ bucket, start })
        return rateState(requests, limit, start + windowSeconds, now)
      })

      const look = Effect.fn("RateLimits.look")(function* (bucket: string, limit: number) {
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        const resetAt = endOfWindow(now)
        const rows = yield* sql<{ requests: number }>`
          select requests from rate_windows where bucket = ${bucket} and window_start = ${resetAt - windowSeconds}`
        return rateState(rows[0]?.requests ?? 0, limit, resetAt, now)
      })

      const sweep = Effect.gen(function* () {
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        yield* sql`delete from rate_windows where window_start < ${now - 2 * windowSeconds}`
      })

      return RateLimits.of({ count, look, sweep })
    })
  )
}

/** A request to count, in the window that begins at `start`. */
interface Counted {
  readonly bucket: string
  readonly start: number
}

const windowOf = ({ bucket, start }: Counted): string => `${start} ${bucket}`

/**
 * Counts requests in one statement; returns the number of each in its window. Its commit does not wait for the disk: a
 * crash may forget the requests of the last moment, and every request, also one that only reads, would wait for it.
 */
const countTogether = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, items: ReadonlyArray<Counted>) {
  const windows = Map.groupBy(items, windowOf)
  const added = [...windows.values()].flatMap(([first, ...others]) =>
    first === undefined ? [] : [{ ...first, requests: others.length + 1 }]
  )
  const rows = yield* sql<{ bucket: string; window_start: bigint | number; requests: number }>`
    insert into rate_windows (bucket, window_start, requests)
    select bucket, start, requests
    from json_to_recordset(${json(sql, added)}) as added(bucket text, start bigint, requests int),
      (select set_config('synchronous_commit', 'off', true) as setting) as relaxed
    where relaxed.setting = 'off' order by bucket, start
    on conflict (bucket, window_start) do update set requests = rate_windows.requests + excluded.requests
    returning bucket, window_start, requests`
  const before = new Map(
    rows.map(({ bucket, requests, window_start }) => {
      const window = windowOf({ bucket, start: Number(window_start) })
      return [window, requests - (windows.get(window)?.length ?? 0)] as const
    })
  )
  return items.map((item) => {
    const requests = (before.get(windowOf(item)) ?? 0) + 1
    before.set(windowOf(item), requests)
    return requests
  })
})

/** The end of the window that contains a second. */
export const endOfWindow = (now: number): number => now - (now % windowSeconds) + windowSeconds

/** The rate state for the `requests`-th request of a window. */
export const rateState = (requests: number, limit: number, resetAt: number, now: number): RateState => ({
  allowed: requests <= limit,
  limit,
  remaining: Math.max(0, limit - requests),
  resetAt,
  retryAfter: Math.max(1, resetAt - now)
})
