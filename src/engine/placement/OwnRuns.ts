import { Context, Effect, Fiber, FiberMap, Layer, Option, Schedule, Tracer } from "effect"
import { Entity, EntityId, type ShardId, Sharding } from "effect/cluster"
import { withRoom } from "../../support/WithRoom.ts"
import { ExecutionEntity } from "./ExecutionEntity.ts"
import { Runner, type Turn } from "./Runner.ts"
import { StepKinds } from "../program/StepKinds.ts"

/** How often this process looks whether it is still responsible for what it runs: before another one may have noticed. */
const look = "100 millis"

/**
 * Runs the executions that this process is responsible for, each once at a time. When another process has become responsible,
 * they are interrupted, and it continues them from where the journal ends.
 */
export class OwnRuns extends Context.Service<
  OwnRuns,
  {
    /** Whether this process is responsible for the execution. */
    isOurs(executionId: string): boolean
    /** Starts an execution, unless it runs here already, without waiting for its end. */
    start(executionId: string, turn: Turn): Effect.Effect<void>
    /** Returns when an execution that was started here has ended; interruption hands it over. */
    awaitEnd(executionId: string): Effect.Effect<void>
  }
>()("docflow/engine/OwnRuns") {
  static readonly layer = Layer.effect(
    OwnRuns,
    Effect.gen(function* () {
      const sharding = yield* Sharding.Sharding
      const runner = yield* Runner
      const fibers = yield* FiberMap.make<string, void>()
      // Not the services of the request: they would be kept, and copied with each one that is added.
      const { include } = yield* StepKinds
      const fork = yield* Effect.updateContext(
        FiberMap.runtime(fibers)(),
        (services: Context.Context<never>) => withRoom(include(services))
      )
      const shardOf = (executionId: string): ShardId.ShardId => {
        const id = EntityId.make(executionId)
        return sharding.getShardId(id, ExecutionEntity.getShardGroup(id))
      }
      const isOurs = (executionId: string) => sharding.hasShardId(shardOf(executionId))

      /** The runs of each shard: there may be thousands of runs, but no more than 300 shards are looked at. */
      const shards = new Map<ShardId.ShardId, Set<Fiber.Fiber<void>>>()
      const watch = (executionId: string, fiber: Fiber.Fiber<void>): void => {
        const shard = shardOf(executionId)
        const runs = shards.get(shard) ?? new Set()
        shards.set(shard, runs.add(fiber))
        fiber.addObserver(() => {
          runs.delete(fiber)
          if (runs.size === 0 && shards.get(shard) === runs) shards.delete(shard)
        })
      }
      yield* Effect.sync(() => {
        for (const [shard, runs] of shards) {
          if (!sharding.hasShardId(shard)) for (const fiber of runs) fiber.interruptUnsafe()
        }
      }).pipe(Effect.repeat(Schedule.spaced(look)), Effect.forkScoped)

      return OwnRuns.of({
        isOurs,
        start: (executionId, turn) =>
          Effect.map(Effect.serviceOption(Tracer.ParentSpan), (span) => {
            const run = runner.run(executionId, turn)
            const traced = Option.isSome(span) ? Effect.withParentSpan(run, span.value) : run
            if (!FiberMap.hasUnsafe(fibers, executionId)) watch(executionId, fork(executionId, traced))
          }),
        awaitEnd: (executionId) =>
          Effect.flatMap(FiberMap.get(fibers, executionId), (fiber) =>
            Option.isNone(fiber)
              ? Effect.void
              : Effect.onInterrupt(Effect.asVoid(Fiber.await(fiber.value)), () =>
                  Fiber.interrupt(fiber.value)
                )
          )
      })
    })
  )
}

/** Takes the executions that other processes hand over to this one. */
export const layerReceiving = ExecutionEntity.toLayer(
  Effect.gen(function* () {
    const runs = yield* OwnRuns
    const { entityId } = yield* Entity.CurrentAddress
    return ExecutionEntity.of({
      Run: ({ payload: { organizationId, waited } }) =>
        Effect.andThen(runs.start(entityId, { organizationId, waited }), runs.awaitEnd(entityId))
    })
  }),
  { maxIdleTime: "1 second" }
)
