import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup, HttpApiSchema } from "effect/http-api"
import { NewApiKey, openingCredits } from "../api/AdminApi.ts"
import { envelope } from "../api/ErrorEnvelope.ts"
import { maxCorrectionsBytes } from "../api/CorrectionsApi.ts"
import { BodyLimit, Contract, Defects } from "../api/Gate.ts"
import { ExampleList } from "../api/ExampleEndpoints.ts"
import { integerBetween } from "../api/IntegerBetween.ts"
import { NotFound } from "../api/NotFound.ts"
import { attachmentParameter, pageParameter, Picture, sideParameter } from "../api/PagesApi.ts"
import { pageParameters } from "../api/Paging.ts"
import { ApiKey, GrantedScopes } from "../domain/ApiKey.ts"
import { Corrections, CorrectionsOutdated, SaveCorrections } from "../domain/Corrections.ts"
import { Delivery } from "../domain/Delivery.ts"
import { AlreadyCancelled, InvalidDocument, NotCancellable, ValidationFailed } from "../domain/Errors.ts"
import { ExampleSummary } from "../domain/ExampleSummary.ts"
import { ExportedCase } from "../domain/ExportedCase.ts"
import { ExecutionStatus } from "../domain/Execution.ts"
import { Environment, LedgerEntry, Organization, Plan } from "../domain/Organization.ts"
import { PageSizes, PageText } from "../domain/PageText.ts"
import { ExecutionView, ListedExecution } from "./ExecutionView.ts"
import { FlowsGroup } from "./FlowsGroup.ts"
import { SameOrigin } from "./SameOrigin.ts"
import { SessionGroup } from "./SessionGroup.ts"
import { SignedIn } from "./SignedIn.ts"
import { TryGroup } from "./TryGroup.ts"
import { UsageGroup } from "./UsageGroup.ts"
import { AccountGroup, UsersGroup } from "./UsersGroup.ts"

const params = { id: Schema.String }
const limit = integerBetween(1, 1_000_000_000)
const name = Schema.String.check(Schema.isBetweenLength(1, 200))
const credits = Schema.Finite.check(Schema.isBetween({ minimum: -1e9, maximum: 1e9 }))
const page = { total: Schema.Int, limit: Schema.Int, offset: Schema.Int }
const missing = envelope(NotFound, "INVALID_INPUT")
const day = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d\d-\d\d$/u, { message: "must be a date, such as 2026-11-20" })
)
const created = HttpApiSchema.status(201)

/** The form for a new organization. */
export const NewOrganization = Schema.Struct({
  name,
  plan: Plan,
  credits: Schema.optionalKey(openingCredits),
  requestsPerMinute: Schema.optionalKey(limit),
  concurrentExecutions: Schema.optionalKey(limit)
})
export type NewOrganization = typeof NewOrganization.Type

