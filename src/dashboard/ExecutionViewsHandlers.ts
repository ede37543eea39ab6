import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import type { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { CurrentPerson } from "../api/Gate.ts"
import { notFound } from "../api/AdminParts.ts"
import { operatorOf } from "../domain/ApiKey.ts"
import { ExecutionCorrections } from "../services/corrections/ExecutionCorrections.ts"
import { ReviewQueue } from "../services/corrections/ReviewQueue.ts"
import { Executions } from "../services/executions/Executions.ts"
import { Organizations } from "../services/organizations/Organizations.ts"
import { UsageOfDays } from "../services/organizations/UsageOfDays.ts"
import type { PageViews } from "../services/pages/PageViews.ts"
import type { Webhooks } from "../services/webhooks/Webhooks.ts"
import { ServedDashboardApi } from "./DashboardApi.ts"
import { readExecution } from "./ReadExecution.ts"
import * as SessionCookie from "../http/SessionCookie.ts"

/** Identifies a person: a user, or the holder of a session, without revealing the session's secret. */
const personKey = Effect.gen(function* () {
  const { user } = yield* CurrentPerson
  if (user !== undefined) return user.id
  return hash("sha256", `person ${Redacted.value(yield* SessionCookie.read)}`).slice(0, 16)
})

/** Executions as their pages show them, the queue of those to review, and the use of the last 30 days. */
export const layer = HttpApiBuilder.group(
  ServedDashboardApi,
  "execution-views",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const executions = yield* Executions
    const corrections = yield* ExecutionCorrections
    const queue = yield* ReviewQueue
    const use = yield* UsageOfDays
    const context = yield* Effect.context<SqlClient.SqlClient | Executions | PageViews | Webhooks>()
    const known = (id: string) =>
      Effect.catchTag(organizations.get(id), "OrganizationNotFound", notFound("Organization"))
    /** A caller who sees this execution and nothing else of its organization. */
    const caller = (id: string) =>
      Effect.map(executions.ownerOf(id), (owner) =>
        operatorOf(owner?.organizationId ?? "", owner?.environment ?? "live")
      )

    return handlers
      .handle("get", ({ params }) => Effect.provideContext(readExecution(params.id), context))
      .handle("corrections", ({ params: { id } }) =>
        Effect.flatMap(caller(id), (whose) => corrections.get(whose, id)).pipe(
          Effect.catchTag("EXECUTION_NOT_FOUND", notFound("Execution"))
        )
      )
      .handle("correct", ({ params: { id }, payload }) =>
        Effect.flatMap(caller(id), (whose) => corrections.save(whose, id, payload)).pipe(
          Effect.tap(Effect.flatMap(personKey, (person) => queue.renew(id, person))),
          Effect.catchTag("EXECUTION_NOT_FOUND", notFound("Execution"))
        )
      )
      .handle("reviews", ({ params: { id } }) => Effect.map(queue.waiting(id), (waiting) => ({ waiting })))
      .handle("nextReview", ({ params: { id }, query }) =>
        Effect.gen(function* () {
          yield* known(id)
          return yield* queue.next(id, yield* personKey, query.after)
        })
      )
      .handle("usage", ({ query: { organizationId } }) =>
        organizationId === undefined
          ? use.ofAll
          : Effect.andThen(known(organizationId), use.ofOrganization(organizationId))
      )
  })
)
