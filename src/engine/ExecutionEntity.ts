import { Context, Effect, Layer, Schema } from "effect"
import { ClusterSchema, Entity, EntityId, Sharding } from "effect/cluster"
import { Rpc } from "effect/rpc"
import { Runner } from "./Runner.ts"
import type { Turn } from "./RunQueue.ts"

/**
 * Runs the execution; if its runner stops, it is interrupted and runs elsewhere. The message itself is not stored: the
 * execution's row contains everything, and `Recovery` sends lost messages again.
 */
const Run = Rpc.make("Run", {
  payload: {
    executionId: Schema.String,
    // Processes of the previous release omit these.
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

/**
 * The limit of a dispatch: an execution without a known runner is dispatched again later, so trying longer is useless.
 */
const patience = "5 seconds"

/** Hands executions to the cluster. */
export class Dispatcher extends Context.Service<
  Dispatcher,
  {
    /** Dispatches an execution without waiting for it; dispatching twice is harmless. */
    dispatch(executionId: string, turn: Turn): Effect.Effect<void>
    /** Whether this process is responsible for the execution. */
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
