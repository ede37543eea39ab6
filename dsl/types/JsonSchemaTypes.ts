import * as Type from "./Type.ts"
import { type JsonSchema, Predicate } from "effect"

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
const markDocument = (schema: JsonSchema.JsonSchema): JsonSchema.JsonSchema =>
  Object.assign({}, schema, { [mark]: true })

/** Whether the checker wrote the schema for a document. */
const isMarkedDocument = (schema: object): boolean => mark in schema

/** How to read a JSON Schema. */
export interface FromJsonSchemaOptions {
  /**
   * Whether an object that lists its `properties` and says nothing about others has no others. JSON Schema allows
   * others; for steps and variables, it is more useful to treat a name that is not listed as a mistake.
   */
  readonly closed: boolean
  /** Whether absent properties with a default are filled in, so that they are always present. */
  readonly defaultsFilled?: boolean
  /** Whether the schema belongs to a step kind and may therefore declare documents. */
  readonly trusted?: boolean
}

/** The type of the values that a JSON Schema admits, or of a wider set where the schema says more than types can. */
export const fromJsonSchema = (schema: unknown, options: FromJsonSchemaOptions): Type.Type =>
  new SchemaReader(schema, options).read(schema)

type Node = JsonSchema.JsonSchema

class SchemaReader {
  readonly #root: unknown
  readonly #closed: boolean
  readonly #defaultsFilled: boolean
  readonly #trusted: boolean
  /** Inside alternatives, no defaults are filled in, because it is not known which one applies. */
  #alternatives = 0
  readonly #refs = new Map<string, Type.Type>()

  constructor(root: unknown, options: FromJsonSchemaOptions) {
    this.#root = root
    this.#closed = options.closed
    this.#defaultsFilled = options.defaultsFilled ?? false
    this.#trusted = options.trusted ?? false
  }

  read(schema: unknown): Type.Type {
    if (schema === false) return Type.never
    if (!Predicate.isObject(schema)) return Type.any
    const node: Node = { ...schema }
    if (typeof node["$ref"] === "string") return this.#ref(node["$ref"])
    if (Array.isArray(node["allOf"])) return this.#allOf(node, node["allOf"])
    const alternatives = node["anyOf"] ?? node["oneOf"]
    if (Array.isArray(alternatives)) return this.#anyOf(alternatives)
    if ("const" in node) return literals([node["const"]])
    if (Array.isArray(node["enum"])) return literals(node["enum"])
    return this.#byType(node)
  }

  #byType(node: Node): Type.Type {
    const types = node["type"]
    if (Array.isArray(types)) return Type.union(types.map((type) => this.#one(String(type), node)))
    if (typeof types === "string") return this.#one(types, node)
    if ("properties" in node) return this.#object(node)
    if ("items" in node) return this.#list(node)
    return Type.any
  }

  #one(type: string, node: Node): Type.Type {
    switch (type) {
      case "null":
        return Type.nothing
      case "boolean":
        return Type.boolean
      case "number":
        return Type.number
      case "integer":
        return Type.integer
      case "string":
        return typeof node["format"] === "string" ? { kind: "string", format: node["format"] } : Type.string
      case "array":
        return this.#list(node)
      case "object":
        return this.#object(node)
      default:
        return Type.any
    }
  }

