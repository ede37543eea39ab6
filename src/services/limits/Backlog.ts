import { Context, Effect, Layer, Ref, Schedule } from "effect"
import { SqlClient } from "effect/sql"

/** The part of the queue that no single organization may fill: another one's runs are accepted while it waits. */
const partForOthers = 1 / 8

/**
 * How many accepted executions wait for a runner, in all processes together. Past a limit further runs are refused: what is
 * accepted is kept, so the queue must not grow without end.
 */
export class Backlog extends Context.Service<
  Backlog,
  {
    /** Whether a run of this organization is one too many. */
    isFull(organizationId: string): Effect.Effect<boolean>
    /** Counts again; otherwise that happens every second. */
    readonly count: Effect.Effect<void>
  }
>()("docflow/Backlog") {
  static readonly layer = (limit: number) =>
    Layer.effect(
      Backlog,
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const mostOfOne = Math.ceil(limit * (1 - partForOthers))
        const full = yield* Ref.make({ all: false, organizations: new Set<string>() })
        // A database that is away says nothing about the queue: what was known last still counts.
        const count = Effect.ignore(
          Effect.gen(function* () {
            const rows = yield* sql<{ organization_id: string; waiting: number }>`
              select organization_id, count(*)::int as waiting
              from (select organization_id from executions where status = 'pending' limit ${limit}) pending
              group by organization_id`
            yield* Ref.set(full, {
              all: rows.reduce((sum, { waiting }) => sum + waiting, 0) >= limit,
              organizations: new Set(
                rows.flatMap(({ organization_id, waiting }) =>
                  waiting >= mostOfOne ? [organization_id] : []
                )
              )
            })
          })
        )
        yield* count.pipe(Effect.repeat(Schedule.spaced("1 second")), Effect.forkScoped)
        const isFull = (organizationId: string) =>
          Effect.map(Ref.get(full), ({ all, organizations }) => all || organizations.has(organizationId))
        return Backlog.of({ isFull, count })
      })
    )
}
