import { Predicate } from "effect"
import type { FlowDefinition } from "./FlowDefinition.ts"
import type * as Type from "../types/Type.ts"
import { fromJsonSchema } from "../types/JsonSchemaTypes.ts"

/** The type of a flow's variables; those with a default may be omitted. */
export const variablesType = ({ variables }: FlowDefinition): Type.Type =>
  fromJsonSchema(withoutDefaulted(variables ?? { type: "object", properties: {} }), { closed: true })

const withoutDefaulted = (schema: { readonly [name: string]: unknown }) => {
  const properties = schema["properties"]
  const required = schema["required"]
  if (!Array.isArray(required) || !Predicate.isObject(properties)) return schema
  const fields = new Map(Object.entries(properties))
  return {
    ...schema,
    required: required.filter((name) => !Predicate.hasProperty(fields.get(name), "default"))
  }
}