  #list(node: Node): Type.Type {
    const first = Array.isArray(node["prefixItems"]) ? node["prefixItems"] : []
    const rest = "items" in node ? [node["items"]] : first.length > 0 ? [] : [true]
    return Type.list(Type.union([...first, ...rest].map((items) => this.read(items))))
  }

  #object(node: Node): Type.Type {
    const required = new Set(Array.isArray(node["required"]) ? node["required"] : [])
    const properties = Predicate.isObject(node["properties"]) ? Object.entries(node["properties"]) : []
    const fields = properties.map(
      ([name, schema]) =>
        [name, { type: this.read(schema), optional: !required.has(name) && !this.#isFilled(schema) }] as const
    )
    const type = {
      kind: "object",
      fields: new Map(fields),
      rest: this.#rest(node, "properties" in node)
    } as const
    return this.#isDocument(node) ? { ...type, isDocument: true } : type
  }

  #isDocument(node: Node): boolean {
    return isMarkedDocument(node) || (this.#trusted && node["format"] === documentFormat)
  }

  #isFilled(schema: unknown): boolean {
    return this.#defaultsFilled && this.#alternatives === 0 && Predicate.hasProperty(schema, "default")
  }

  #rest(node: Node, hasProperties: boolean): Type.Type | undefined {
    const patterns = Predicate.isObject(node["patternProperties"])
      ? Object.values(node["patternProperties"])
      : []
    const others = node["additionalProperties"] ?? !(this.#closed && (hasProperties || patterns.length > 0))
    const rest = [...patterns, others].filter((schema) => schema !== false).map((schema) => this.read(schema))
    return rest.length === 0 ? undefined : Type.union(rest)
  }

  #anyOf(alternatives: ReadonlyArray<unknown>): Type.Type {
    this.#alternatives++
    const types = alternatives.map((alternative) => this.read(alternative))
    this.#alternatives--
    // Effect encodes a number as "number, or one of these strings"; values in a run are always finite.
    const hasNumber = types.some((type) => type.kind === "number")
    return Type.union(hasNumber ? types.filter((type) => !Type.members(type).every(isNotFiniteText)) : types)
  }

  #allOf(node: Node, parts: ReadonlyArray<unknown>): Type.Type {
    const { allOf: _, ...own } = node
    const types = [own, ...parts].map((part) => this.read(part)).filter((type) => type.kind !== "any")
    const [first] = types
    if (first === undefined) return Type.any
    return types.slice(1).reduce(both, first)
  }

  #ref(ref: string): Type.Type {
    const known = this.#refs.get(ref)
    if (known !== undefined) return known
    let type: Type.Type | undefined
    const made: Type.Type = { kind: "ref", get: () => (type ??= this.read(lookUp(this.#root, ref))) }
    this.#refs.set(ref, made)
    return made
  }
}

const isNotFiniteText = (type: Type.Type): boolean =>
  type.kind === "string" && ["Infinity", "-Infinity", "NaN"].includes(type.value ?? "")

const isScalar = (value: unknown): value is string | number | boolean | null =>
  value === null || ["string", "number", "boolean"].includes(typeof value)

const literals = (values: ReadonlyArray<unknown>): Type.Type =>
  Type.union(values.map((value) => (isScalar(value) ? Type.literal(value) : Type.any)))

/** The intersection of two types: exact for objects, and otherwise the one that looks narrower. */
const both = (left: Type.Type, right: Type.Type): Type.Type => {
  const one = Type.resolve(left)
  const other = Type.resolve(right)
  if (one.kind !== "object" || other.kind !== "object") return one
  const fields = new Map(one.fields)
  for (const [name, field] of other.fields) {
    const known = fields.get(name)
    fields.set(
      name,
      known === undefined
        ? field
        : { type: both(known.type, field.type), optional: known.optional && field.optional }
    )
  }
  return { kind: "object", fields, rest: one.rest === undefined ? other.rest : (other.rest ?? one.rest) }
}

/** Follows `#/$defs/Name`; undefined for anything that does not exist or is outside the schema. */
const lookUp = (root: unknown, ref: string): unknown => {
  if (!ref.startsWith("#")) return undefined
  const parts = ref.slice(1).split("/").slice(1).map(unescapePart)
  return parts.reduce<unknown>(
    (node, part) => (Predicate.isObject(node) && Object.hasOwn(node, part) ? node[part] : undefined),
    root
  )
}

const unescapePart = (part: string): string => {
  const decoded = /^(?:[^%]|%[0-9a-f]{2})*$/iu.test(part) ? decodeURIComponent(part) : part
  return decoded.replaceAll("~1", "/").replaceAll("~0", "~")
}

const mostParts = 10_000

/** The state of writing: the types that contain this one, and the number of parts written so far. */
interface Writing {
  readonly around: ReadonlySet<Type.Type>
  readonly made: { parts: number }
}

/** Writes a type as a JSON Schema (draft 2020-12). A type inside itself is written as "anything". */
export const toJsonSchema = (type: Type.Type): JsonSchema.JsonSchema =>
  write(type, { around: new Set(), made: { parts: 0 } })

const write = (type: Type.Type, { around, made }: Writing): JsonSchema.JsonSchema => {
  if (around.has(type) || ++made.parts > mostParts) return {}
  const writing: Writing = { around: type.kind === "ref" ? new Set(around).add(type) : around, made }
  const resolved = Type.resolve(type)
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

const objectSchema = (type: Type.ObjectType, writing: Writing): JsonSchema.JsonSchema => {
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

const unionSchema = (members: ReadonlyArray<Type.Type>, writing: Writing): JsonSchema.JsonSchema => {
  if (members.length === 0) return { not: {} }
  const values = members.flatMap((member) =>
    "value" in member && member.value !== undefined ? [member.value] : member.kind === "null" ? [null] : []
  )
  if (values.length === members.length) return { enum: values }
  const schemas = members.map((member) => write(member, writing))
  const names = schemas.map((schema) => (Object.keys(schema).length === 1 ? schema["type"] : undefined))
  return names.every((name) => typeof name === "string") ? { type: names } : { anyOf: schemas }
}
