import { DateTime, Effect, Layer, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { ServedApi } from "./ServedApi.ts"
import { notFound } from "../api/AdminParts.ts"
import { pageOf } from "../api/Paging.ts"
import { ApiKeys } from "../services/organizations/ApiKeys.ts"
import { Archive } from "../services/retention/Archive.ts"
import { Audit } from "../services/storage/Audit.ts"
import { ManagedExamples } from "../services/examples/ManagedExamples.ts"
import { Executions } from "../services/executions/Executions.ts"
import { Organizations } from "../services/organizations/Organizations.ts"
import { StoredModelAccounts } from "../services/organizations/StoredModelAccounts.ts"
import { UsageOfDays } from "../services/organizations/UsageOfDays.ts"
import { redactedChange, Users } from "../services/users/Users.ts"
import { Webhooks } from "../services/webhooks/Webhooks.ts"
import { checkLimits } from "../services/organizations/CustomLimits.ts"
import { CurrentOrigin } from "../domain/Origin.ts"
import { SignIns } from "../services/users/SignIns.ts"
import { askForBearer, askToWaitAsToldIn } from "./Admission.ts"
import { remoteNetwork } from "./RemoteAddress.ts"

const admin = HttpApiBuilder.group(
  ServedApi,
  "admin",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const keys = yield* ApiKeys
    const executions = yield* Executions
    const webhooks = yield* Webhooks
    const audit = yield* Audit
    const examples = yield* ManagedExamples
    const users = yield* Users
    const use = yield* UsageOfDays
    const archive = yield* Archive
    const models = yield* StoredModelAccounts
    const known = (id: string) =>
      organizations.get(id).pipe(Effect.catchTag("OrganizationNotFound", notFound("Organization")))

    return handlers
      .handle("createOrganization", ({ payload }) =>
        Effect.andThen(checkLimits(payload), organizations.create(payload))
      )
      .handle("listOrganizations", ({ query }) => {
        const page = pageOf(query)
        return organizations.list(page).pipe(Effect.map((found) => ({ ...found, ...page })))
      })
      .handle("getOrganization", ({ params }) => known(params.id))
      .handle("grantCredits", ({ params, payload }) =>
        organizations
          .grant(params.id, payload.amount, payload.reason)
          .pipe(Effect.catchTag("OrganizationNotFound", notFound("Organization")))
      )
      .handle("setDocumentExport", ({ params, payload }) =>
        organizations
          .setDocumentExport(params.id, payload.allowed)
          .pipe(Effect.catchTag("OrganizationNotFound", notFound("Organization")))
      )
      .handle("setModels", ({ params, payload }) =>
        Effect.gen(function* () {
          yield* known(params.id)
          yield* models.change(params.id, {
            tokensPerMonth: payload.tokensPerMonth,
            keys: Object.entries(payload.keys ?? {}).map(([provider, key]) => [
              provider,
              key === null ? undefined : Redacted.make(key)
            ])
          })
          return yield* known(params.id)
        })
      )
      .handle("getLedger", ({ params, query }) =>
        organizations
          .ledger(params.id, ledgerPage(query))
          .pipe(Effect.catchTag("OrganizationNotFound", notFound("Organization")))
      )
      .handle("getUsage", ({ query }) =>
        Effect.gen(function* () {
          const month = query.month ?? DateTime.formatIsoDateUtc(yield* DateTime.now).slice(0, 7)
          return { month, usage: yield* use.ofMonth(month, query.organizationId) }
        })
      )
      .handle("createKey", ({ params, payload }) =>
        keys.create(params.id, payload).pipe(
          Effect.map(({ key, secret }) => ({ ...key, key: Redacted.value(secret) })),
          Effect.catchTag("KeyNotFound", notFound("Organization"))
        )
      )
      .handle("listKeys", ({ params }) =>
        Effect.andThen(known(params.id), keys.list(params.id).pipe(Effect.map((found) => ({ keys: found }))))
      )
      .handle("revokeKey", ({ params }) =>
        keys.revoke(params.id).pipe(Effect.catchTag("KeyNotFound", notFound("Key")))
      )
      .handle("listExecutions", ({ params, query }) =>
        Effect.gen(function* () {
          yield* known(params.id)
          const page = pageOf(query)
          const { environment, flowId, search, status } = query
          const days = { from: startOf(query.from), until: startOf(query.until, 1) }
          const wanted = { status, flowId, environment, search, ...days, ...page }
          const output = query.output !== "false"
          return { ...(yield* executions.list(params.id, wanted, { output })), ...page }
        })
      )
      .handle("listDeliveries", ({ params }) =>
        webhooks.deliveries(params.id).pipe(
          Effect.map((deliveries) => ({ deliveries })),
          Effect.catchTag("DeliveryNotFound", notFound("Execution"))
        )
      )
      .handle("redeliver", ({ params }) =>
        webhooks.redeliver(params.id).pipe(Effect.catchTag("DeliveryNotFound", notFound("Delivery")))
      )
      .handle("listAudit", ({ query }) => {
        const page = pageOf(query)
        return audit
          .list({ organizationId: query.organizationId, ...page })
          .pipe(Effect.map((found) => ({ ...found, ...page })))
      })
      .handle("readArchive", ({ params: { kind, month }, query }) => archive.page(month, kind, query.after))
      .handle("removeArchived", ({ params: { kind, month }, payload }) =>
        Effect.map(archive.remove(month, kind, payload.ids), (removed) => ({ removed }))
      )
      .handle("listExamples", ({ params, query }) => {
        const page = pageOf(query)
        return Effect.andThen(known(params.id), examples.list(params.id, { ...query, ...page })).pipe(
          Effect.map((found) => ({ ...found, ...page }))
        )
      })
      .handle("forgetExamples", ({ params, query }) =>
        Effect.andThen(known(params.id), examples.forget(params.id, query)).pipe(
          Effect.map((forgotten) => ({ forgotten }))
        )
      )
      .handle("exportExamples", ({ params, query }) => {
        const page = pageOf(query)
        return Effect.andThen(known(params.id), examples.exported(params.id, page)).pipe(
          Effect.map((found) => ({ ...found, ...page }))
        )
      })
      .handle("importExamples", ({ params, payload }) =>
        Effect.andThen(known(params.id), examples.add(params.id, payload.examples)).pipe(
          Effect.map((imported) => ({ imported }))
        )
      )
      .handle("setExample", ({ params, payload }) =>
        examples
          .setEnabled(params.id, payload.enabled)
          .pipe(Effect.catchTag("ExampleNotFound", notFound("Example")))
      )
      .handle("deleteExample", ({ params }) =>
        examples
          .remove(params.id)
          .pipe(
            Effect.as({ id: params.id, deleted: true as const }),
            Effect.catchTag("ExampleNotFound", notFound("Example"))
          )
      )
      .handle("listUsers", ({ query }) => {
        const page = pageOf(query)
        return Effect.map(users.list(page), (found) => ({ ...found, ...page }))
      })
      .handle("addUser", ({ payload }) =>
        users.add({ ...payload, password: Redacted.make(payload.password) })
      )
      .handle("changeUser", ({ params, payload }) =>
        users
          .change(params.id, redactedChange(payload))
          .pipe(Effect.catchTag("UserNotFound", notFound("User")))
      )
      .handle("eraseExecution", ({ params }) =>
        executions
          .erase(params.id)
          .pipe(
            Effect.as({ id: params.id, erased: true as const }),
            Effect.catchTag("EXECUTION_NOT_FOUND", notFound("Execution"))
          )
      )
  })
)

