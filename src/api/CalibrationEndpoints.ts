import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { CorrectedScore } from "../domain/CorrectedScore.ts"
import { ValidationFailed } from "../domain/Errors.ts"
import { Environment } from "../domain/Organization.ts"
import { id, missing, page, summary } from "./AdminParts.ts"
import { envelope } from "./ErrorEnvelope.ts"
import { BodyLimit } from "./Gate.ts"
import { pageParameters } from "./Paging.ts"

/** The scores of corrected executions of one version of a flow. `total` counts executions. */
export const CorrectedScoreList = Schema.Struct({
  version: Schema.String,
  scores: Schema.Array(CorrectedScore),
  ...page
})

/** Calibrating a flow from what people corrected. */
export const calibrationEndpoints = [
  HttpApiEndpoint.get("listCorrectedScores", "/organizations/:id/corrections/scores", {
    params: { id },
    query: {
      ...pageParameters,
      flowId: id,
      version: Schema.optional(id),
      environment: Schema.optional(Environment)
    },
    success: CorrectedScoreList,
    error: missing
  }).annotateMerge(summary("List the scores of corrected executions, to calibrate a flow with them")),
  HttpApiEndpoint.put("storeCalibration", "/flows/:id/calibration", {
    params: { id },
    payload: Schema.Struct({ calibration: Schema.Unknown }),
    success: Schema.Struct({ flow: Schema.String, version: Schema.String }),
    error: envelope(ValidationFailed)
  })
    .annotate(BodyLimit, 1024 * 1024)
    .annotateMerge(summary("Store a calibration next to its version in the flows folder"))
] as const
