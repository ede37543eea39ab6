import { Context, type Effect } from "effect"
import type { FlowNotFound, VersionNotFound } from "./domain/Errors.ts"
import type { FlowDetail, FlowItem } from "./domain/Flow.ts"
import type { RunnableFlow } from "./engine/FlowCatalog.ts"

/** The flows that are served. */
export class Flows extends Context.Service<
  Flows,
  {
    /** One page of the flows, newest first, and how many there are. */
    list(page: {
      readonly limit: number
      readonly offset: number
    }): Effect.Effect<{ readonly flows: ReadonlyArray<FlowItem>; readonly total: number }>
    /** A version of a flow as the API shows it; the latest when none is named. */
    get(flowId: string, version?: string): Effect.Effect<FlowDetail, FlowNotFound | VersionNotFound>
    /** A version of a flow, ready to be run. */
    resolve(flowId: string, version?: string): Effect.Effect<RunnableFlow, FlowNotFound | VersionNotFound>
  }
>()("docflow/Flows") {}
