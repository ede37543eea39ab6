import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { maxCorrectionsBytes } from "../api/CorrectionsApi.ts"
import { CurrentCaller } from "../api/Gate.ts"
import { ExecutionCorrections } from "../services/corrections/ExecutionCorrections.ts"
import { ExportedCases } from "../services/test-sets/ExportedCases.ts"
import { bodyRefusedAnswer } from "./Answers.ts"
import { JsonBody } from "./JsonBody.ts"
import { readCorrections } from "./ReadRunRequest.ts"
import { ServedApi } from "./ServedApi.ts"

/** The corrections of an execution: `/runs/{executionId}/corrections`. */
export const layer = HttpApiBuilder.group(
  ServedApi,
  "corrections",
  Effect.fn(function* (handlers) {
    const corrections = yield* ExecutionCorrections
    const cases = yield* ExportedCases
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
      .handleRaw("save", ({ params }) =>
        Effect.catchTag(save(params.executionId), "BodyRefused", bodyRefusedAnswer)
      )
  })
)
