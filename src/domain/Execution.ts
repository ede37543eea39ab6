import { Schema } from "effect"
import { FailureCode } from "./FailureCode.ts"
import { Environment } from "./Organization.ts"
import { OutputCorrections } from "./OutputCorrections.ts"

export const ExecutionStatus = Schema.Literals(["pending", "running", "completed", "failed", "cancelled"])
export type ExecutionStatus = typeof ExecutionStatus.Type

/** Whether an execution in this state never changes again. */
export const isFinished = (status: ExecutionStatus): boolean => status !== "pending" && status !== "running"

/** Why an execution failed, and in which step. */
export const ExecutionError = Schema.Struct({
  code: FailureCode,
  message: Schema.String,
  step: Schema.optionalKey(Schema.String)
})
export type ExecutionError = typeof ExecutionError.Type

/** What an execution took. `durationMs` is from start to end, in milliseconds. */
export const Metrics = Schema.Struct({
  durationMs: Schema.Finite,
  pageCount: Schema.Finite,
  creditsUsed: Schema.Finite
})
export type Metrics = typeof Metrics.Type

export const Progress = Schema.Struct({
  step: Schema.String,
  percentage: Schema.Finite
})
export type Progress = typeof Progress.Type

/** The metadata of a run: any JSON object, returned unchanged. */
export const Metadata = Schema.Record(Schema.String, Schema.Unknown)
export type Metadata = typeof Metadata.Type

/** An execution as the API shows it. */
export const Execution = Schema.Struct({
  id: Schema.String,
  flowId: Schema.String,
  version: Schema.String,
  status: ExecutionStatus,
  createdAt: Schema.String,
  completedAt: Schema.optionalKey(Schema.String),
  cancelledAt: Schema.optionalKey(Schema.String),
  progress: Schema.optionalKey(Progress),
  output: Schema.optionalKey(Schema.Unknown),
  error: Schema.optionalKey(ExecutionError),
  metrics: Schema.optionalKey(Metrics),
  artifacts: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  fields: Schema.optionalKey(
    Schema.Unknown.annotate({
      description:
        "With `?include=fields`: the shape of `output`, with `{ confidence, status, page, bbox, text, by }` at every leaf; null where a leaf was not read from the document."
    })
  ),
  metadata: Schema.optionalKey(Metadata),
  corrections: Schema.optionalKey(OutputCorrections),
  replayOf: Schema.optionalKey(
    Schema.String.annotate({ description: "On a replay: the execution that it continues." })
  ),
  reusedSteps: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description:
        "On a replay: the steps whose results were taken over. They are not run and not paid for again."
    })
  )
}).annotate({ identifier: "Execution" })
export type Execution = typeof Execution.Type

/** An execution in the list of an organization. */
export const ListedExecution = Schema.Struct({
  ...Execution.fields,
  environment: Environment,
  filename: Schema.NullOr(Schema.String).annotate({
    description: "Name of the document's file; null once the document is deleted, or if it has no name."
  })
}).annotate({ identifier: "ListedExecution" })
export type ListedExecution = typeof ListedExecution.Type
