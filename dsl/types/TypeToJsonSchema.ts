import type { JsonSchema } from "effect"
import type { Type } from "./Type.ts"
import * as Types from "./Type.ts"
import { markDocument } from "./TypeFromJsonSchema.ts"

const mostParts = 10_000

/** The state of writing: the types that contain this one, and the number of parts written so far. */
interface Writing {
  readonly around: ReadonlySet<Type>
  readonly made: { parts: number }
}

/** Writes a type as a JSON Schema (draft 2020-12). A type inside itself is written as "anything". */
export const toJsonSchema = (type: Type): JsonSchema.JsonSchema =>
  write(type, { around: new Set(), made: { parts: 0 } })

const write = (type: Type, { around, made }: Writing): JsonSchema.JsonSchema => {
  if (around.has(type) || ++made.parts > mostParts) return {}
  const writing: Writing = { around: type.kind === "ref" ? new Set(around).add(type) : around, made }
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
      return { type: "array", items: write(resolved.items, writing) }
    case "object":
      return objectSchema(resolved, writing)
    case "union":
      return unionSchema(resolved.members, writing)
  }
}

const stringSchema = (type: { readonly value?: string; readonly format?: string }): JsonSchema.JsonSchema => {
  if (type.value !== undefined) return { const: type.value }
  return type.format === undefined ? { type: "string" } : { type: "string", format: type.format }
}

const objectSchema = (type: Types.ObjectType, writing: Writing): JsonSchema.JsonSchema => {
  const fields = [...type.fields]
  const required = fields.filter(([, field]) => !field.optional).map(([name]) => name)
  const schema = {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, write(field.type, writing)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: type.rest === undefined ? false : write(type.rest, writing)
  }
  return type.isDocument === true ? markDocument(schema) : schema
}

const unionSchema = (members: ReadonlyArray<Type>, writing: Writing): JsonSchema.JsonSchema => {
  if (members.length === 0) return { not: {} }
  const values = members.flatMap((member) =>
    "value" in member && member.value !== undefined ? [member.value] : member.kind === "null" ? [null] : []
  )
  if (values.length === members.length) return { enum: values }
  const schemas = members.map((member) => write(member, writing))
  const names = schemas.map((schema) => (Object.keys(schema).length === 1 ? schema["type"] : undefined))
  return names.every((name) => typeof name === "string") ? { type: names } : { anyOf: schemas }
}
