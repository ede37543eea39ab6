import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { errorAnswer } from "./Answers.ts"

/** Answers requests that a process without the API has no route for. */
export const layerElsewhere = HttpRouter.add(
  "*",
  "/*",
  Effect.succeed(
    errorAnswer(
      404,
      "INVALID_INPUT",
      "This process only runs executions (DOCFLOW_ROLE=runner). Send requests to a process whose role is api or all"
    )
  )
)
