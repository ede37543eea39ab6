import { Schema } from "effect"
import { DocumentRef } from "../../domain/Document.ts"
import { Environment } from "../../domain/Organization.ts"

/** What a runner needs to know about an execution that it starts. */
export const StartedRow = Schema.Struct({
  flow_id: Schema.String,
  version: Schema.String,
  organization_id: Schema.String,
  environment: Environment,
  runner_starts: Schema.Int,
  /** Whether it has not been started before; a start that was handed over is not counted in `runner_starts`. */
  first_start: Schema.Boolean,
  replay_of: Schema.NullOr(Schema.String),
  document: Schema.NullOr(DocumentRef),
  variables: Schema.Record(Schema.String, Schema.Unknown)
})
export type StartedRow = typeof StartedRow.Type
