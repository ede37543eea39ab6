import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { maxCorrectionsBytes } from "../api/CorrectionsApi.ts"
import { CurrentCaller } from "../api/Gate.ts"
import { ExecutionCorrections } from "../services/corrections/ExecutionCorrections.ts"
import { Flows } from "../services/flows/Flows.ts"
import { Backtests } from "../services/test-sets/Backtests.ts"
import { ExportedCases } from "../services/test-sets/ExportedCases.ts"
import { bodyRefusedAnswer } from "./Answers.ts"
import { JsonBody } from "./JsonBody.ts"
import { readCorrections } from "./ReadRunRequest.ts"
import { requireScope } from "./RequireScope.ts"
import { ServedApi } from "./ServedApi.ts"

/** The corrections of an execution: `/runs/{executionId}/corrections`. */
export const layer = HttpApiBuilder.group(
  ServedApi,
  "corrections",
  Effect.fn(function* (handlers) {
    const corrections = yield* ExecutionCorrections
    const cases = yield* ExportedCases
    const backtests = yield* Backtests
    const flows = yield* Flows
    const body = yield* JsonBody
    const save = Effect.fn("PUT /runs/{executionId}/corrections")(function* (executionId: string) {
      const caller = yield* CurrentCaller
      const request = yield* readCorrections(yield* body.readIfAny(maxCorrectionsBytes))
      return yield* corrections.saveByPath(caller, executionId, request)
    })
    return handlers
      .handle("get", ({ params }) =>
        Effect.flatMap(CurrentCaller, (caller) => corrections.getByPath(caller, params.executionId))
      )
      .handle("testSet", ({ params }) =>
        Effect.flatMap(CurrentCaller, (caller) => cases.find(caller, params.executionId))
      )
      .handle("backtest", ({ params, query: { after = "", limit = 5, version } }) =>
        Effect.gen(function* () {
          const caller = yield* CurrentCaller
          yield* flows.resolve(params.flowId, version)
          yield* requireScope(caller, "corrections:read")
          return yield* backtests.run(caller, params.flowId, { after, limit, version })
        })
      )
      .handleRaw("save", ({ params }) =>
        Effect.catchTag(save(params.executionId), "BodyRefused", bodyRefusedAnswer)
      )
  })
)
