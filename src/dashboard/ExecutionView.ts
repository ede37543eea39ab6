import { Schema } from "effect"
import { Delivery } from "../domain/Delivery.ts"
import { FieldEvidence } from "../domain/Evidence.ts"
import { Execution, ExecutionError } from "../domain/Execution.ts"
import { Environment } from "../domain/Organization.ts"
import { PageSizes } from "../domain/PageText.ts"

const { artifacts: _artifacts, metadata: _metadata, output: _output, ...listed } = Execution.fields

/** An execution in the list: what it made is on its own page. */
export const ListedExecution = Schema.Struct({
  ...listed,
  environment: Environment,
  /** The name of its file, while the document is stored. */
  filename: Schema.NullOr(Schema.String)
})
export type ListedExecution = typeof ListedExecution.Type

/** A step that has finished: how it went, not what it made. */
export const FinishedStep = Schema.Struct({
  path: Schema.String,
  kind: Schema.String,
  status: Schema.Literals(["completed", "failed", "skipped"]),
  startedAt: Schema.String,
  durationMs: Schema.Finite,
  attempts: Schema.Int,
  error: Schema.NullOr(ExecutionError)
})
export type FinishedStep = typeof FinishedStep.Type

/** The document of an execution; its bytes are never shown. */
export const DocumentFacts = Schema.Struct({
  filename: Schema.NullOr(Schema.String),
  mimeType: Schema.String,
  size: Schema.Int,
  pageCount: Schema.Int
})
export type DocumentFacts = typeof DocumentFacts.Type

/** A rule of a `validate` step that does not hold. */
const BrokenRule = Schema.Struct({
  message: Schema.String,
  severity: Schema.String,
  fields: Schema.Array(Schema.String)
})

/** What one step found: the evidence of every field that it extracted, its warnings, and the rules that do not hold. */
export const StepFindings = Schema.Struct({
  path: Schema.String,
  fields: Schema.Record(Schema.String, FieldEvidence),
  warnings: Schema.Array(Schema.String),
  /** The fields that a person should look at, and why. */
  review: Schema.Array(Schema.Struct({ field: Schema.String, reason: Schema.String })),
  problems: Schema.Array(BrokenRule)
})
export type StepFindings = typeof StepFindings.Type

/** One execution with everything that its page shows. */
export const ExecutionView = Schema.Struct({
  /** Without its output, which may be large and has an address of its own. */
  execution: Execution,
  hasOutput: Schema.Boolean,
  organization: Schema.Struct({ id: Schema.String, name: Schema.String }),
  environment: Environment,
  startedAt: Schema.NullOr(Schema.String),
  erasedAt: Schema.NullOr(Schema.String),
  /** Until its end: the time since it was accepted, in milliseconds. */
  ageMs: Schema.Finite,
  webhookUrl: Schema.NullOr(Schema.String),
  requestId: Schema.NullOr(Schema.String),
  document: Schema.NullOr(DocumentFacts),
  /** The pages of the document, once the execution has ended. */
  pages: Schema.NullOr(PageSizes),
  stepCount: Schema.Int,
  steps: Schema.Array(FinishedStep),
  /** What the steps found that a person should see, once the execution has ended. */
  findings: Schema.Array(StepFindings),
  deliveries: Schema.Array(Delivery)
})
export type ExecutionView = typeof ExecutionView.Type
