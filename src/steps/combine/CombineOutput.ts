import { type JsonSchema, Predicate, Schema } from "effect"
import { FieldEvidence } from "../../domain/Evidence.ts"

const evidence: JsonSchema.JsonSchema = Schema.toJsonSchemaDocument(FieldEvidence).schema

const alternatives: JsonSchema.JsonSchema = {
  type: "array",
  items: {
    type: "object",
    required: ["value", "votes"],
    properties: { value: {}, votes: { type: "integer" } }
  }
}

/**
 * The fields of all sources with their types; those that every source has for certain; and whether there may be more than
 * the checker could tell.
 */
const fieldsOf = (config: unknown, properties: unknown) => {
  const from = Predicate.hasProperty(properties, "from") ? properties.from : undefined
  const items = Predicate.hasProperty(from, "items") ? from.items : undefined
  const sources = Predicate.hasProperty(items, "anyOf") && Array.isArray(items.anyOf) ? items.anyOf : [items]
  const fields = new Map<string, Array<unknown>>()
  const counts = new Map<string, number>()
  let isOpen = false
  for (const source of sources) {
    if (Predicate.hasProperty(source, "type") && source.type === "null") continue
    for (const name of requiredOf(source)) counts.set(name, (counts.get(name) ?? 0) + 1)
    if (!Predicate.hasProperty(source, "properties") || !Predicate.isObject(source.properties)) isOpen = true
    else
      for (const [name, schema] of Object.entries(source.properties))
        fields.set(name, [...(fields.get(name) ?? []), schema])
  }
  // It is unknown whether the array of an expression has any elements.
  const isWritten =
    Predicate.hasProperty(config, "from") && Array.isArray(config.from) && config.from.length > 0
  const certain = isWritten ? [...counts].filter(([, count]) => count === sources.length) : []
  return { fields, certain: certain.map(([name]) => name), isOpen }
}

const requiredOf = (source: unknown): ReadonlyArray<string> =>
  Predicate.hasProperty(source, "required") && Array.isArray(source.required)
    ? source.required.filter(Predicate.isString)
    : []

/**
 * The JSON Schema of the output of `combine`: every field that a source may have, with the types of all sources, or
 * null.
 */
export const outputType = (config: unknown, type: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const { certain, fields, isOpen } = fieldsOf(config, type["properties"])
  const of = (make: (schemas: ReadonlyArray<unknown>) => unknown, required: boolean) => ({
    type: "object",
    required: required ? certain : [],
    properties: Object.fromEntries([...fields].map(([name, schemas]) => [name, make(schemas)])),
    additionalProperties: isOpen
  })
  const hasEvidence = Predicate.hasProperty(config, "fields")
  return {
    type: "object",
    required: ["values", "votes", "disputed", "fields", "alternatives"],
    properties: {
      values: of((schemas) => ({ anyOf: [...schemas, { type: "null" }] }), true),
      votes: of(() => ({ type: "integer" }), true),
      disputed: { type: "array", items: { type: "string" } },
      fields: hasEvidence ? of(() => evidence, true) : { type: "object" },
      alternatives: of(() => alternatives, false)
    }
  }
}
