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
      .handle("sizes", ({ params }) =>
        Effect.flatMap(CurrentCaller, (caller) => views.sizes(caller, params.executionId))
      )
      .handle("text", ({ params }) =>
        Effect.flatMap(CurrentCaller, (caller) => views.text(caller, params.executionId, params.page))
      )
      .handle("picture", ({ params, query }) =>
        Effect.gen(function* () {
          const side = query.side ?? usualSide
          const view = yield* views.picture(yield* CurrentCaller, params.executionId, params.page, side)
          return view.bytes
        })
      )
  })
)
