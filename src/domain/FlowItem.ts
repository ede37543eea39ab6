import { Schema } from "effect"

const listFields = {
  id: Schema.String,
  name: Schema.String,
  description: Schema.String,
  version: Schema.String,
  createdAt: Schema.String,
  updatedAt: Schema.String
}

/** A flow in a list. */
export const FlowItem = Schema.Struct(listFields).annotate({ identifier: "FlowItem" })
export type FlowItem = typeof FlowItem.Type

/** What a flow accepts and costs. */
export const FlowLimits = Schema.Struct({
  supportedFormats: Schema.Array(Schema.String),
  maxFileSizeMB: Schema.Finite,
  maxPages: Schema.Finite,
  estimatedCreditsPerPage: Schema.Finite
})
export type FlowLimits = typeof FlowLimits.Type

/** A JSON Schema, as an object. */
export const JsonSchemaObject = Schema.Record(Schema.String, Schema.Unknown)
export type JsonSchemaObject = typeof JsonSchemaObject.Type

/** One version of a flow in full. */
export const FlowDetail = Schema.Struct({
  ...listFields,
  versions: Schema.Array(Schema.String),
  schema: Schema.Struct({ input: JsonSchemaObject, output: JsonSchemaObject }),
  config: FlowLimits
}).annotate({ identifier: "FlowDetail" })
export type FlowDetail = typeof FlowDetail.Type
