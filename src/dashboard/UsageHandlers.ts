import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { notFound } from "../api/NotFound.ts"
import { Organizations } from "../services/organizations/Organizations.ts"
import { UsageOfDays } from "../services/organizations/UsageOfDays.ts"
import { ServedDashboardApi } from "./ServedDashboardApi.ts"

/** The use of the last 30 days. */
export const layer = HttpApiBuilder.group(
  ServedDashboardApi,
  "usage",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const usage = yield* UsageOfDays
    return handlers
      .handle("ofAll", () => usage.ofAll)
      .handle("ofOrganization", ({ params: { id } }) =>
        Effect.andThen(
          Effect.catchTag(organizations.get(id), "OrganizationNotFound", notFound("Organization")),
          usage.ofOrganization(id)
        )
      )
  })
)
