import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { Api } from "../api/Api.ts"
import { CurrentCaller } from "../api/Gate.ts"
import { PageViews, usualSide } from "../services/pages/PageViews.ts"
import { onBlobFailure, onSqlError } from "../services/storage/StorageUnavailable.ts"

/** The pages of an execution's document: `/runs/{executionId}/pages`. */
export const layer = HttpApiBuilder.group(
  Api,
  "pages",
  Effect.fn(function* (handlers) {
    const views = yield* PageViews
    return handlers
      .handle("sizes", ({ params }) =>
        Effect.flatMap(CurrentCaller, (caller) => views.sizes(caller, params.executionId)).pipe(
          Effect.catchTag("SqlError", onSqlError),
          Effect.catchTag(["BlobStoreFailure", "BlobMissing"], onBlobFailure)
        )
      )
      .handle("text", ({ params }) =>
        Effect.flatMap(CurrentCaller, (caller) => views.text(caller, params.executionId, params.page)).pipe(
          Effect.catchTag("SqlError", onSqlError),
          Effect.catchTag(["BlobStoreFailure", "BlobMissing"], onBlobFailure)
        )
      )
      .handle("picture", ({ params, query }) =>
        Effect.gen(function* () {
          const side = query.side ?? usualSide
          const view = yield* views.picture(yield* CurrentCaller, params.executionId, params.page, side)
          return view.bytes
        }).pipe(
          Effect.catchTag("SqlError", onSqlError),
          Effect.catchTag(["BlobStoreFailure", "BlobMissing"], onBlobFailure)
        )
      )
  })
)
