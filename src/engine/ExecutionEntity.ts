import { Context, Effect, Layer, Schema } from "effect"
import { ClusterSchema, Entity, EntityId, Sharding } from "effect/cluster"
import { Rpc } from "effect/rpc"
import { Runner } from "./Runner.ts"
import type { Turn } from "./RunQueue.ts"

/**
 * Runs the execution; interrupted and run elsewhere if its runner stops. The message itself is not stored: the execution's
 * row says what is to be done, and `Recovery` asks again for what got lost.
 */
const Run = Rpc.make("Run", {
  payload: {
    executionId: Schema.String,
    // Processes of the release before this one leave these out.
    organizationId: Schema.optionalKey(Schema.String),
    waited: Schema.optionalKey(Schema.Boolean)
  },
  primaryKey: () => "run"
}).annotate(ClusterSchema.InterruptOnTermination, true)

/** An execution in the cluster: its id is the execution's id. */
const ExecutionEntity = Entity.make("Execution", [Run])

/** The runner's side: this process runs executions. */
export const layer = ExecutionEntity.toLayer(
  Effect.gen(function* () {
    const runner = yield* Runner
    const address = yield* Entity.CurrentAddress
    return ExecutionEntity.of({
      Run: ({ payload: { organizationId = "", waited = false } }) =>
        runner.run(address.entityId, { organizationId, waited })
    })
  }),
  { maxIdleTime: "1 second" }
)

/** An execution whose runner nobody knows any more is asked for again; to try for longer helps nobody. */
const patience = "5 seconds"

/** Hands executions to the cluster. */
export class Dispatcher extends Context.Service<
  Dispatcher,
  {
    /** Asks for an execution to be run, and does not wait until it is; asking twice is harmless. */
    dispatch(executionId: string, turn: Turn): Effect.Effect<void>
    /** Whether this process is the one that runs the execution. */
    isOurs(executionId: string): boolean
  }
>()("docflow/engine/Dispatcher") {
  static readonly layer: Layer.Layer<Dispatcher, never, Sharding.Sharding> = Layer.effect(
    Dispatcher,
    Effect.gen(function* () {
      const clientFor = yield* ExecutionEntity.client
      const sharding = yield* Sharding.Sharding
      const scope = yield* Effect.scope
      return Dispatcher.of({
        dispatch: (executionId, turn) =>
          clientFor(executionId)
            .Run({ executionId, ...turn }, { discard: true })
            .pipe(
              Effect.timeout(patience),
              Effect.catch((error) =>
                Effect.logWarning("An execution could not be handed to the cluster yet", error._tag).pipe(
                  Effect.annotateLogs({ executionId })
                )
              ),
              Effect.withSpan("Dispatcher.dispatch"),
              Effect.forkIn(scope, { startImmediately: true }),
              Effect.asVoid
            ),
        isOurs: (executionId) => {
          const id = EntityId.make(executionId)
          return sharding.hasShardId(sharding.getShardId(id, ExecutionEntity.getShardGroup(id)))
        }
      })
    })
  )
}
