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

/** The fields of all sources with their types, and whether there may be more than the checker could tell. */
const fieldsOf = (properties: unknown) => {
  const from = Predicate.hasProperty(properties, "from") ? properties.from : undefined
  const items = Predicate.hasProperty(from, "items") ? from.items : undefined
  const sources = Predicate.hasProperty(items, "anyOf") && Array.isArray(items.anyOf) ? items.anyOf : [items]
  const fields = new Map<string, Array<unknown>>()
  let isOpen = false
  for (const source of sources) {
    if (Predicate.hasProperty(source, "type") && source.type === "null") continue
    if (!Predicate.hasProperty(source, "properties") || !Predicate.isObject(source.properties)) isOpen = true
    else
      for (const [name, schema] of Object.entries(source.properties))
        fields.set(name, [...(fields.get(name) ?? []), schema])
  }
  return { fields, isOpen }
}

/** The JSON Schema of what `combine` gives: every field that some source may have, with the types of all, or null. */
export const outputType = (config: unknown, type: JsonSchema.JsonSchema): JsonSchema.JsonSchema => {
  const { fields, isOpen } = fieldsOf(type["properties"])
  const of = (make: (schemas: ReadonlyArray<unknown>) => unknown, required: boolean) => ({
    type: "object",
    required: required ? [...fields.keys()] : [],
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
