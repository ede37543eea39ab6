import { Schema } from "effect"
import { HttpApiSchema, OpenApi } from "effect/http-api"
import { Execution } from "../domain/Execution.ts"
import { ProgressEventData, StateEventData, StepEventData } from "../domain/ExecutionEvent.ts"
import { exampleExecution } from "./Examples.ts"

const id = Schema.String.annotate({
  description:
    "The number of the entry in the execution's log: send the last one as `Last-Event-ID` to resume."
})

/** One event of the stream, with its fields `id`, `event` and `data`. */
export const StreamedEvent = Schema.Union([
  Schema.Struct({
    id,
    event: Schema.Literals(["execution.pending", "execution.running"]),
    data: Schema.fromJsonString(StateEventData)
  }),
  Schema.Struct({
    id,
    event: Schema.Literals(["step.reused", "step.started", "step.completed", "step.failed", "step.skipped"]),
    data: Schema.fromJsonString(StepEventData)
  }),
  Schema.Struct({ event: Schema.Literal("progress"), data: Schema.fromJsonString(ProgressEventData) }),
  Schema.Struct({
    id,
    event: Schema.Literals(["execution.completed", "execution.failed", "execution.cancelled"]),
    data: Schema.fromJsonString(Execution.annotate({ identifier: "EndEventData" }))
  })
]).annotate({ identifier: "ExecutionEvent" })

/** The header that resumes a stream. */
export const lastEventId = Schema.optional(
  Schema.String.check(Schema.isPattern(/^\d{0,9}$/u, { message: "must be the id of an event, a number" }))
).annotate({
  description: "Id of the last event received: the stream resumes after it."
})

/** The body of `GET /runs/{executionId}/events`. */
export const EventStream = HttpApiSchema.StreamSse({ events: StreamedEvent })

const executionId = exampleExecution.id

/** An example of the stream of an execution. */
export const exampleStream = [
  `retry: 1000`,
  ``,
  `id: 1`,
  `event: execution.pending`,
  `data: ${JSON.stringify({ executionId, at: "2026-11-20T09:00:00.000Z", status: "pending" })}`,
  ``,
  `id: 2`,
  `event: execution.running`,
  `data: ${JSON.stringify({ executionId, at: "2026-11-20T09:00:00.004Z", status: "running" })}`,
  ``,
  `id: 3`,
  `event: step.started`,
  `data: ${JSON.stringify({ executionId, at: "2026-11-20T09:00:00.006Z", step: "read", percentage: 0 })}`,
  ``,
  `event: progress`,
  `data: ${JSON.stringify({ executionId, step: "read", percentage: 25 })}`,
  ``,
  `: heartbeat`,
  ``,
  `id: 4`,
  `event: step.completed`,
  `data: ${JSON.stringify({ executionId, at: "2026-11-20T09:00:00.080Z", step: "read", percentage: 50, durationMs: 74, attempts: 1 })}`,
  ``,
  `id: 7`,
  `event: execution.completed`,
  `data: ${JSON.stringify(exampleExecution)}`,
  ``,
  ``
].join("\n")

const answer = "text/event-stream"

/** What the OpenAPI document says about the stream. */
export const streamAnnotations = OpenApi.annotations({
  summary: "Follow an execution",
  description:
    "Server-sent events: the execution's log from its beginning, or after `Last-Event-ID`, then what happens, until it " +
    "has ended. The last event contains what `GET /runs/{executionId}` returns. A stream that ends without it was interrupted: " +
    "ask again with the id of the last event. 204 when that was the last one. Scope: `executions:read`.",
  // Adds the example, and removes what only Effect's own client understands.
  transform: (operation) => {
    const { [answer]: stream, ...others } = operation["responses"][200].content
    const media = { schema: stream.schema, example: exampleStream }
    const ok = { ...operation["responses"][200], content: { ...others, [answer]: media } }
    return { ...operation, responses: { ...operation["responses"], 200: ok } }
  }
})
