import { Schema } from "effect"
import { LayoutWord, LearnedField } from "./LearnedExample.ts"
import { Environment } from "./Organization.ts"

/** An example for administrators: the document that taught it, its fields, and how often it was used. */
export const ExampleSummary = Schema.Struct({
  id: Schema.String,
  flowId: Schema.String,
  step: Schema.String.annotate({ description: "Path of the step that extracts the fields." }),
  environment: Environment,
  executionId: Schema.NullOr(Schema.String).annotate({
    description: "Execution whose corrections taught it; null if it was imported."
  }),
  filename: Schema.NullOr(Schema.String),
  createdAt: Schema.String,
  enabled: Schema.Boolean.annotate({ description: "Whether it is used." }),
  uses: Schema.Int.annotate({ description: "Number of extractions that it proposed values to." }),
  lastUsedAt: Schema.NullOr(Schema.String),
  fields: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      value: Schema.Unknown,
      corrected: Schema.Boolean.annotate({ description: "Whether a person had to give the value." }),
      by: Schema.optionalKey(
        Schema.String.annotate({ description: "Person or key that corrected or confirmed the value." })
      )
    })
  )
}).annotate({ identifier: "Example" })
export type ExampleSummary = typeof ExampleSummary.Type

/** An example in a file, for import into another installation. */
export const ExportedExample = Schema.Struct({
  flowId: Schema.String.check(
    Schema.isPattern(/^[\w.-]{1,100}$/u, { message: "must be 1 to 100 letters, digits and . _ -" })
  ),
  step: Schema.String.check(
    Schema.isPattern(/^[\w.-]{1,200}$/u, { message: "must be 1 to 200 letters, digits and . _ -" })
  ),
  environment: Environment,
  createdAt: Schema.String,
  words: Schema.Array(LayoutWord).check(Schema.isMaxLength(200)),
  fields: Schema.Record(Schema.String, LearnedField)
}).annotate({ identifier: "ExportedExample" })
export type ExportedExample = typeof ExportedExample.Type
