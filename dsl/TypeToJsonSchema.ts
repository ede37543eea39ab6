import type { JsonSchema } from "effect"
import type { Type } from "./Type.ts"
import * as Types from "./Type.ts"

const deepest = 32

/** Writes a type as a JSON Schema (draft 2020-12). Types that contain themselves are cut off where nobody looks any more. */
export const toJsonSchema = (type: Type, depth = 0): JsonSchema.JsonSchema => {
  if (depth > deepest) return {}
  const resolved = Types.resolve(type)
  switch (resolved.kind) {
    case "any":
      return {}
    case "null":
      return { type: "null" }
    case "boolean":
      return resolved.value === undefined ? { type: "boolean" } : { const: resolved.value }
    case "number":
      return resolved.value === undefined
        ? { type: resolved.integer ? "integer" : "number" }
        : { const: resolved.value }
    case "string":
      return stringSchema(resolved)
    case "list":
      return { type: "array", items: toJsonSchema(resolved.items, depth + 1) }
    case "object":
      return objectSchema(resolved, depth)
    case "union":
      return unionSchema(resolved.members, depth)
  }
}

const stringSchema = (type: { readonly value?: string; readonly format?: string }): JsonSchema.JsonSchema => {
  if (type.value !== undefined) return { const: type.value }
  return type.format === undefined ? { type: "string" } : { type: "string", format: type.format }
}

const objectSchema = (type: Types.ObjectType, depth: number): JsonSchema.JsonSchema => {
  const fields = [...type.fields]
  const required = fields.filter(([, field]) => !field.optional).map(([name]) => name)
  return {
    type: "object",
    properties: Object.fromEntries(
      fields.map(([name, field]) => [name, toJsonSchema(field.type, depth + 1)])
    ),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: type.rest === undefined ? false : toJsonSchema(type.rest, depth + 1)
  }
}

const unionSchema = (members: ReadonlyArray<Type>, depth: number): JsonSchema.JsonSchema => {
  if (members.length === 0) return { not: {} }
  const values = members.flatMap((member) =>
    "value" in member && member.value !== undefined ? [member.value] : member.kind === "null" ? [null] : []
  )
  if (values.length === members.length) return { enum: values }
  const schemas = members.map((member) => toJsonSchema(member, depth + 1))
  const names = schemas.map((schema) => (Object.keys(schema).length === 1 ? schema["type"] : undefined))
  return names.every((name) => typeof name === "string") ? { type: names } : { anyOf: schemas }
}
