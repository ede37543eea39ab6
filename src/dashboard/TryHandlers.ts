import { Effect, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import { NotFound, notFound } from "../api/NotFound.ts"
import type { Caller } from "../domain/ApiKey.ts"
import type { Environment } from "../domain/Organization.ts"
import { bodyRefusedAnswer } from "../http/Answers.ts"
import { streamAnswer } from "../http/EventStreamAnswer.ts"
import { JsonBody } from "../http/JsonBody.ts"
import { readRunRequest } from "../http/ReadRunRequest.ts"
import { RequestId } from "../http/RequestId.ts"
import { ExecutionEvents } from "../services/events/ExecutionEvents.ts"
import { Executions } from "../services/executions/Executions.ts"
import { FlowDrafts } from "../services/flows/FlowDrafts.ts"
import { Organizations } from "../services/organizations/Organizations.ts"
import { Replays } from "../services/replays/Replays.ts"
import { callerFor, factsOf } from "./ReadExecution.ts"
import * as SessionCookie from "./SessionCookie.ts"
import { Sessions } from "../services/users/Sessions.ts"
import { ServedDashboardApi } from "./ServedDashboardApi.ts"

/** Runs flows on dropped documents, and runs executions again. */
export const layer = HttpApiBuilder.group(
  ServedDashboardApi,
  "try",
  Effect.fn(function* (handlers) {
    const events = yield* ExecutionEvents
    const sessions = yield* Sessions
    const drafts = yield* FlowDrafts
    const executions = yield* Executions
    const replays = yield* Replays
    const organizations = yield* Organizations
    const body = yield* JsonBody
    const context = yield* Effect.context<SqlClient.SqlClient>()

    /** The caller who pays: the organization, within the limits of its plan. */
    const callerOf = Effect.fnUntraced(function* (id: string, environment: Environment) {
      const { concurrentExecutions, plan, requestsPerMinute } = yield* Effect.catchTag(
        organizations.get(id),
        "OrganizationNotFound",
        () => new NotFound({ message: "Organization not found" })
      )
      const caller: Caller = {
        keyId: "dashboard",
        organizationId: id,
        environment,
        scopes: ["flows:execute"],
        plan,
        customLimits: { requestsPerMinute, concurrentExecutions }
      }
      return caller
    })

    /** The draft that a request names, which only the dashboard runs. */
    const draftOf = (flowId: string, version: string | undefined) =>
      version === undefined ? Effect.undefined : drafts.find(flowId, version)

    const run = Effect.fnUntraced(function* (id: string, flowId: string, environment: Environment) {
      const caller = yield* callerOf(id, environment)
      const request = yield* readRunRequest(yield* body.readJsonRun(id), body.limits.variables)
      const draft = yield* draftOf(flowId, request.version)
      const { executionId } = yield* executions.accept(caller, flowId, request, yield* RequestId, draft)
      return { executionId }
    }, Effect.scoped)

    return handlers
      .handleRaw("run", ({ params, query }) =>
        Effect.catchTag(run(params.id, params.flowId, query.environment), "BodyRefused", bodyRefusedAnswer)
      )
      .handleRaw("events", ({ headers, params: { id } }) =>
        Effect.gen(function* () {
          const caller = yield* Effect.provideContext(callerFor(id), context)
          const after = Number(headers["last-event-id"] ?? "")
          const found = events.follow(caller, id, after)
          const stream = yield* Effect.catchTag(found, "EXECUTION_NOT_FOUND", notFound("Execution"))
          if (Option.isNone(stream)) return HttpServerResponse.empty({ status: 204 })
          const session = yield* SessionCookie.read
          return streamAnswer(
            stream.value,
            Effect.orElseSucceed(
              Effect.map(sessions.find(session), (person) => person !== undefined),
              () => true
            )
          )
        })
      )
      .handle("replay", ({ params: { id }, payload }) =>
        Effect.gen(function* () {
          const known = yield* Effect.provideContext(factsOf(id), context)
          const caller = yield* callerOf(known.organization_id, known.environment)
          const draft = yield* draftOf(known.flow_id, payload.version)
          const { executionId } = yield* replays.replay(caller, id, payload, yield* RequestId, draft)
          return { executionId }
        })
      )
  })
)
