import { type JsonSchema, Schema } from "effect"

/** The JSON Schema of an output whose properties depend on the configuration of the step. */
export const outputWith = (output: Schema.Constraint) => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(output)
  return (properties: JsonSchema.JsonSchema, $defs: JsonSchema.JsonSchema = {}): JsonSchema.JsonSchema => ({
    ...schema,
    properties: { ...Object(schema["properties"]), ...properties },
    $defs: { ...definitions, ...$defs }
  })
}
