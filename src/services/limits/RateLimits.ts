import { Clock, Context, Effect, Exit, Layer, Schedule } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { makeBatches } from "../../sql/Batches.ts"
import { json } from "../../sql/Json.ts"
import { isLeased, RateLeases } from "./RateLeases.ts"

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

/**
 * Counts requests in fixed windows of a minute; the counters are in the database, so that all nodes share them. Where many
 * requests are left, a node with many requests takes some numbers in advance.
 */
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

      const scope = yield* Effect.scope
      const leases = new RateLeases()
      const counts = yield* makeBatches<Counted, number>({
        statement: (items) => countTogether(sql, items),
        keyOf: ({ bucket }) => bucket,
        sizeOf: ({ bucket }) => bucket.length
      })

      /** Counts in the database: `own` requests at hand, and some in advance; returns the number of the first. */
      const countStored = (bucket: string, start: number, limit: number, own: number) =>
        Effect.gen(function* () {
          if (!isLeased(limit)) return yield* counts.send({ bucket, start, requests: own })
          const more = leases.ask(bucket, start, limit, yield* Clock.currentTimeMillis)
          const requests = own + more
          if (requests === 0) return 0
          return yield* Effect.onExit(counts.send({ bucket, start, requests }), (exit) =>
            Effect.map(Clock.currentTimeMillis, (now) => {
              if (Exit.isSuccess(exit)) leases.grant(bucket, start, exit.value + requests - 1, more, now)
              else if (more > 0) leases.cancel(bucket, start)
            })
          )
        })

      const count = Effect.fnUntraced(function* (bucket: string, limit: number) {
        const millis = yield* Clock.currentTimeMillis
        const now = Math.floor(millis / 1000)
        const start = endOfWindow(now) - windowSeconds
        const taken = leases.take(bucket, start, millis)
        if (taken !== undefined && leases.isLow(bucket, start)) {
          yield* Effect.forkIn(Effect.ignore(countStored(bucket, start, limit, 0)), scope)
        }
        const requests = taken ?? (yield* countStored(bucket, start, limit, 1))
        return rateState(requests, limit, start + windowSeconds, now)
      })

      const giveBack = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        const start = endOfWindow(Math.floor(now / 1000)) - windowSeconds
        for (const { bucket, count, start: window } of leases.expire(start, now)) {
          yield* Effect.ignore(counts.send({ bucket, start: window, requests: -count }))
        }
      })
      yield* giveBack.pipe(Effect.repeat(Schedule.spaced("1 second")), Effect.forkScoped)

      const look = Effect.fn("RateLimits.look")(function* (bucket: string, limit: number) {
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        const resetAt = endOfWindow(now)
        const start = resetAt - windowSeconds
        const rows = yield* sql<{ requests: number }>`
          select requests from rate_windows where bucket = ${bucket} and window_start = ${start}`
        return rateState((rows[0]?.requests ?? 0) - leases.unused(bucket, start), limit, resetAt, now)
      })

      const sweep = Effect.gen(function* () {
        const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
        yield* sql`delete from rate_windows where window_start < ${now - 2 * windowSeconds}`
      })

      return RateLimits.of({ count, look, sweep })
    })
  )
}

/** Requests to count, in the window that begins at `start`; a negative number is given back. */
interface Counted {
  readonly bucket: string
  readonly start: number
  readonly requests: number
}

const sumOf = (items: ReadonlyArray<Counted>): number =>
  items.reduce((sum, { requests }) => sum + requests, 0)

const windowOf = ({ bucket, start }: Pick<Counted, "bucket" | "start">): string => `${start} ${bucket}`

/**
 * Counts requests in one statement; returns the number of the first one of each item in its window. Its commit does not
 * wait for the disk: a crash may forget the requests of the last moment, and every request, also one that only reads, would
 * wait for it.
 */
const countTogether = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, items: ReadonlyArray<Counted>) {
  const windows = Map.groupBy(items, windowOf)
  const added = [...windows.values()].flatMap((counted) => {
    const [first] = counted
    return first === undefined ? [] : [{ ...first, requests: sumOf(counted) }]
  })
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
      return [window, requests - sumOf(windows.get(window) ?? [])] as const
    })
  )
  return items.map((item) => {
    const counted = before.get(windowOf(item)) ?? 0
    before.set(windowOf(item), counted + item.requests)
    return counted + 1
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
