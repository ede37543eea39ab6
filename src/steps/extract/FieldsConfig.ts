import { type JsonSchema, Option, Schema } from "effect"
import { type Column, checkedField, type Field } from "../../extraction/lexicon/Field.ts"
import { FieldDefinition, type FieldType } from "../../extraction/fields/FieldDefinition.ts"
import { didYouMean } from "../../../dsl/source/Nearest.ts"
import type { ConfigProblem } from "../../../dsl/model/StepKind.ts"
import { parseEquation, type Term } from "../../extraction/sums/Equation.ts"

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

/** The fields of a configuration; none where they are wrong, which another check says. */
const fieldsIn = (config: unknown): ReadonlyArray<Field> =>
  Object.entries(Option.getOrUndefined(Schema.decodeUnknownOption(Written)(config))?.fields ?? {}).map(
    ([name, definition]) => checkedField(name, definition)
  )

/**
 * The JSON Schema of the output of an `extract` step with this configuration: dates as YYYY-MM-DD, amounts as numbers,
 * currencies as ISO 4217 codes, tables as arrays of objects; null if an optional field may be missing.
 */
export const outputType = (config: unknown): JsonSchema.JsonSchema => {
  const fields = fieldsIn(config)
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

const Relations = Schema.Struct({ relations: Schema.Array(Schema.String) })

/** The types that can be added up. */
const numeric: ReadonlySet<FieldType> = new Set(["money", "number", "integer", "percent"])

const article = (type: FieldType): string =>
  type === "money" ? "an amount" : /^[aeiou]/u.test(type) ? `an ${type}` : `a ${type}`

type Complaint = Omit<ConfigProblem, "path">

const unknown = (what: string, name: string, known: ReadonlyArray<string>): Complaint => {
  const suggestion = didYouMean(name, known)
  const message = `Unknown ${what} "${name}" in the relation.`
  return suggestion === undefined ? { message } : { message, suggestion }
}

const ofColumn = (table: Field, column: string): Complaint | undefined => {
  if (table.type !== "table")
    return { message: `"${table.name}" is ${article(table.type)}, not a table: it has no columns to sum up.` }
  const found = table.columns.find(({ name }) => name === column)
  if (found === undefined)
    return unknown(
      "column",
      `${table.name}.${column}`,
      table.columns.map(({ name }) => `${table.name}.${name}`)
    )
  return numeric.has(found.type)
    ? undefined
    : {
        message: `The column "${table.name}.${column}" is ${article(found.type)}: only numbers can be added up.`
      }
}

const ofTerm = (fields: ReadonlyArray<Field>, { column, field: name }: Term): Complaint | undefined => {
  const field = fields.find((other) => other.name === name)
  if (field === undefined)
    return unknown(
      "field",
      name,
      fields.map((other) => other.name)
    )
  if (column !== undefined) return ofColumn(field, column)
  if (field.type === "table")
    return { message: `"${name}" is a table: sum up one of its columns, as in sum(${name}.amount).` }
  return numeric.has(field.type)
    ? undefined
    : { message: `"${name}" is ${article(field.type)}: only numbers can be added up.` }
}

/** What is wrong with the relations of an `extract` step: terms that no field has, or whose type cannot be added up. */
export const relationProblems = (config: unknown): ReadonlyArray<ConfigProblem> => {
  const fields = fieldsIn(config)
  const written = Option.getOrUndefined(Schema.decodeUnknownOption(Relations)(config))
  if (written === undefined || fields.length === 0) return []
  return written.relations.flatMap((text, index): ReadonlyArray<ConfigProblem> =>
    (parseEquation(text)?.terms ?? []).flatMap((term) => {
      const complaint = ofTerm(fields, term)
      return complaint === undefined ? [] : [{ ...complaint, path: ["relations", index] }]
    })
  )
}
