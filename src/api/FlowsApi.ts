import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import {
  ConcurrentLimit,
  ExecutionTimeout,
  FlowNotFound,
  InsufficientCredits,
  InvalidDocument,
  InvalidInput,
  MissingRequiredField,
  SubscriptionRequired,
  ValidationFailed,
  VersionNotFound
} from "../domain/Errors.ts"
import { FlowDetail, FlowItem } from "../domain/FlowItem.ts"
import { envelope } from "./ErrorEnvelope.ts"
import { BodyLimit, Contract, Defects, Gate, RequiredScope } from "./Gate.ts"
import { pageParameters } from "./Paging.ts"
import { RunRequest } from "../domain/RunRequest.ts"
import { exampleFlow, exampleFlowItem, ExecutionBody } from "./Examples.ts"

const flowId = Schema.String.annotate({ description: "The flow's id, as GET /flows lists it." })

/** Listing, inspecting and running flows. */
export class FlowsApi extends HttpApiGroup.make("flows")
  .add(
    HttpApiEndpoint.get("list", "/flows", {
      query: pageParameters,
      success: Schema.Struct({
        flows: Schema.Array(FlowItem),
        total: Schema.Int,
        limit: Schema.Int,
        offset: Schema.Int
      }).annotate({ examples: [{ flows: [exampleFlowItem], total: 1, limit: 50, offset: 0 }] })
    })
      .annotate(RequiredScope, "flows:read")
      .annotateMerge(
        OpenApi.annotations({ summary: "List flows", description: "Newest first. Scope: `flows:read`." })
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/flows/:flowId", {
      params: { flowId },
      query: {
        version: Schema.optional(Schema.String).annotate({
          description: "A version of the flow; the latest when absent."
        })
      },
      success: FlowDetail.annotate({ examples: [exampleFlow] }),
      error: [envelope(FlowNotFound), envelope(VersionNotFound)]
    })
      .annotate(RequiredScope, "flows:read")
      .annotateMerge(OpenApi.annotations({ summary: "Read one flow", description: "Scope: `flows:read`." }))
  )
  .add(
    HttpApiEndpoint.post("run", "/flows/:flowId/run", {
      params: { flowId },
      query: {
        include: Schema.optional(Schema.String).annotate({
          description:
            "With `wait`: adds the same to the response as it does to `GET /runs/{executionId}`, and needs the same scopes."
        })
      },
      payload: RunRequest,
      success: ExecutionBody,
      error: [
        envelope(InvalidInput),
        envelope(InsufficientCredits),
        envelope(SubscriptionRequired),
        envelope(FlowNotFound),
        envelope(VersionNotFound),
        envelope(ValidationFailed),
        envelope(MissingRequiredField),
        envelope(InvalidDocument),
        envelope(ConcurrentLimit),
        envelope(ExecutionTimeout)
      ]
    })
      .annotate(RequiredScope, "flows:execute")
      .annotate(BodyLimit, undefined)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Run a flow on a document",
          description:
            "Answers at once with the pending execution, or with `wait` when it has ended. Scope: `flows:execute`."
        })
      )
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(Gate)
  .prefix("/api/v1")
  .annotateMerge(OpenApi.annotations({ title: "Flows" })) {}
