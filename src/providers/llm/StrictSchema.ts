import type { JsonSchema } from "effect"
import { isNode, type Node } from "./SampleOf.ts"

/**
 * How a provider wants schemas: with every property required, an optional one `nullable`; with `optional` ones; or as a `bare`
 * shape of types, properties and items, which every server with JSON Schemas accepts.
 */
export type Dialect = "nullable" | "optional" | "bare"

/** A schema that a provider accepts; if the root was not an object, the answer is its property `value`. */
export interface StrictSchema {
  readonly schema: JsonSchema.JsonSchema
  readonly wrapped: boolean
}

/**
 * Converts a schema into the form that providers can enforce: every object closed, every property required (an optional
 * one nullable), unknown keywords removed, and limits told in words: grammars unroll them. Values of the original match it, except for the
 * nulls. Undefined if the schema is too general: open maps, tuples, any value.
 */
export const strictSchema = (schema: Node, dialect: Dialect): StrictSchema | undefined => {
  const root = rewrite(schema, dialect)
  const definitions = rewriteAll({ ...asNode(schema["definitions"]), ...asNode(schema["$defs"]) }, dialect)
  if (root === undefined || definitions === undefined) return undefined
  const $defs = Object.keys(definitions).length > 0 ? { $defs: definitions } : {}
  const wrapped = root["type"] !== "object"
  // A recursive root cannot be wrapped: `#` would refer to the wrapper.
  if (wrapped && JSON.stringify(root).includes('"$ref":"#"')) return undefined
  return {
    wrapped,
    schema: wrapped ? { ...closed({ value: root }, ["value"], dialect), ...$defs } : { ...root, ...$defs }
  }
}

const closed = (properties: Node, required: ReadonlyArray<string>, dialect: Dialect): Node => ({
  type: "object",
  properties,
  required,
  ...(dialect === "bare" ? {} : { additionalProperties: false })
})

const asNode = (value: unknown): Node => (isNode(value) ? value : {})

const rewriteAll = (nodes: Node, dialect: Dialect): Node | undefined => {
  const entries = Object.entries(nodes).map(([key, node]) => [key, rewrite(node, dialect)] as const)
  return entries.some(([, node]) => node === undefined) ? undefined : Object.fromEntries(entries)
}

const rewrite = (node: unknown, dialect: Dialect): Node | undefined => {
  if (!isNode(node)) return undefined
  const shape = shapeOf(node, dialect)
  return shape && { ...shape, ...narrowingOf(node, dialect) }
}

const shapeOf = (node: Node, dialect: Dialect): Node | undefined => {
  const only = Array.isArray(node["allOf"]) && node["allOf"].length === 1 ? node["allOf"][0] : undefined
  if (isNode(only)) {
    const { allOf: _, ...rest } = node
    return rewrite({ ...only, ...rest }, dialect)
  }
  if (node["allOf"] !== undefined) return undefined
  if (typeof node["$ref"] === "string") {
    return { $ref: node["$ref"].replace(/^#\/definitions\//u, "#/$defs/") }
  }
  const branches = node["anyOf"] ?? node["oneOf"]
  if (Array.isArray(branches)) {
    const rewritten = branches.map((branch) => rewrite(branch, dialect))
    return rewritten.includes(undefined) ? undefined : { anyOf: rewritten }
  }
  const type = node["type"] ?? typeOfValues(valuesOf(node))
  const types = Array.isArray(type) ? type : [type]
  if (types.includes("object")) return types.length > 2 ? undefined : objectOf(node, type, dialect)
  if (types.includes("array")) return arrayOf(node, type, dialect)
  return typeof type === "string" || Array.isArray(type) ? { type } : undefined
}

const objectOf = (node: Node, type: unknown, dialect: Dialect): Node | undefined => {
  const open = node["additionalProperties"]
  if (
    !isNode(node["properties"]) ||
    isNode(open) ||
    open === true ||
    node["patternProperties"] !== undefined
  ) {
    return undefined
  }
  const properties = rewriteAll(node["properties"], dialect)
  if (properties === undefined) return undefined
  const required = new Set(Array.isArray(node["required"]) ? node["required"] : [])
  if (dialect !== "nullable") return { ...closed(properties, [...required], dialect), type }
  const all = Object.entries(properties).map(
    ([key, property]) => [key, required.has(key) ? property : nullable(asNode(property))] as const
  )
  return { ...closed(Object.fromEntries(all), Object.keys(properties), dialect), type }
}

const arrayOf = (node: Node, type: unknown, dialect: Dialect): Node | undefined => {
  if (node["prefixItems"] !== undefined) return undefined
  const items = rewrite(node["items"], dialect)
  return items && { type, items }
}

const nullable = (node: Node): Node => {
  const type = node["type"]
  const types = Array.isArray(type) ? type : [type]
  if (types.includes("null")) return node
  if (type === undefined || node["const"] !== undefined || types.includes("object")) {
    return { anyOf: [node, { type: "null" }] }
  }
  const values = Array.isArray(node["enum"]) ? { enum: [...node["enum"], null] } : {}
  return { ...node, type: [...types, "null"], ...values }
}

const valuesOf = (node: Node): ReadonlyArray<unknown> =>
  Array.isArray(node["enum"]) ? node["enum"] : "const" in node ? [node["const"]] : []

const typeOfValues = (values: ReadonlyArray<unknown>): string | ReadonlyArray<string> | undefined => {
  const types = [...new Set(values.map((value) => (value === null ? "null" : typeof value)))]
  return types.length > 1 ? types : types[0]
}

const kept = new Set(["title", "enum", "const"])
const structural = new Set([
  "type",
  "properties",
  "required",
  "additionalProperties",
  "items",
  "anyOf",
  "oneOf",
  "allOf",
  "$ref",
  "$defs",
  "definitions",
  "description",
  "$schema",
  "$id",
  "$comment",
  "default",
  "examples"
])

/** The keywords that do not change the shape; unsupported ones are expressed in words. */
const narrowingOf = (node: Node, dialect: Dialect): Node => {
  const own: { [keyword: string]: unknown } = {}
  const words = typeof node["description"] === "string" ? [node["description"]] : []
  for (const [keyword, value] of Object.entries(node)) {
    if (structural.has(keyword)) continue
    const known = keyword === "format" && dialect !== "bare" && /^date(?:-time)?$/u.test(String(value))
    if (known || kept.has(keyword)) own[keyword] = value
    else if (typeof value !== "object") words.push(`(${keyword}: ${String(value)})`)
  }
  return words.length > 0 ? { ...own, description: words.join(" ") } : own
}
