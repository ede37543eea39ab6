import { Effect, Redacted } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { NotFound } from "../api/NotFound.ts"
import { pageOf } from "../api/Paging.ts"
import { ApiKeys } from "../services/api-keys/ApiKeys.ts"
import { ValidationFailed } from "../domain/Errors.ts"
import { Organizations } from "../services/organizations/Organizations.ts"
import { DashboardApi, type NewOrganization } from "./DashboardApi.ts"
import { onSqlError } from "../services/storage/StorageUnavailable.ts"

const missing = (what: string) => () => new NotFound({ message: `${what} not found` })

/** Organizations with their credits and keys. */
export const layer = HttpApiBuilder.group(
  DashboardApi,
  "organizations",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const keys = yield* ApiKeys
    const known = (id: string) =>
      Effect.catchTag(organizations.get(id), "OrganizationNotFound", missing("Organization"))

    return handlers
      .handle("list", ({ query }) => {
        const page = pageOf(query)
        return organizations.list(page).pipe(
          Effect.map((found) => ({ ...found, ...page })),
          Effect.catchTag("SqlError", onSqlError)
        )
      })
      .handle("create", ({ payload }) =>
        Effect.andThen(
          checkLimits(payload),
          Effect.catchTag(organizations.create(payload), "SqlError", onSqlError)
        )
      )
      .handle("get", ({ params }) => Effect.catchTag(known(params.id), "SqlError", onSqlError))
      .handle("grantCredits", ({ params, payload }) =>
        organizations
          .grant(params.id, payload.amount, payload.reason)
          .pipe(
            Effect.catchTag("OrganizationNotFound", missing("Organization")),
            Effect.catchTag("SqlError", onSqlError)
          )
      )
      .handle("ledger", ({ params, query }) => {
        const page = pageOf(query)
        return organizations.ledger(params.id, page).pipe(
          Effect.map((found) => ({ ...found, ...page })),
          Effect.catchTag("OrganizationNotFound", missing("Organization")),
          Effect.catchTag("SqlError", onSqlError)
        )
      })
      .handle("listKeys", ({ params }) =>
        Effect.andThen(known(params.id), keys.list(params.id)).pipe(
          Effect.map((found) => ({ keys: found })),
          Effect.catchTag("SqlError", onSqlError)
        )
      )
      .handle("createKey", ({ params, payload }) =>
        keys.create(params.id, payload).pipe(
          Effect.map(({ key, secret }) => ({ ...key, key: Redacted.value(secret) })),
          Effect.catchTag("KeyNotFound", missing("Organization")),
          Effect.catchTag("SqlError", onSqlError)
        )
      )
      .handle("revokeKey", ({ params }) =>
        keys
          .revoke(params.id)
          .pipe(Effect.catchTag("KeyNotFound", missing("Key")), Effect.catchTag("SqlError", onSqlError))
      )
  })
)

/** Only enterprise organizations have limits of their own. */
const checkLimits = ({ concurrentExecutions, plan, requestsPerMinute }: NewOrganization) =>
  plan === "enterprise" || (requestsPerMinute === undefined && concurrentExecutions === undefined)
    ? Effect.void
    : new ValidationFailed({ message: "Limits of its own can be set for the plan enterprise only" })
