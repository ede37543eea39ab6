import { Context, Effect, Layer, Schema } from "effect"
import { ClusterSchema, Entity, type Sharding } from "effect/cluster"
import { Rpc } from "effect/rpc"
import { Runner } from "./Runner.ts"

/** Runs the execution; kept in the database until it has, and handed to another runner when one stops. */
const Run = Rpc.make("Run", { payload: { executionId: Schema.String }, primaryKey: () => "run" })
  .annotate(ClusterSchema.Persisted, true)
  .annotate(ClusterSchema.InterruptOnTermination, true)

/** An execution in the cluster: its id is the execution's id. */
const ExecutionEntity = Entity.make("Execution", [Run])

/** The runner's side: this process runs executions. */
export const layer = ExecutionEntity.toLayer(
  Effect.gen(function* () {
    const runner = yield* Runner
    const address = yield* Entity.CurrentAddress
    return ExecutionEntity.of({ Run: () => runner.run(address.entityId) })
  }),
  { maxIdleTime: "10 seconds" }
)

/** Hands executions to the cluster. */
export class Dispatcher extends Context.Service<
  Dispatcher,
  {
    /** Asks for an execution to be run; asking twice is harmless. */
    dispatch(executionId: string): Effect.Effect<void>
  }
>()("docflow/engine/Dispatcher") {
  static readonly layer: Layer.Layer<Dispatcher, never, Sharding.Sharding> = Layer.effect(
    Dispatcher,
    Effect.gen(function* () {
      const clientFor = yield* ExecutionEntity.client
      return Dispatcher.of({
        dispatch: Effect.fn("Dispatcher.dispatch")((executionId: string) =>
          // The execution is accepted whatever happens here: `Recovery` asks again.
          Effect.catch(clientFor(executionId).Run({ executionId }, { discard: true }), (error) =>
            Effect.logWarning("An execution could not be handed to the cluster yet", error._tag).pipe(
              Effect.annotateLogs({ executionId })
            )
          )
        )
      })
    })
  )
}
