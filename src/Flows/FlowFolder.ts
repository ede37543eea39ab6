import { Effect, Layer, Schema } from "effect"
import { Settings } from "../Config.ts"
import { Flows } from "../Flows.ts"
import { readFlowFiles } from "./FlowFiles.ts"

/** The folder of the flows is not there, or closed. */
export class FlowsFolderUnreadable extends Schema.TaggedError<FlowsFolderUnreadable>()(
  "FlowsFolderUnreadable",
  { message: Schema.String }
) {}

/** Serves the flows of the folder in the settings; a flow with problems is reported and does not take the others down. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { flowsDir } = yield* Settings
    const flows = yield* Flows
    const files = yield* Effect.mapError(
      readFlowFiles(flowsDir),
      () => new FlowsFolderUnreadable({ message: `DOCFLOW_FLOWS_DIR: the folder ${flowsDir} cannot be read` })
    )
    const problems = yield* flows.serve(files)
    for (const problem of problems) yield* Effect.logError("A flow is not served", problem)
  })
)
