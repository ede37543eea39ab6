import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import {
  AlreadyCancelled,
  ConcurrentLimit,
  ExecutionNotFound,
  Forbidden,
  InvalidDocument,
  InvalidInput,
  NotCancellable,
  FlowNotFound,
  InsufficientCredits,
  MissingRequiredField,
  SubscriptionRequired,
  ValidationFailed,
  VersionNotFound
} from "../domain/Errors.ts"
import { ExecutionStatus } from "../domain/Execution.ts"
import { OutputDiff, ReplayRequest } from "../domain/Replay.ts"
import { envelope } from "./ErrorEnvelope.ts"
import { EventStream, lastEventId, streamAnnotations } from "./EventStream.ts"
import { BodyLimit, Contract, Defects, Gate, RequiredScope } from "./Gate.ts"
import { ExecutionBody } from "./Examples.ts"
import { pageParameters } from "./Paging.ts"

/** The errors of a replay, in the API and in the dashboard. */
const replayErrors = [
  envelope(InvalidInput),
  envelope(InsufficientCredits),
  envelope(SubscriptionRequired),
  envelope(ExecutionNotFound),
  envelope(FlowNotFound),
  envelope(VersionNotFound),
  envelope(ValidationFailed),
  envelope(MissingRequiredField),
  envelope(InvalidDocument),
  envelope(ConcurrentLimit)
] as const

const executionId = Schema.String.annotate({ description: "The execution's id, as the run returned it." })

const moment = (description: string) =>
  Schema.optional(Schema.String.check(Schema.isMaxLength(40))).annotate({
    description: `${description} A date, or a date and time with its zone: \`2026-11-20\`, \`2026-11-20T09:30:00Z\`.`
  })
const text = (description: string) =>
  Schema.optional(Schema.String.check(Schema.isMaxLength(1000))).annotate({ description })

/** Listing, reading, following, cancelling, replaying and comparing executions. */
export class RunsApi extends HttpApiGroup.make("runs")
  .add(
    HttpApiEndpoint.get("list", "/runs", {
      query: {
        limit: pageParameters.limit,
        cursor: text("`nextCursor` of the page before; the first page when absent."),
        status: Schema.optional(ExecutionStatus).annotate({ description: "Only executions in this state." }),
        flowId: text("Only executions of this flow."),
        createdAfter: moment("Only executions created after this moment."),
        createdBefore: moment("Only executions created before this moment.")
      },
      success: Schema.Struct({
        executions: Schema.Array(ExecutionBody),
        limit: Schema.Int,
        nextCursor: Schema.NullOr(Schema.String).annotate({
          description: "Where the next page begins; null on the last."
        })
      }),
      error: envelope(InvalidInput)
    })
      .annotate(RequiredScope, "executions:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List executions",
          description:
            "The executions of the key's organization and environment, newest first, without their outputs. " +
            "`metadata.<key>=<value>` returns only those with this value in their metadata, a string or another value as " +
            "JSON; up to 10 of them may be given. " +
            "Scope: `executions:read`."
        })
      )
  )
  .add(
    HttpApiEndpoint.get("get", "/runs/:executionId", {
      params: { executionId },
      query: {
        include: Schema.optional(Schema.String).annotate({
          description:
            "Comma-separated: `artifacts`, `corrections` (with the scope `corrections:read`), `fields`, `metrics`."
        })
      },
      success: ExecutionBody,
      error: [envelope(ExecutionNotFound), envelope(Forbidden), envelope(InvalidDocument)]
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
        "last-event-id": lastEventId
      },
      success: [EventStream, HttpApiSchema.NoContent],
      error: [envelope(ExecutionNotFound), envelope(ConcurrentLimit)]
    })
      .annotate(RequiredScope, "executions:read")
      .annotateMerge(streamAnnotations)
  )
  .add(
    HttpApiEndpoint.post("replay", "/runs/:executionId/replay", {
      params: { executionId },
      payload: ReplayRequest,
      success: ExecutionBody,
      error: replayErrors
    })
      .annotate(BodyLimit, undefined)
      .annotate(RequiredScope, "flows:execute")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Run an execution again from a step",
          description:
            "Makes a new execution on the same document and variables. It takes over the results of the steps before " +
            "`fromStep` that are defined the same in both versions, and costs the share of the steps that run again. " +
            "Metadata and webhook are those of the first. The body may be left out. Scope: `flows:execute`.",
          transform: (operation) => ({
            ...operation,
            requestBody: { ...operation["requestBody"], required: false }
          })
        })
      )
  )
  .add(
    HttpApiEndpoint.get("diff", "/runs/:executionId/diff/:otherId", {
      params: { executionId, otherId: executionId },
      success: OutputDiff,
      error: envelope(ExecutionNotFound)
    })
      .annotate(RequiredScope, "executions:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Compare the outputs of two executions",
          description:
            "Each difference has a JSON Pointer and what is there before (in the first) and after (in the other); what " +
            "is absent on a side is left out. If an execution has no output, there are none, and `message` says which. Scope: `executions:read`."
        })
      )
  )
  .middleware(Contract)
  .middleware(Defects)
  .middleware(Gate)
  .prefix("/api/v1")
  .annotateMerge(OpenApi.annotations({ title: "Executions" })) {}
