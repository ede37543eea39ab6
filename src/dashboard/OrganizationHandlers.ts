import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { notFound } from "../api/NotFound.ts"
import { pageOf } from "../api/Paging.ts"
import { ApiKeys } from "../services/organizations/ApiKeys.ts"
import { Organizations } from "../services/organizations/Organizations.ts"
import { ServedDashboardApi } from "./ServedDashboardApi.ts"
import { checkLimits } from "../services/organizations/CustomLimits.ts"

/** Organizations with their credits and keys. */
export const layer = HttpApiBuilder.group(
  ServedDashboardApi,
  "organizations",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const keys = yield* ApiKeys
    const known = (id: string) =>
      Effect.catchTag(organizations.get(id), "OrganizationNotFound", notFound("Organization"))

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
          .pipe(Effect.catchTag("OrganizationNotFound", notFound("Organization")))
      )
      .handle("ledger", ({ params, query }) => {
        const page = pageOf(query)
        return organizations.ledger(params.id, page).pipe(
          Effect.map((found) => ({ ...found, ...page })),
          Effect.catchTag("OrganizationNotFound", notFound("Organization"))
        )
      })
      .handle("listKeys", ({ params }) =>
        Effect.andThen(known(params.id), keys.list(params.id)).pipe(Effect.map((found) => ({ keys: found })))
      )
      .handle("createKey", ({ params, payload }) =>
        keys.create(params.id, payload).pipe(
          Effect.map(({ key, secret }) => ({ ...key, key: Redacted.value(secret) })),
          Effect.catchTag("KeyNotFound", notFound("Organization"))
        )
      )
      .handle("revokeKey", ({ params }) =>
        keys.revoke(params.id).pipe(Effect.catchTag("KeyNotFound", notFound("Key")))
      )
  })
)
