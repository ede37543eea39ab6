import { Context, Effect, Layer } from "effect"
import { ExecutionEntity } from "./ExecutionEntity.ts"
import type { Turn } from "./Runner.ts"
import { OwnRuns } from "./OwnRuns.ts"

/**
 * The limit of handing an execution over: one without a known runner is dispatched again later, so trying longer is
 * useless.
 */
const patience = "5 seconds"

/** Starts executions in the process that is responsible for them: at once in this one, through the cluster in another. */
export class Dispatcher extends Context.Service<
  Dispatcher,
  {
    /** Dispatches an execution without waiting for it; dispatching twice is harmless. */
    dispatch(executionId: string, turn: Turn): Effect.Effect<void>
    /** Whether this process is responsible for the execution. */
    isOurs(executionId: string): boolean
  }
>()("docflow/engine/Dispatcher") {
  static readonly layer = Layer.effect(
    Dispatcher,
    Effect.gen(function* () {
      const own = yield* OwnRuns
      const clientFor = yield* ExecutionEntity.client
      const scope = yield* Effect.scope
      const handOver = (executionId: string, turn: Turn) =>
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
          )
      return Dispatcher.of({
        dispatch: (executionId, turn) =>
          Effect.suspend(() =>
            own.isOurs(executionId) ? own.start(executionId, turn) : handOver(executionId, turn)
          ),
        isOurs: own.isOurs
      })
    })
  )
}
