import { Duration, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ServedApi } from "./ServedApi.ts"
import { CurrentCaller } from "../api/Gate.ts"
import { pageOf } from "../api/Paging.ts"
import type { Caller } from "../domain/ApiKey.ts"
import { defaultWaitMs } from "../domain/RunRequest.ts"
import { Executions } from "../services/executions/Executions.ts"
import { Flows } from "../services/flows/Flows.ts"
import { bodyRefusedAnswer, executionAnswer, replayedHeader } from "./Answers.ts"
import { FetchInput } from "./FetchInput.ts"
import { CurrentIntakeSlot } from "./Intake.ts"
import { JsonBody } from "./JsonBody.ts"
import { readRunRequest } from "./ReadRunRequest.ts"
import { requireScope } from "./RequireScope.ts"
import { RequestId } from "./RequestId.ts"

/** GET /flows, GET /flows/{flowId}, POST /flows/{flowId}/run. */
export const layer = HttpApiBuilder.group(
  ServedApi,
  "flows",
  Effect.fn(function* (handlers) {
    const flows = yield* Flows
    const executions = yield* Executions
    const body = yield* JsonBody
    const fetching = yield* FetchInput

    const receive = Effect.fnUntraced(function* (caller: Caller, flowId: string) {
      const { aside } = yield* CurrentIntakeSlot
      const request = yield* readRunRequest(
        yield* aside(
          Effect.flatMap(body.readRun(caller.organizationId, executions.refuseIfFull(caller)), (sent) =>
            fetching.resolve(sent, caller.organizationId)
          )
        ),
        body.limits.variables
      )
      if (request.webhookEvents?.includes("corrections.saved") === true) {
        yield* requireScope(caller, "corrections:read")
      }
      return { request, accepted: yield* executions.accept(caller, flowId, request, yield* RequestId) }
    })

    const run = Effect.fn("POST /flows/{flowId}/run")(
      function* (flowId: string) {
        const caller = yield* CurrentCaller
        const { accepted, request } = yield* Effect.scoped(receive(caller, flowId))
        yield* (yield* CurrentIntakeSlot).leave
        yield* Effect.annotateCurrentSpan({ "docflow.execution": accepted.executionId })
        if (accepted._tag === "Replayed") yield* replayedHeader
        if (request.wait !== true) {
          return executionAnswer(
            accepted._tag === "New" ? accepted.pending : yield* executions.get(caller, accepted.executionId)
          )
        }
        const timeout = Duration.millis(Math.ceil(request.timeout ?? defaultWaitMs))
        return executionAnswer(yield* executions.awaitEnd(caller, accepted.executionId, timeout, accepted))
      },
      // An execution that was just accepted exists; if it has been removed meanwhile, that is a defect.
      Effect.catchTag("EXECUTION_NOT_FOUND", Effect.die)
    )

    return handlers
      .handle("list", ({ query }) => {
        const page = pageOf(query)
        return Effect.map(flows.list(page), (found) => ({ ...found, ...page }))
      })
      .handle("get", ({ params, query }) => flows.get(params.flowId, query.version))
      .handleRaw("run", ({ params }) => Effect.catchTag(run(params.flowId), "BodyRefused", bodyRefusedAnswer))
  })
)