class OrganizationsGroup extends HttpApiGroup.make("organizations")
  .add(
    HttpApiEndpoint.get("list", "/organizations", {
      query: pageParameters,
      success: Schema.Struct({ organizations: Schema.Array(Organization), ...page })
    }),
    HttpApiEndpoint.post("create", "/organizations", {
      payload: NewOrganization,
      success: Organization.pipe(created),
      error: envelope(ValidationFailed)
    }),
    HttpApiEndpoint.get("get", "/organizations/:id", { params, success: Organization, error: missing }),
    HttpApiEndpoint.post("grantCredits", "/organizations/:id/credits", {
      params,
      payload: Schema.Struct({ amount: credits, reason: name }),
      success: Organization,
      error: missing
    }),
    HttpApiEndpoint.get("ledger", "/organizations/:id/ledger", {
      params,
      query: pageParameters,
      success: Schema.Struct({ entries: Schema.Array(LedgerEntry), ...page }),
      error: missing
    }),
    HttpApiEndpoint.get("listKeys", "/organizations/:id/keys", {
      params,
      success: Schema.Struct({ keys: Schema.Array(ApiKey) }),
      error: missing
    }),
    HttpApiEndpoint.post("createKey", "/organizations/:id/keys", {
      params,
      payload: Schema.Struct({ name, environment: Environment, scopes: GrantedScopes }),
      success: NewApiKey.pipe(created),
      error: missing
    }),
    HttpApiEndpoint.delete("revokeKey", "/keys/:id", { params, success: ApiKey, error: missing })
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(SignedIn)
  .middleware(SameOrigin) {}

class ExecutionsGroup extends HttpApiGroup.make("executions")
  .add(
    HttpApiEndpoint.get("list", "/organizations/:id/executions", {
      params,
      query: {
        ...pageParameters,
        status: Schema.optional(ExecutionStatus),
        flowId: Schema.optional(Schema.String),
        environment: Schema.optional(Environment),
        search: Schema.optional(
          Schema.String.check(
            Schema.isPattern(/^[^\0\p{Surrogate}]{1,200}$/u, {
              message: "must be 1 to 200 characters, without U+0000 or an unpaired surrogate"
            })
          )
        ),
        from: Schema.optional(day),
        until: Schema.optional(day)
      },
      success: Schema.Struct({
        executions: Schema.Array(ListedExecution),
        flowIds: Schema.Array(Schema.String),
        ...page
      }),
      error: missing
    }),
    HttpApiEndpoint.get("get", "/executions/:id", { params, success: ExecutionView, error: missing }),
    HttpApiEndpoint.get("output", "/executions/:id/output", {
      params,
      success: Schema.Struct({ output: Schema.Unknown }),
      error: missing
    }),
    HttpApiEndpoint.get("pages", "/executions/:id/pages", {
      params,
      query: { attachment: attachmentParameter },
      success: PageSizes,
      error: [missing, envelope(InvalidDocument)]
    }),
    HttpApiEndpoint.get("pageText", "/executions/:id/pages/:page", {
      params: { ...params, page: pageParameter },
      query: { attachment: attachmentParameter },
      success: PageText,
      error: [missing, envelope(InvalidDocument)]
    }),
    HttpApiEndpoint.get("pagePicture", "/executions/:id/pages/:page/picture", {
      params: { ...params, page: pageParameter },
      query: { side: sideParameter, attachment: attachmentParameter },
      success: Picture,
      error: [missing, envelope(InvalidDocument)]
    }),
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
    HttpApiEndpoint.get("testSet", "/executions/:id/test-set", {
      params,
      success: ExportedCase,
      error: [missing, envelope(InvalidDocument)]
    }),
    HttpApiEndpoint.get("reviews", "/organizations/:id/reviews", {
      params,
      success: Schema.Struct({ waiting: Schema.Int }),
      error: missing
    }),
    HttpApiEndpoint.post("nextReview", "/organizations/:id/reviews/next", {
      params,
      query: {
        after: Schema.optional(
          Schema.String.check(
            Schema.isPattern(/^[\w-]{1,100}$/u, { message: "must be the id of an execution" })
          )
        )
      },
      success: Schema.Struct({ executionId: Schema.NullOr(Schema.String), waiting: Schema.Int }),
      error: missing
    }),
    HttpApiEndpoint.post("cancel", "/executions/:id/cancel", {
      params,
      success: ExecutionView,
      error: [missing, envelope(AlreadyCancelled), envelope(NotCancellable)]
    }),
    HttpApiEndpoint.delete("erase", "/executions/:id", { params, success: ExecutionView, error: missing }),
    HttpApiEndpoint.post("redeliver", "/deliveries/:id/redeliver", {
      params,
      success: Delivery,
      error: missing
    })
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(SignedIn)
  .middleware(SameOrigin) {}

class ExamplesGroup extends HttpApiGroup.make("examples")
  .add(
    HttpApiEndpoint.get("list", "/organizations/:id/examples", {
      params,
      query: pageParameters,
      success: ExampleList,
      error: missing
    }),
    HttpApiEndpoint.put("set", "/examples/:id", {
      params,
      payload: Schema.Struct({ enabled: Schema.Boolean }),
      success: ExampleSummary,
      error: missing
    }),
    HttpApiEndpoint.delete("remove", "/examples/:id", {
      params,
      success: Schema.Struct({ id: Schema.String }),
      error: missing
    })
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(SignedIn)
  .middleware(SameOrigin) {}

/** The API of the dashboard's own pages. Programs use the administration API instead. */
export class DashboardApi extends HttpApi.make("docflow-dashboard")
  .add(
    SessionGroup,
    OrganizationsGroup,
    ExecutionsGroup,
    ExamplesGroup,
    FlowsGroup,
    TryGroup,
    UsersGroup,
    AccountGroup,
    UsageGroup
  )
  .prefix("/dashboard/api") {}
