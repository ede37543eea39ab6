import { PgClient } from "@effect/sql-pg"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { Effect, Layer, ManagedRuntime, Redacted, Schema } from "effect"
import { ClusterWorkflowEngine, SingleRunner } from "effect/cluster"
import { Activity, Workflow } from "effect/workflow"
import type { Chains } from "./Chains.ts"

const Three = Workflow.make("Three", {
  payload: { chain: Schema.Int },
  success: Schema.Int,
  idempotencyKey: ({ chain }) => String(chain)
})

/** A trivial step, whose result the workflow keeps. */
const step = (result: number) =>
  Activity.make({ name: `step-${result}`, success: Schema.Int, execute: Effect.succeed(result) })

const layerThree = Three.toLayer(() => Effect.andThen(Effect.andThen(step(1), step(2)), step(3)))

/** `effect/workflow` on its cluster engine, in one process: three activities, whose results it stores. */
export const workflowChains = (connectionString: string): Chains => {
  const runtime = ManagedRuntime.make(
    layerThree.pipe(
      Layer.provideMerge(ClusterWorkflowEngine.layer),
      Layer.provide(
        SingleRunner.layer({
          runnerStorage: "memory",
          shardingConfig: { simulateRemoteSerialization: false }
        })
      ),
      Layer.provide(PgClient.layer({ url: Redacted.make(connectionString), maxConnections: 20 })),
      Layer.provide(NodeCrypto.layer)
    )
  )
  let chain = 0
  return {
    one: () => runtime.runPromise(Three.execute({ chain: ++chain }).pipe(Effect.asVoid)),
    stop: () => runtime.dispose()
  }
}