/** The start of a day in UTC, or of a later one; an invalid date filters nothing. */
const startOf = (day: string | undefined, later = 0): Date | undefined => {
  const begin = day === undefined ? Number.NaN : Date.parse(`${day}T00:00:00Z`)
  return Number.isNaN(begin) ? undefined : new Date(begin + later * 86_400_000)
}

/** The whole ledger if no limit is given, so that its sum can be checked. */
const ledgerPage = (query: {
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}) => ({
  limit: query.limit ?? 100_000,
  offset: query.offset ?? 0
})

const signIn = HttpApiBuilder.group(
  ServedApi,
  "sign-in",
  Effect.fn(function* (handlers) {
    const signIns = yield* SignIns
    const audit = yield* Audit
    return handlers.handle("createSession", ({ payload: { name, password } }) =>
      Effect.gen(function* () {
        const credential = { kind: "password", name, password: Redacted.make(password) } as const
        const { person, secret } = yield* signIns.signIn(credential, yield* remoteNetwork).pipe(
          Effect.tapErrorTag("UNAUTHORIZED", () => askForBearer),
          Effect.tapErrorTag("RATE_LIMITED", askToWaitAsToldIn)
        )
        const origin = yield* CurrentOrigin
        const own = person.user?.name ?? name
        yield* Effect.provideService(
          audit.record({ action: "user.signed-in", subject: "password" }),
          CurrentOrigin,
          { ...origin, actor: `user ${own}` }
        )
        return { token: Redacted.value(secret), name: own, role: person.role }
      })
    )
  })
)

/** The administration API, and signing in to it. */
export const layer = Layer.merge(admin, signIn)
