import { type JsonSchema, Option, Schema } from "effect"
import { type Column, checkedField, type Field } from "../../extraction/lexicon/Field.ts"
import { FieldDefinition, type FieldType } from "../../extraction/fields/FieldDefinition.ts"

export const scalar = (type: FieldType): JsonSchema.JsonSchema => {
  switch (type) {
    case "number":
    case "money":
    case "percent":
      return { type: "number" }
    case "integer":
      return { type: "integer" }
    case "boolean":
      return { type: "boolean" }
    case "date":
      return { type: "string", format: "date" }
    case "currency":
      return { type: "string", pattern: "^[A-Z]{3}$" }
    case "iban":
      return { type: "string", pattern: "^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$" }
    case "phone":
      return { type: "string", pattern: "^\\+[0-9]{4,15}$" }
    case "email":
      return { type: "string", format: "email" }
    default:
      return { type: "string" }
  }
}

const nullable = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema => ({
  ...schema,
  type: [schema["type"], "null"]
})

const rowOf = (columns: ReadonlyArray<Column>): JsonSchema.JsonSchema => ({
  type: "object",
  required: columns.map(({ name }) => name),
  properties: Object.fromEntries(columns.map(({ name, type }) => [name, nullable(scalar(type))])),
  additionalProperties: false
})

const fieldType = (field: Field): JsonSchema.JsonSchema => {
  const type = field.type === "table" ? { type: "array", items: rowOf(field.columns) } : scalar(field.type)
  return field.required || field.type === "table" ? type : nullable(type)
}

const evidence: JsonSchema.JsonSchema = {
  type: "object",
  required: ["value", "confidence", "status"],
  properties: {
    value: {},
    confidence: { type: "number", minimum: 0, maximum: 1 },
    status: { enum: ["grounded", "inferred", "missing"] },
    page: { type: "integer" },
    bbox: {
      type: "object",
      required: ["x", "y", "w", "h"],
      properties: Object.fromEntries(["x", "y", "w", "h"].map((side) => [side, { type: "number" }]))
    },
    text: { type: "string" },
    file: { type: "string" },
    attachment: { type: "string" },
    path: { type: "string" },
    by: { enum: ["rules", "llm", "embedded", "examples"] }
  }
}

const reviewItem: JsonSchema.JsonSchema = {
  type: "object",
  required: ["field", "path", "reason", "confidence"],
  properties: {
    field: { type: "string" },
    path: { type: "string" },
    reason: { type: "string" },
    confidence: { type: "number", minimum: 0, maximum: 1 }
  }
}

const Written = Schema.Struct({ fields: Schema.Record(Schema.String, FieldDefinition) })

/**
 * The JSON Schema of the output of an `extract` step with this configuration: dates as YYYY-MM-DD, amounts as numbers,
 * currencies as ISO 4217 codes, tables as arrays of objects; null if an optional field may be missing.
 */
export const outputType = (config: unknown): JsonSchema.JsonSchema => {
  const fields = Option.match(Schema.decodeUnknownOption(Written)(config), {
    onNone: () => [],
    onSome: (written) =>
      Object.entries(written.fields).map(([name, definition]) => checkedField(name, definition))
  })
  const names = fields.map(({ name }) => name)
  return {
    type: "object",
    required: ["values", "fields", "warnings", "review", "tokensUsed", "model"],
    properties: {
      values: {
        type: "object",
        required: names,
        properties: Object.fromEntries(fields.map((field) => [field.name, fieldType(field)])),
        additionalProperties: false
      },
      fields: {
        type: "object",
        required: names,
        properties: Object.fromEntries(names.map((name) => [name, evidence]))
      },
      warnings: { type: "array", items: { type: "string" } },
      review: { type: "array", items: reviewItem },
      tokensUsed: { type: "integer" },
      model: { type: ["string", "null"] }
    }
  }
}
