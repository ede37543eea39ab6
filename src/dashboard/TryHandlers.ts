import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import { NotFound } from "../api/NotFound.ts"
import type { Caller } from "../domain/ApiKey.ts"
import type { Environment } from "../domain/Organization.ts"
import { bodyRefusedAnswer } from "../http/Answers.ts"
import { JsonBody } from "../http/JsonBody.ts"
import { readRunRequest } from "../http/ReadRunRequest.ts"
import { RequestId } from "../http/RequestId.ts"
import { Executions } from "../services/executions/Executions.ts"
import { Flows } from "../services/flows/Flows.ts"
import { Organizations } from "../services/organizations/Organizations.ts"
import { Replays } from "../services/replays/Replays.ts"
import { callerFor } from "./ReadExecution.ts"
import { ServedDashboardApi } from "./ServedDashboardApi.ts"

/** Runs flows on dropped documents, and runs executions again. */
export const layer = HttpApiBuilder.group(
  ServedDashboardApi,
  "try",
  Effect.fn(function* (handlers) {
    const flows = yield* Flows
    const executions = yield* Executions
    const replays = yield* Replays
    const organizations = yield* Organizations
    const body = yield* JsonBody
    const context = yield* Effect.context<SqlClient.SqlClient>()

    /** Who pays: the organization, within the limits of its plan. */
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

    const run = Effect.fnUntraced(function* (id: string, flowId: string, environment: Environment) {
      const caller = yield* callerOf(id, environment)
      const request = yield* readRunRequest(yield* body.read(id), body.limits.variables)
      const { executionId } = yield* executions.accept(caller, flowId, request, yield* RequestId)
      return { executionId }
    }, Effect.scoped)

    return handlers
      .handle("flows", () =>
        Effect.map(flows.list({ limit: 1000, offset: 0 }), (found) => ({
          flows: found.flows.map(({ description, id, name, version }) => ({ id, name, description, version }))
        }))
      )
      .handleRaw("run", ({ params, query }) =>
        Effect.catchTag(run(params.id, params.flowId, query.environment), "BodyRefused", bodyRefusedAnswer)
      )
      .handle("replay", ({ params: { id }, payload }) =>
        Effect.gen(function* () {
          const known = yield* Effect.provideContext(callerFor(id), context)
          const caller = yield* callerOf(known.organizationId, known.environment)
          const { executionId } = yield* replays.replay(caller, id, payload, yield* RequestId)
          return { executionId }
        })
      )
  })
)
