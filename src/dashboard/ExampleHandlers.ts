import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { notFound } from "../api/NotFound.ts"
import { pageOf } from "../api/Paging.ts"
import { ManagedExamples } from "../services/examples/ManagedExamples.ts"
import { Organizations } from "../services/organizations/Organizations.ts"
import { ServedDashboardApi } from "./ServedDashboardApi.ts"

/** Examples learned from corrections: listed, switched off, deleted. */
export const layer = HttpApiBuilder.group(
  ServedDashboardApi,
  "examples",
  Effect.fn(function* (handlers) {
    const organizations = yield* Organizations
    const examples = yield* ManagedExamples
    return handlers
      .handle("list", ({ params: { id }, query }) =>
        Effect.gen(function* () {
          yield* Effect.catchTag(organizations.get(id), "OrganizationNotFound", notFound("Organization"))
          const page = pageOf(query)
          return { ...(yield* examples.list(id, page)), ...page }
        })
      )
      .handle("set", ({ params: { id }, payload: { enabled } }) =>
        Effect.catchTag(examples.setEnabled(id, enabled), "ExampleNotFound", notFound("Example"))
      )
      .handle("remove", ({ params: { id } }) =>
        examples.remove(id).pipe(Effect.as({ id }), Effect.catchTag("ExampleNotFound", notFound("Example")))
      )
  })
)
