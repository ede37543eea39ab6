import { Duration, Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ServedApi } from "./ServedApi.ts"
import { CurrentCaller } from "../api/Gate.ts"
import { pageOf } from "../api/Paging.ts"
import type { Caller } from "../domain/ApiKey.ts"
import { defaultWaitMs } from "../domain/RunRequest.ts"
import { CurrentIntakeSlot } from "../services/admission/Overload.ts"
import { Executions } from "../services/executions/Executions.ts"
import { FlowDrafts } from "../services/proposals/FlowDrafts.ts"
import { Flows } from "../services/flows/Flows.ts"
import { bodyRefusedAnswer, executionAnswer, replayedHeader } from "./Answers.ts"
import { FetchInput } from "./FetchInput.ts"
import { JsonBody } from "./JsonBody.ts"
import { type Included, makeIncludingRead, readInclude, requireIncludable } from "./ReadInclude.ts"
import { readRunRequest } from "./ReadRunRequest.ts"
import { requireScope } from "./RequireScope.ts"
import { RequestId } from "./RequestId.ts"
import { inSpan } from "../support/InSpan.ts"

/** GET /flows, GET /flows/{flowId}, POST /flows/{flowId}/run. */
export const layer = HttpApiBuilder.group(
  ServedApi,
  "flows",
  Effect.fn(function* (handlers) {
    const flows = yield* Flows
    const executions = yield* Executions
    const drafts = yield* FlowDrafts
    const body = yield* JsonBody
    const fetching = yield* FetchInput

    const readIncluding = yield* makeIncludingRead

    const receive = Effect.fnUntraced(function* (caller: Caller, flowId: string, include: Included) {
      const { aside } = yield* CurrentIntakeSlot
      const request = yield* readRunRequest(
        yield* aside(
          Effect.flatMap(body.readRun(caller.organizationId), (sent) =>
            fetching.resolve(sent, caller.organizationId)
          )
        ),
        body.limits.variables
      )
      if (request.webhookEvents?.includes("corrections.saved") === true) {
        yield* requireScope(caller, "corrections:read")
      }
      const isIncluding = yield* requireIncludable(caller, include, request.wait)
      return {
        request,
        isIncluding,
        accepted: yield* executions.accept(
          caller,
          flowId,
          request,
          yield* RequestId,
          yield* drafts.forCaller(caller, flowId, request.version)
        )
      }
    })

    const run = Effect.fnUntraced(
      function* (flowId: string, included: string | undefined) {
        const include = yield* readInclude(included)
        const caller = yield* CurrentCaller
        const { accepted, isIncluding, request } = yield* Effect.scoped(receive(caller, flowId, include))
        yield* (yield* CurrentIntakeSlot).leave
        yield* Effect.annotateCurrentSpan({ "docflow.execution": accepted.executionId })
        if (accepted._tag === "Replayed") yield* replayedHeader
        if (request.wait !== true) {
          return yield* executionAnswer(
            accepted._tag === "New" ? accepted.pending : yield* executions.get(caller, accepted.executionId)
          )
        }
        const timeout = Duration.millis(Math.ceil(request.timeout ?? defaultWaitMs))
        const ended = yield* executions.awaitEnd(caller, accepted.executionId, timeout, accepted)
        return yield* executionAnswer(
          isIncluding ? yield* readIncluding(caller, accepted.executionId, include) : ended
        )
      },
      // An execution that was just accepted exists; if it has been removed meanwhile, that is a defect.
      Effect.catchTag("EXECUTION_NOT_FOUND", Effect.die),
      inSpan("POST /flows/{flowId}/run")
    )

    return handlers
      .handle("list", ({ query }) => {
        const page = pageOf(query)
        return Effect.map(flows.list(page), (found) => ({ ...found, ...page }))
      })
      .handle("get", ({ params, query }) => flows.get(params.flowId, query.version))
      .handleRaw("run", ({ params, query }) =>
        Effect.catchTag(run(params.flowId, query.include), "BodyRefused", bodyRefusedAnswer)
      )
  })
)
