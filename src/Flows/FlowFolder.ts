import { Effect, Layer } from "effect"
import { Settings } from "../Config.ts"
import { Flows } from "../Flows.ts"
import { readFlowFiles } from "./FlowFiles.ts"

/** Serves the flows of the folder in the settings; a flow with problems is reported and does not take the others down. */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const { flowsDir } = yield* Settings
    const flows = yield* Flows
    const problems = yield* flows.serve(yield* readFlowFiles(flowsDir))
    for (const problem of problems) yield* Effect.logError("A flow is not served", problem)
  })
)
