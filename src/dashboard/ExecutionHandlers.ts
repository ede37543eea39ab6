import { Effect, Redacted, Schema } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import * as SessionCookie from "./SessionCookie.ts"
import { CurrentPerson } from "./SignedIn.ts"
import { ExecutionCorrections } from "../services/corrections/ExecutionCorrections.ts"
import { ReviewQueue } from "../services/corrections/ReviewQueue.ts"
import { NotFound, notFound } from "../api/NotFound.ts"
import { pageOf } from "../api/Paging.ts"
import type { Execution } from "../domain/Execution.ts"
import { Environment } from "../domain/Organization.ts"
import { type PageFailure, PageViews, usualSide } from "../services/pages/PageViews.ts"
import { Executions } from "../services/executions/Executions.ts"
import { Flows } from "../services/flows/Flows.ts"
import { Organizations } from "../services/organizations/Organizations.ts"
import { ExportedCases } from "../services/test-sets/ExportedCases.ts"
import { Webhooks } from "../services/webhooks/Webhooks.ts"
import { ServedDashboardApi } from "./ServedDashboardApi.ts"
import type { ListedExecution } from "./ExecutionView.ts"
import { callerFor, readExecution, readOutput } from "./ReadExecution.ts"

/** What is shown of an execution, or that it does not exist. */
const shown = <A>(effect: Effect.Effect<A, PageFailure | NotFound>) =>
  Effect.catchTag(effect, "EXECUTION_NOT_FOUND", notFound("Execution"))

/** Identifies a person: a user, or whoever holds a session, without revealing the session's secret. */
const personKey = Effect.gen(function* () {
  const { user } = yield* CurrentPerson
  if (user !== undefined) return user.id
  return hash("sha256", `person ${Redacted.value(yield* SessionCookie.read)}`).slice(0, 16)
})

/** Executions and the deliveries of their webhooks. */
export const layer = HttpApiBuilder.group(
  ServedDashboardApi,
  "executions",
  Effect.fn(function* (handlers) {
    const sql = yield* SqlClient.SqlClient
    const organizations = yield* Organizations
    const executions = yield* Executions
    const webhooks = yield* Webhooks
    const cases = yield* ExportedCases
    const flows = yield* Flows
    const pages = yield* PageViews
    const corrections = yield* ExecutionCorrections
    const queue = yield* ReviewQueue
    const context = yield* Effect.context<SqlClient.SqlClient | Executions | PageViews | Webhooks>()
    const caller = (id: string) => Effect.provideContext(callerFor(id), context)
    const view = (id: string) => Effect.provideContext(readExecution(id), context)

    return handlers
      .handle("list", ({ params, query }) =>
        Effect.gen(function* () {
          yield* Effect.catchTag(
            organizations.get(params.id),
            "OrganizationNotFound",
            notFound("Organization")
          )
          const page = pageOf(query)
          const { environment, flowId, search, status } = query
          const from = startOf(query.from)
          // Both days are included.
          const until = startOf(query.until, 1)
          const wanted = { status, flowId, environment, search, from, until, ...page }
          const found = yield* executions.list(params.id, wanted, { output: false })
          const served = yield* flows.list({ limit: 1000, offset: 0 })
          return {
            executions: yield* withEnvironment(sql, found.executions),
            flowIds: served.flows.map(({ id }) => id).sort(),
            total: found.total,
            ...page
          }
        })
      )
      .handle("get", ({ params }) => view(params.id))
      .handle("output", ({ params }) => Effect.provideContext(readOutput(params.id), context))
      .handle("pages", ({ params: { id }, query: { attachment } }) =>
        shown(Effect.flatMap(caller(id), (whose) => pages.sizes(whose, id, attachment)))
      )
      .handle("pageText", ({ params: { id, page }, query: { attachment } }) =>
        shown(Effect.flatMap(caller(id), (whose) => pages.text(whose, id, { page, attachment })))
      )
      .handle("pagePicture", ({ params: { id, page }, query: { attachment, side = usualSide } }) =>
        shown(
          Effect.flatMap(caller(id), (whose) => pages.picture(whose, id, { page, attachment }, side))
        ).pipe(Effect.map(({ bytes }) => bytes))
      )
      .handle("corrections", ({ params: { id } }) =>
        shown(Effect.flatMap(caller(id), (whose) => corrections.get(whose, id)))
      )
      .handle("correct", ({ params: { id }, payload }) =>
        Effect.flatMap(caller(id), (whose) => corrections.save(whose, id, payload)).pipe(
          Effect.tap(Effect.flatMap(personKey, (person) => queue.renew(id, person))),
          Effect.catchTag("EXECUTION_NOT_FOUND", notFound("Execution"))
        )
      )
      .handle("testSet", ({ params: { id } }) =>
        shown(
          Effect.flatMap(caller(id), (whose) =>
            Effect.catchTag(
              cases.find(whose, id),
              "VALIDATION_ERROR",
              ({ message }) => new NotFound({ message })
            )
          )
        )
      )
      .handle("reviews", ({ params: { id } }) => Effect.map(queue.waiting(id), (waiting) => ({ waiting })))
      .handle("nextReview", ({ params: { id }, query }) =>
        Effect.gen(function* () {
          yield* Effect.catchTag(organizations.get(id), "OrganizationNotFound", notFound("Organization"))
          return yield* queue.next(id, yield* personKey, query.after)
        })
      )
      .handle("cancel", ({ params }) =>
        Effect.gen(function* () {
          yield* executions.cancel(yield* caller(params.id), params.id)
          return yield* view(params.id)
        }).pipe(Effect.catchTag("EXECUTION_NOT_FOUND", notFound("Execution")))
      )
      .handle("erase", ({ params }) =>
        Effect.andThen(executions.erase(params.id), view(params.id)).pipe(
          Effect.catchTag("EXECUTION_NOT_FOUND", notFound("Execution"))
        )
      )
      .handle("redeliver", ({ params }) =>
        webhooks.redeliver(params.id).pipe(Effect.catchTag("DeliveryNotFound", notFound("Delivery")))
      )
  })
)

/** The start of a day in UTC, or of a later one; an invalid date filters nothing. */
const startOf = (day: string | undefined, later = 0): Date | undefined => {
  const begin = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(begin) ? undefined : new Date(begin + later * 86_400_000)
}

const Environments = Schema.Array(
  Schema.Struct({ id: Schema.String, environment: Environment, filename: Schema.NullOr(Schema.String) })
)

/** The executions of a list with the environment of each; what they made is left out. */
const withEnvironment = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  found: ReadonlyArray<Execution>
) {
  if (found.length === 0) return []
  const ids = found.map(({ id }) => id)
  const rows = yield* sql`
    select id, environment, document->>'filename' as filename from executions where ${sql.in("id", ids)}`
  const environments = new Map(
    (yield* Effect.orDie(Schema.decodeUnknownEffect(Environments)(rows))).map((row) => [row.id, row])
  )
  return found.map(
    ({ artifacts: _artifacts, metadata: _metadata, output: _output, ...execution }): ListedExecution => ({
      ...execution,
      environment: environments.get(execution.id)?.environment ?? "live",
      filename: environments.get(execution.id)?.filename ?? null
    })
  )
})
