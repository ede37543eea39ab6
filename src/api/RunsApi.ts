import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { AlreadyCancelled, ConcurrentLimit, ExecutionNotFound, NotCancellable } from "../domain/Errors.ts"
import { envelope } from "./ErrorEnvelope.ts"
import { EventStream, streamAnnotations } from "./EventStream.ts"
import { Contract, Defects, Gate, RequiredScope } from "./Gate.ts"
import { ExecutionBody } from "./Examples.ts"

const executionId = Schema.String.annotate({ description: "The execution's id, as the run returned it." })

/** Reading and cancelling executions. */
export class RunsApi extends HttpApiGroup.make("runs")
  .add(
    HttpApiEndpoint.get("get", "/runs/:executionId", {
      params: { executionId },
      query: {
        include: Schema.optional(Schema.String).annotate({
          description: "Comma-separated: `artifacts`, `metrics`."
        })
      },
      success: ExecutionBody,
      error: envelope(ExecutionNotFound)
    })
      .annotate(RequiredScope, "executions:read")
      .annotateMerge(
        OpenApi.annotations({ summary: "Read an execution", description: "Scope: `executions:read`." })
      )
  )
  .add(
    HttpApiEndpoint.post("cancel", "/runs/:executionId/cancel", {
      params: { executionId },
      success: ExecutionBody,
      error: [envelope(ExecutionNotFound), envelope(AlreadyCancelled), envelope(NotCancellable)]
    })
      .annotate(RequiredScope, "executions:cancel")
      .annotateMerge(
        OpenApi.annotations({ summary: "Cancel an execution", description: "Scope: `executions:cancel`." })
      )
  )
  .add(
    HttpApiEndpoint.get("events", "/runs/:executionId/events", {
      params: { executionId },
      headers: {
        "last-event-id": Schema.optional(Schema.String.check(Schema.isPattern(/^\d{0,9}$/u))).annotate({
          description: "The id of the last event that arrived: the stream goes on after it."
        })
      },
      success: [EventStream, HttpApiSchema.NoContent],
      error: [envelope(ExecutionNotFound), envelope(ConcurrentLimit)]
    })
      .annotate(RequiredScope, "executions:read")
      .annotateMerge(streamAnnotations)
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(Gate)
  .prefix("/api/v1")
  .annotateMerge(OpenApi.annotations({ title: "Executions" })) {}
