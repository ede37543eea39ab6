import { onlyAmount } from "../../extraction/values/Money.ts"
import { isNode, merged, type Node, pointed, typesOf } from "./SampleOf.ts"

/** The depth to which values are aligned. */
const maxDepth = 64
/** Longer strings are sentences about a number. */
const longestNumber = 40

/**
 * A nearly right answer as its schema has it: numbers and booleans out of strings, keys spelled a little otherwise, null
 * or an object of nulls for what is left out and may be that, without what was not asked for, without a wrapper around it. Nothing is invented:
 * what does not say the same is left as it is, and refused by the schema.
 */
export const aligned = (value: unknown, schema: Node, root: Node = schema, depth = 0): unknown => {
  const node = resolved(schema, root)
  if (node === undefined || depth > maxDepth) return value
  const inner = (next: unknown, part: unknown): unknown =>
    isNode(part) ? aligned(next, part, root, depth + 1) : next
  const known = branchesOf(node)
    .map((branch) => resolved(branch, root))
    .filter((branch) => branch !== undefined)
  if (known.length > 0) {
    const own = known.find((branch) => typesOf(branch).includes(typeOf(value)))
    return inner(value, own ?? known.find((branch) => !typesOf(branch).includes("null")))
  }
  const types = typesOf(node)
  if (types.length === 0 || value === undefined) return value
  if (value === null || (typeof value === "string" && !types.includes("string") && isNull(value)))
    return types.includes("null") ? null : value
  if (types.includes("object")) return alignedObject(value, node, inner)
  if (types.includes("array")) {
    const list = Array.isArray(value) ? value : (onlyList(value) ?? [value])
    return list.map((item: unknown) => inner(item, node["items"]))
  }
  return alignedScalar(value, types, node)
}

const branchesOf = (node: Node): ReadonlyArray<Node> =>
  [node["anyOf"], node["oneOf"]].flatMap((list: unknown) => (Array.isArray(list) ? list.filter(isNode) : []))

const resolved = (node: Node, root: Node): Node | undefined => {
  let at: unknown = node
  for (let step = 0; step < 8 && isNode(at) && typeof at["$ref"] === "string"; step++)
    at = pointed(root, at["$ref"])
  return isNode(at) ? (at["allOf"] === undefined ? at : merged(at)) : undefined
}

const typeOf = (value: unknown): string =>
  value === null
    ? "null"
    : Array.isArray(value)
      ? "array"
      : typeof value === "number" && Number.isInteger(value)
        ? "integer"
        : typeof value

const isNull = (text: string): boolean =>
  /^\s*(?:n\s?\/\s?a|null|none|nil|nan|undefined|unknown|[-–—]*)\s*$/iu.test(text)

/** The list inside an object that has nothing else. */
const onlyList = (value: unknown): ReadonlyArray<unknown> | undefined => {
  const inside = isNode(value) ? Object.values(value) : []
  const [only] = inside
  return inside.length === 1 && Array.isArray(only) ? only : undefined
}

const plainKey = (key: string): string => key.replace(/[^\p{L}\p{N}]/gu, "").toLowerCase()

const alignedObject = (
  value: unknown,
  node: Node,
  inner: (value: unknown, part: unknown) => unknown
): unknown => {
  const properties = isNode(node["properties"]) ? node["properties"] : {}
  const names = Object.keys(properties)
  const only = Array.isArray(value) && value.length === 1 ? value[0] : value
  // Models give the value alone where they are to say where it is as well.
  const given = isNode(only)
    ? only
    : "value" in properties && !Array.isArray(only)
      ? { value: only }
      : undefined
  if (given === undefined) return only
  const object = withoutWrapper(given, names)
  const keys = new Map(Object.keys(object).map((key) => [plainKey(key), key]))
  const required: ReadonlyArray<unknown> = Array.isArray(node["required"]) ? node["required"] : []
  const found: Record<string, unknown> = {}
  const used = new Set<string>()
  for (const name of names) {
    const key = Object.hasOwn(object, name) ? name : keys.get(plainKey(name))
    const part = properties[name]
    if (key !== undefined && !used.has(key)) {
      used.add(key)
      const own = inner(object[key], part)
      // A model that must name every property returns null for a missing optional one.
      if (own === null && !required.includes(name) && isNode(part) && nothingOf(part) !== null) continue
      found[name] = own === null && required.includes(name) && isNode(part) ? emptyOf(part) : own
    } else if (required.includes(name)) {
      // A row given without the object around its cells.
      const nested = isNode(part) && isNode(part["properties"]) ? part["properties"] : {}
      const cells = Object.entries(object).filter(
        ([own]) => Object.hasOwn(nested, own) && !names.includes(own)
      )
      if (cells.length > 0) {
        for (const [own] of cells) used.add(own)
        found[name] = inner(Object.fromEntries(cells), part)
      } else {
        const none = isNode(part) ? nothingOf(part) : undefined
        if (none !== undefined) found[name] = none
      }
    }
  }
  if (node["additionalProperties"] === false) return found
  for (const [key, own] of Object.entries(object))
    if (!used.has(key)) found[key] = inner(own, node["additionalProperties"])
  return found
}

/** What an answer means by null in place of what is required. */
const emptyOf = (node: Node): unknown => (typesOf(node).includes("array") ? [] : (nothingOf(node) ?? null))

/** How an answer says that there is nothing: null, or an object of nulls where it is to say where a value is as well. */
const nothingOf = (node: Node): unknown => {
  if (typesOf(node).includes("null") || branchesOf(node).some((branch) => nothingOf(branch) === null))
    return null
  const properties = isNode(node["properties"]) ? Object.entries(node["properties"]) : []
  const members = properties.map(
    ([name, part]) => [name, isNode(part) ? nothingOf(part) : undefined] as const
  )
  return members.length > 0 && members.every(([, none]) => none === null)
    ? Object.fromEntries(members)
    : undefined
}

/** What is inside an object that has no key of its schema, but an object with some: `{ "fields": { … } }`. */
const withoutWrapper = (object: Node, names: ReadonlyArray<string>): Node => {
  const wanted = new Set(names.map(plainKey))
  const hasOne = (candidate: Node): boolean => Object.keys(candidate).some((key) => wanted.has(plainKey(key)))
  if (names.length === 0 || hasOne(object)) return object
  return Object.values(object).filter(isNode).find(hasOne) ?? object
}

const alignedScalar = (value: unknown, types: ReadonlyArray<unknown>, node: Node): unknown => {
  const isNumber = types.includes("number") || types.includes("integer")
  if (typeof value === "string" && !types.includes("string")) {
    const text = value.trim()
    // In JSON a point sets decimals apart.
    if (isNumber) return (text.length > longestNumber ? undefined : onlyAmount(text, ".")?.value) ?? value
    if (types.includes("boolean"))
      return /^(?:true|yes)$/iu.test(text) ? true : /^(?:false|no)$/iu.test(text) ? false : value
  }
  if ((typeof value === "number" && !isNumber) || (typeof value === "boolean" && !types.includes("boolean")))
    return types.includes("string") ? listed(String(value), node) : value
  return typeof value === "string" ? listed(value, node) : value
}

/** One of the listed values that differs in case, spaces and signs alone. */
const listed = (text: string, node: Node): string => {
  const values: ReadonlyArray<unknown> = Array.isArray(node["enum"]) ? node["enum"] : []
  if (values.includes(text)) return text
  const found = values.find((one) => typeof one === "string" && plainKey(one) === plainKey(text))
  return typeof found === "string" ? found : text
}
