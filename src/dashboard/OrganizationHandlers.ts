import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { NotFound } from "../api/NotFound.ts"
import { pageOf } from "../api/Paging.ts"
import { ApiKeys } from "../services/api-keys/ApiKeys.ts"
import { ValidationFailed } from "../domain/Errors.ts"
import { Organizations } from "../services/organizations/Organizations.ts"
import type { NewOrganization } from "./DashboardApi.ts"
import { ServedDashboardApi } from "./ServedDashboardApi.ts"

const missing = (what: string) => () => new NotFound({ message: `${what} not found` })

/** Organizations with their credits and keys. */
export const layer = HttpApiBuilder.group(
  ServedDashboardApi,
  "organizations",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const keys = yield* ApiKeys
    const known = (id: string) =>
      Effect.catchTag(organizations.get(id), "OrganizationNotFound", missing("Organization"))

    return handlers
      .handle("list", ({ query }) => {
        const page = pageOf(query)
        return organizations.list(page).pipe(Effect.map((found) => ({ ...found, ...page })))
      })
      .handle("create", ({ payload }) => Effect.andThen(checkLimits(payload), organizations.create(payload)))
      .handle("get", ({ params }) => known(params.id))
      .handle("grantCredits", ({ params, payload }) =>
        organizations
          .grant(params.id, payload.amount, payload.reason)
          .pipe(Effect.catchTag("OrganizationNotFound", missing("Organization")))
      )
      .handle("ledger", ({ params, query }) => {
        const page = pageOf(query)
        return organizations.ledger(params.id, page).pipe(
          Effect.map((found) => ({ ...found, ...page })),
          Effect.catchTag("OrganizationNotFound", missing("Organization"))
        )
      })
      .handle("listKeys", ({ params }) =>
        Effect.andThen(known(params.id), keys.list(params.id)).pipe(Effect.map((found) => ({ keys: found })))
      )
      .handle("createKey", ({ params, payload }) =>
        keys.create(params.id, payload).pipe(
          Effect.map(({ key, secret }) => ({ ...key, key: Redacted.value(secret) })),
          Effect.catchTag("KeyNotFound", missing("Organization"))
        )
      )
      .handle("revokeKey", ({ params }) =>
        keys.revoke(params.id).pipe(Effect.catchTag("KeyNotFound", missing("Key")))
      )
  })
)

/** Only enterprise organizations have limits of their own. */
const checkLimits = ({ concurrentExecutions, plan, requestsPerMinute }: NewOrganization) =>
  plan === "enterprise" || (requestsPerMinute === undefined && concurrentExecutions === undefined)
    ? Effect.void
    : new ValidationFailed({ message: "Custom limits can be set only for the plan enterprise" })
