import type { JsonSchema } from "effect"
import type { LlmModel, LlmRequest } from "../../../providers/llm/Llm.ts"
import type { RowBudget } from "../../models/Chunks.ts"
import { estimateTokens } from "../../../providers/llm/Tokens.ts"
import type { Field } from "../../../extraction/lexicon/Field.ts"
import type { FieldType } from "../../../extraction/fields/FieldDefinition.ts"
import { scalar } from "../FieldsConfig.ts"

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
const tokensAround = 200
/** What servers that state no limit of their own are asked for at most, in tokens. */
const longestUsual = 8000
const fewestOfRows = 500

/** How long the answer about some fields may be, and how many of its tokens are for rows of tables. */
export interface AnswerBudget {
  readonly maxTokens: number
  /** Undefined without a table. */
  readonly rows: RowBudget | undefined
}

/** The part of a model's context that an answer may take. */
const share = 1 / 3

/** Plans the answer about some fields: of a table, each line with a number may become a row. */
export const answerBudget = (
  fields: ReadonlyArray<Field>,
  { contextTokens, outputTokens }: Pick<LlmModel, "contextTokens" | "outputTokens">,
  lines: Iterable<string>
): AnswerBudget => {
  const most = Math.floor(Math.min(contextTokens * share, outputTokens ?? longestUsual))
  const tables = fields.filter(({ type }) => type === "table")
  const around = tokensAround + tokensPerField * (fields.length - tables.length)
  if (tables.length === 0) return { maxTokens: Math.min(around, most), rows: undefined }
  const emptyRow = Math.max(
    ...tables.map(({ columns }) =>
      estimateTokens(
        JSON.stringify({ page: 10, cells: Object.fromEntries(columns.map(({ name }) => [name, ""])) })
      )
    )
  )
  const tokensOf = (line: string): number => (/\d/u.test(line) ? emptyRow + estimateTokens(line) : 0)
  let wanted = fewestOfRows
  for (const line of lines) wanted += tokensOf(line)
  const room = Math.max(Math.min(fewestOfRows, most), Math.min(wanted, most - around))
  return { maxTokens: Math.min(around + room, Math.max(most, room)), rows: { room, tokensOf } }
}

/** Fields that one answer has room for: very many of them are asked for in several requests. */
export const groupsOf = (
  fields: ReadonlyArray<Field>,
  { contextTokens }: Pick<LlmModel, "contextTokens">
): ReadonlyArray<ReadonlyArray<Field>> => {
  const most = Math.max(1, Math.floor((contextTokens * share - tokensAround - fewestOfRows) / tokensPerField))
  return Array.from({ length: Math.ceil(fields.length / most) }, (_, at) =>
    fields.slice(at * most, (at + 1) * most)
  )
}
