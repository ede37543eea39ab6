import { Context, type Effect, type Option } from "effect"
import type { CheckedFlow } from "../../../dsl/model/CheckedFlow.ts"

/** A flow that is ready to run: its steps need no further services. */
export type RunnableFlow = CheckedFlow<never>

/** Where the engine finds the flow version that an execution started with. */
export class FlowCatalog extends Context.Service<
  FlowCatalog,
  {
    find(flowId: string, version: string): Effect.Effect<Option.Option<RunnableFlow>>
  }
>()("docflow/engine/FlowCatalog") {}
