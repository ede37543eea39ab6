import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { CurrentCaller } from "../api/Gate.ts"
import { PageViews, usualSide } from "../services/pages/PageViews.ts"
import { ServedApi } from "./ServedApi.ts"

/** The pages of an execution's document: `/runs/{executionId}/pages`. */
export const layer = HttpApiBuilder.group(
  ServedApi,
  "pages",
  Effect.fn(function* (handlers) {
    const views = yield* PageViews
    return handlers
      .handle("sizes", ({ params, query }) =>
        Effect.flatMap(CurrentCaller, (caller) => views.sizes(caller, params.executionId, query.attachment))
      )
      .handle("text", ({ params, query }) =>
        Effect.flatMap(CurrentCaller, (caller) =>
          views.text(caller, params.executionId, { ...query, page: params.page })
        )
      )
      .handle("picture", ({ params, query }) =>
        Effect.gen(function* () {
          const { attachment, side = usualSide } = query
          const which = { page: params.page, attachment }
          const view = yield* views.picture(yield* CurrentCaller, params.executionId, which, side)
          return view.bytes
        })
      )
  })
)
