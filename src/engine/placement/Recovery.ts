import { Effect, Layer, Random, Schedule } from "effect"
import { SqlClient } from "effect/sql"
import { Dispatcher } from "./Dispatcher.ts"
import { Runner } from "./Runner.ts"

/** The number of dead runners that is not yet suspicious. */
const unsuspicious = 2
/** The lowest probability: an execution that is not to blame should not wait for minutes. */
const lowest = 1 / 16

/**
 * The probability that one look for executions without a runner starts an execution again, by the number of runners that
 * died over it since its last recorded step. Whatever killed a process took every execution down that ran there: which one
 * it was shows only when they are started apart from each other. Each death halves the probability, which makes the
 * expected wait an exponential backoff; unlike a wait, it has no state that the next death of the process would erase.
 */
export const restartChance = (deaths: number): number =>
  Math.max(lowest, 0.5 ** Math.max(deaths - unsuspicious, 0))

/** The age up to which a pending execution may still be on its way to its runner. */
const grace = "interval '5 seconds'"
/** The maximum number of executions that one poll hands over. */
const batch = 10_000

interface Unfinished {
  readonly id: string
  readonly organization_id: string
  readonly runner_starts: number
}

/**
 * Finds executions that this process should run but does not know: their runner died or stopped, or the process that
 * accepted them died before it dispatched them. Dispatching twice is harmless. Executions over which several runners died
 * are not started at every look, so that the one that kills its runners does not take the others down with it again.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const dispatcher = yield* Dispatcher
    const runner = yield* Runner
    const recover = Effect.gen(function* () {
      const unfinished = yield* sql<Unfinished>`
        select id, organization_id, runner_starts from executions
        where status in ('pending', 'running') and (status = 'running' or created_at < now() - ${sql.literal(grace)})
        order by created_at limit ${batch}`
      const forgotten = unfinished.filter(({ id }) => !runner.knows(id) && dispatcher.isOurs(id))
      const started = yield* Effect.filter(forgotten, ({ runner_starts }) =>
        Effect.map(Random.next, (share) => share < restartChance(runner_starts))
      )
      yield* Effect.forEach(
        started,
        ({ id, organization_id }) =>
          dispatcher.dispatch(id, { organizationId: organization_id, waited: false }),
        { discard: true }
      )
    })
    yield* recover.pipe(
      Effect.catchCause((cause) => Effect.logWarning("Looking for forgotten executions failed", cause)),
      Effect.repeat(Schedule.spaced("2 seconds")),
      Effect.forkScoped
    )
  })
)
