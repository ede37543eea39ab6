/**
 * The types of the checker: what is known about a value before a run. They are made from JSON Schemas and cover what
 * can be decided without the value: shapes and literals, not patterns or ranges.
 */
export type Type =
  | { readonly kind: "any" }
  | { readonly kind: "null" }
  | { readonly kind: "boolean"; readonly value?: boolean }
  | { readonly kind: "number"; readonly integer: boolean; readonly value?: number }
  | { readonly kind: "string"; readonly value?: string; readonly format?: string }
  | { readonly kind: "list"; readonly items: Type }
  | ObjectType
  | UnionType
  | RefType

export interface ObjectType {
  readonly kind: "object"
  readonly fields: ReadonlyMap<string, Field>
  /** The type of keys that are not in `fields`; undefined when there are none. */
  readonly rest: Type | undefined
  /** Whether it is a document of the execution: only docflow makes these values, so no other object fits. */
  readonly isDocument?: true
}

export interface Field {
  readonly type: Type
  readonly optional: boolean
}

export interface UnionType {
  readonly kind: "union"
  readonly members: ReadonlyArray<Type>
  /** Whether null is a member only because the value is optional: null means that the field is omitted. */
  readonly nullIsAbsent?: true
}

/** A type that is looked up on use, because schemas may contain themselves. */
export interface RefType {
  readonly kind: "ref"
  readonly get: () => Type
}

export const any: Type = { kind: "any" }
export const nothing: Type = { kind: "null" }
export const boolean: Type = { kind: "boolean" }
export const number: Type = { kind: "number", integer: false }
export const integer: Type = { kind: "number", integer: true }
export const string: Type = { kind: "string" }
/** The type without values: of the elements of an empty array, and of expressions that have been reported as wrong. */
export const never: Type = { kind: "union", members: [] }

export const list = (items: Type): Type => ({ kind: "list", items })

/** An object with these fields, all present, and no others. */
export const object = (fields: Readonly<Record<string, Type>>): ObjectType => ({
  kind: "object",
  fields: new Map(Object.entries(fields).map(([name, type]) => [name, { type, optional: false }])),
  rest: undefined
})

/** The type of a value that is in the flow itself. */
export const literal = (value: string | number | boolean | null): Type => {
  switch (typeof value) {
    case "string":
      return { kind: "string", value }
    case "number":
      return { kind: "number", integer: Number.isInteger(value), value }
    case "boolean":
      return { kind: "boolean", value }
    default:
      return nothing
  }
}

/** Follows references until something else is found. */
export const resolve = (type: Type): Exclude<Type, RefType> => {
  let current = type
  for (let steps = 0; current.kind === "ref"; steps++) {
    if (steps > 100) return { kind: "any" }
    current = current.get()
  }
  return current
}

/** The alternatives of a type: the members of a union, or the type itself. A union that contains itself adds nothing. */
export const members = (
  type: Type,
  inside: ReadonlySet<Type> = new Set()
): ReadonlyArray<Exclude<Type, RefType>> => {
  if (type.kind === "union") return type.members.flatMap((member) => members(member, inside))
  if (type.kind !== "ref") return [type]
  return inside.has(type) ? [] : members(type.get(), new Set(inside).add(type))
}

const mostMembers = 200

/** Values of any of the types. */
export const union = (types: ReadonlyArray<Type>): Type => {
  const found: Array<Type> = []
  for (const type of types) {
    for (const member of type.kind === "union" ? type.members : [type]) {
      if (member.kind === "any") return any
      if (!found.some((other) => covers(other, member))) found.push(member)
    }
  }
  const kept = found.filter((type) => !found.some((other) => other !== type && covers(other, type)))
  if (kept.length > mostMembers) return any
  const [only] = kept
  return kept.length === 1 && only !== undefined ? only : { kind: "union", members: kept }
}

/** Whether a scalar type obviously contains another; used to keep unions short. */
const covers = (wide: Type, narrow: Type): boolean => {
  if (wide === narrow) return true
  switch (wide.kind) {
    case "null":
      return narrow.kind === "null"
    case "boolean":
      return narrow.kind === "boolean" && (wide.value === undefined || wide.value === narrow.value)
    case "number":
      if (narrow.kind !== "number") return false
      return wide.value === undefined ? !wide.integer || narrow.integer : wide.value === narrow.value
    case "string":
      if (narrow.kind !== "string") return false
      return wide.value === undefined ? wide.format === undefined : wide.value === narrow.value
    default:
      return false
  }
}

export const nullable = (type: Type): Type => union([type, nothing])

/** The type of an optional value: null counts as omitted. */
export const orAbsent = (type: Type): Type => ({
  kind: "union",
  members: [...members(type), nothing],
  nullIsAbsent: true
})

/** Whether null is among the values. */
export const mayBeNull = (type: Type): boolean =>
  members(type).some((member) => member.kind === "null" || member.kind === "any")

/** The names of the fields that objects of the type may have. */
export const fieldNames = (type: Type): ReadonlyArray<string> =>
  members(type).flatMap((member) => (member.kind === "object" ? Array.from(member.fields.keys()) : []))

/** The types of the fields of an object, listed and others. */
export const fieldTypes = (object: ObjectType): ReadonlyArray<Type> =>
  Array.from(object.fields.values(), (field) => field.type).concat(object.rest ?? [])

/** The type without null. */
export const withoutNull = (type: Type): Type => {
  const all = members(type)
  return all.some((member) => member.kind === "null")
    ? union(all.filter((member) => member.kind !== "null"))
    : type
}

/** Whether the type has no values: nothing more needs to be said about it. */
export const isNever = (type: Type): boolean => members(type).length === 0
