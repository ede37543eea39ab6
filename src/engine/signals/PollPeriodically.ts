import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import type { Watchers } from "./Watchers.ts"

interface Seen {
  readonly id: string
  readonly ended: boolean
  readonly version: string
}

/**
 * Polls all watched executions together every 2 seconds, and wakes the watchers of those that have ended or changed: a
 * signal can be lost with a connection.
 */
export const pollPeriodically = (ends: Watchers, changes: Watchers) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    let known: ReadonlyMap<string, string> = new Map()
    const lookUp = Effect.gen(function* () {
      const watched = [...new Set([...ends.watched, ...changes.watched])]
      if (watched.length === 0) return
      const rows = yield* sql<Seen>`
        select id, status not in ('pending', 'running') as ended, event_seq || ' ' || progress_percentage as version
        from executions where ${sql.in("id", watched)}`
      const before = known
      known = new Map(rows.map(({ id, version }) => [id, version]))
      for (const { ended, id, version } of rows) {
        if (ended) yield* ends.wake(id)
        if (before.get(id) !== version) yield* changes.wake(id)
      }
    })
    yield* Effect.ignore(lookUp).pipe(Effect.repeat(Schedule.spaced("2 seconds")), Effect.forkScoped)
  })
