import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { id, missing } from "../api/AdminParts.ts"
import { maxCorrectionsBytes } from "../api/CorrectionsApi.ts"
import { envelope } from "../api/ErrorEnvelope.ts"
import { AdminGate, BodyLimit, Contract, Defects } from "../api/Gate.ts"
import { Corrections, CorrectionsOutdated, SaveCorrections } from "../domain/Corrections.ts"
import { InvalidDocument, ValidationFailed } from "../domain/Errors.ts"
import { Usage } from "../domain/Usage.ts"
import { StorageFailures } from "../http/StorageFailures.ts"
import { ExecutionView } from "./ExecutionView.ts"
import { FlowFilesGroup } from "./FlowFilesGroup.ts"
import { AccountGroup, SessionGroup } from "./SessionGroup.ts"

const params = { id }

/** What the pages of executions show beyond the API, the queue of those to review, and the charts of use. */
class ExecutionViewsGroup extends HttpApiGroup.make("execution-views")
  .add(
    HttpApiEndpoint.get("get", "/executions/:id", { params, success: ExecutionView, error: missing }),
    HttpApiEndpoint.get("corrections", "/executions/:id/corrections", {
      params,
      success: Corrections,
      error: [missing, envelope(InvalidDocument)]
    }),
    HttpApiEndpoint.put("correct", "/executions/:id/corrections", {
      params,
      payload: SaveCorrections,
      success: Corrections,
      error: [
        missing,
        envelope(InvalidDocument),
        envelope(ValidationFailed),
        envelope(CorrectionsOutdated, "INVALID_INPUT")
      ]
    }).annotate(BodyLimit, maxCorrectionsBytes),
    HttpApiEndpoint.get("reviews", "/organizations/:id/reviews", {
      params,
      success: Schema.Struct({ waiting: Schema.Int }),
      error: missing
    }),
    HttpApiEndpoint.post("nextReview", "/organizations/:id/reviews/next", {
      params,
      query: { after: Schema.optional(id) },
      success: Schema.Struct({ executionId: Schema.NullOr(Schema.String), waiting: Schema.Int }),
      error: missing
    }),
    HttpApiEndpoint.get("usage", "/usage", {
      query: { organizationId: Schema.optional(id) },
      success: Usage,
      error: missing
    })
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(AdminGate) {}

/** What the dashboard's pages need beyond the API. Everything else they ask of the API itself. */
export class DashboardApi extends HttpApi.make("docflow-dashboard")
  .add(SessionGroup, AccountGroup, ExecutionViewsGroup, FlowFilesGroup)
  .prefix("/dashboard/api") {}

/** The contract as served: its handlers may fail with storage errors. */
export const ServedDashboardApi = DashboardApi.middleware(StorageFailures)
