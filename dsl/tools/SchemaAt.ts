import { Predicate } from "effect"
import { isList } from "../types/Values.ts"

/** A JSON Schema, or a part of one. */
export type Schema = Readonly<Record<string, unknown>>

/** The steps from a value to one inside it: names of members, and positions in arrays. */
export type ValuePath = ReadonlyArray<string | number>

const objectOf = (value: unknown): Schema => (Predicate.isObject(value) && !isList(value) ? value : {})

const listOf = (value: unknown): ReadonlyArray<Schema> => (isList(value) ? value.map(objectOf) : [])

/** Whether a value has the constants that an `if` asks for; no more is said in the schema of flows. */
const holds = (condition: Schema, value: unknown): boolean =>
  Object.entries(objectOf(condition["properties"])).every(
    ([name, part]) => objectOf(part)["const"] === objectOf(value)[name]
  )

/** The alternatives of a schema for a value, references followed. */
const alternatives = (root: Schema, schema: Schema, value: unknown, depth = 0): ReadonlyArray<Schema> => {
  if (depth > 20) return []
  const more = (part: Schema) => alternatives(root, part, value, depth + 1)
  const reference = schema["$ref"]
  if (typeof reference === "string") {
    const name = reference.replace("#/$defs/", "")
    return more(objectOf(objectOf(root["$defs"])[name]))
  }
  const inner = ["anyOf", "oneOf", "allOf"].flatMap((key) => listOf(schema[key]).flatMap(more))
  const then = "if" in schema && holds(objectOf(schema["if"]), value) ? more(objectOf(schema["then"])) : []
  return [schema, ...inner, ...then]
}

const partsAt = (schema: Schema, step: string | number): ReadonlyArray<Schema> => {
  if (typeof step === "number") return "items" in schema ? [objectOf(schema["items"])] : []
  const properties = objectOf(schema["properties"])
  if (Object.hasOwn(properties, step)) return [objectOf(properties[step])]
  const rest = schema["additionalProperties"]
  return Predicate.isObject(rest) ? [objectOf(rest)] : []
}

const valueAt = (value: unknown, step: string | number): unknown => {
  if (isList(value)) return typeof step === "number" ? value[step] : undefined
  const members = objectOf(value)
  return Object.hasOwn(members, step) ? members[step] : undefined
}

/** The schemas that the value at a path may have, in a value that may be incomplete. */
export const schemasAt = (root: Schema, whole: unknown, path: ValuePath): ReadonlyArray<Schema> => {
  let found = alternatives(root, root, whole)
  let value = whole
  for (const step of path) {
    value = valueAt(value, step)
    found = found
      .flatMap((schema) => partsAt(schema, step))
      .flatMap((schema) => alternatives(root, schema, value))
  }
  return found
}

/** A word that fits, with its description. */
export interface Word {
  readonly label: string
  readonly info?: string
}

const described = (label: string, schema: Schema): Word => {
  const { description } = schema
  return typeof description === "string" ? { label, info: description } : { label }
}

const once = (words: ReadonlyArray<Word>): ReadonlyArray<Word> => [
  ...new Map(words.map((word) => [word.label, word])).values()
]

/** The names of the members that schemas describe, required ones first. */
export const membersOf = (schemas: ReadonlyArray<Schema>): ReadonlyArray<Word> => {
  const required = new Set(schemas.flatMap(({ required }) => (isList(required) ? required : [])))
  const all = once(
    schemas.flatMap(({ properties }) =>
      Object.entries(objectOf(properties)).map(([name, schema]) => described(name, objectOf(schema)))
    )
  )
  return [
    ...all.filter(({ label }) => required.has(label)),
    ...all.filter(({ label }) => !required.has(label))
  ]
}

/** The values that schemas list. */
export const valuesOf = (schemas: ReadonlyArray<Schema>): ReadonlyArray<Word> =>
  once(
    schemas.flatMap((schema): ReadonlyArray<Word> => {
      if ("const" in schema) return [described(String(schema["const"]), schema)]
      if (isList(schema["enum"])) return schema["enum"].map((value) => ({ label: String(value) }))
      return schema["type"] === "boolean" ? [{ label: "true" }, { label: "false" }] : []
    })
  )
