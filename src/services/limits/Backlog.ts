import { Context, Effect, Layer, Metric, Ref, Schedule } from "effect"
import { SqlClient } from "effect/sql"

const queued = Metric.gauge("executions_queued", {
  description: "Accepted executions that wait for a runner, in all processes together; counted every second."
})

/** The part of the queue that no single organization may fill, so that runs of others are accepted. */
const partForOthers = 1 / 8

/**
 * The number of accepted executions that wait for a runner, in all processes together. Past a limit, further runs are
 * refused: accepted ones are kept, so the queue must not grow without bound.
 */
export class Backlog extends Context.Service<
  Backlog,
  {
    /** Whether a run of this organization is one too many. */
    isFull(organizationId: string): Effect.Effect<boolean>
    /** Counts again immediately; otherwise, this happens every second. */
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
        // If the database is unavailable, the last known number still applies.
        const count = Effect.ignore(
          Effect.gen(function* () {
            const rows = yield* sql<{ organization_id: string; waiting: number }>`
              select organization_id, count(*)::int as waiting
              from (select organization_id from executions where status = 'pending' limit ${limit}) pending
              group by organization_id`
            const all = rows.reduce((sum, { waiting }) => sum + waiting, 0)
            yield* Metric.update(queued, all)
            yield* Ref.set(full, {
              all: all >= limit,
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
