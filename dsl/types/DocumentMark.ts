import type { JsonSchema } from "effect"

/**
 * The `format` of an Effect Schema whose values are documents of the execution. It counts only in the schemas of step
 * kinds: in the schema of a flow's author, it says nothing about where a value comes from.
 */
export const documentFormat = "docflow-document"

const mark = Symbol("docflow/document")

/**
 * Marks a JSON Schema that the checker itself wrote for a document. The mark is a symbol, so no flow file can contain
 * it.
 */
export const markDocument = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  Object.assign({}, schema, { [mark]: true })

/** Whether the checker wrote the schema for a document. */
export const isMarkedDocument = (schema: object): boolean => mark in schema
