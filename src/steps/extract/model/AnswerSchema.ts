import type { JsonSchema } from "effect"
import type { LlmRequest } from "../../../providers/llm/Llm.ts"
import type { Field } from "../Field.ts"
import type { FieldType } from "../FieldDefinition.ts"
import { scalar } from "../ExtractOutput.ts"

/** Every property is required and may be null, and no other is allowed: all providers with strict schemas take that. */
const strict = (properties: Readonly<Record<string, JsonSchema.JsonSchema>>): JsonSchema.JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: false
})

const nullable = (type: unknown): JsonSchema.JsonSchema => ({ type: [type, "null"] })

const valueOf = (type: FieldType): JsonSchema.JsonSchema => nullable(scalar(type)["type"])

const answerOf = (field: Field): JsonSchema.JsonSchema =>
  field.type === "table"
    ? {
        type: "array",
        items: strict({
          page: nullable("integer"),
          cells: strict(Object.fromEntries(field.columns.map(({ name, type }) => [name, valueOf(type)])))
        })
      }
    : strict({ value: valueOf(field.type), quote: nullable("string"), page: nullable("integer") })

/** The JSON Schema of what a model answers about some fields. */
export const answerSchema = (fields: ReadonlyArray<Field>): NonNullable<LlmRequest["schema"]> => ({
  name: "fields",
  schema: strict(Object.fromEntries(fields.map((field) => [field.name, answerOf(field)])))
})

const tokensPerField = 100
const tokensPerTable = 4000
const tokensAround = 200

/** The longest answer about some fields, in tokens: never more than a third of what a model can take. */
export const longestAnswer = (fields: ReadonlyArray<Field>, contextTokens: number): number => {
  const wanted = fields.reduce(
    (sum, { type }) => sum + (type === "table" ? tokensPerTable : tokensPerField),
    tokensAround
  )
  return Math.min(wanted, Math.floor(contextTokens / 3))
}
