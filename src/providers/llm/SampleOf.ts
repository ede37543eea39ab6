import { Option } from "effect"

export type Node = { readonly [keyword: string]: unknown }
/** Whether a value is an object. */
export const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && !Array.isArray(value)
const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The depth to which recursive schemas are followed. */
const maxDepth = 32

/**
 * The smallest value that a JSON Schema allows: null if possible, otherwise its constant, its first listed value, its
 * default, its first example, or only what is required. None for a schema that recurses endlessly; patterns are
 * ignored.
 */
export const sampleOf = (schema: Node): Option.Option<unknown> => sample(schema, schema, 0)

const sample = (node: unknown, root: Node, depth: number): Option.Option<unknown> => {
  if (node === true) return Option.some(null)
  if (!isNode(node) || depth > maxDepth) return Option.none()
  if (typeof node["$ref"] === "string") return sample(pointed(root, node["$ref"]), root, depth + 1)
  const listed = listOf(node["enum"])
  if ("const" in node) return Option.some(node["const"])
  if (listed.length > 0) return Option.some(listed.includes(null) ? null : listed[0])
  const branches = [...listOf(node["anyOf"]), ...listOf(node["oneOf"])]
  if (branches.length > 0) return sampleOfBranches(branches, root, depth)
  if (node["allOf"] !== undefined) return sample(merged(node), root, depth + 1)
  const types = typesOf(node)
  if (types.length === 0 || types.includes("null")) return Option.some(null)
  if ("default" in node) return Option.some(node["default"])
  const [example] = listOf(node["examples"])
  return example === undefined ? sampleOfType(types[0], node, root, depth) : Option.some(example)
}

/** The types that a schema allows; none for any. */
export const typesOf = (node: Node): ReadonlyArray<unknown> => {
  if (node["type"] === undefined) return node["properties"] === undefined ? [] : ["object"]
  return Array.isArray(node["type"]) ? node["type"] : [node["type"]]
}

/** Null if one of them allows it, otherwise the value of the first that has one. */
const sampleOfBranches = (branches: ReadonlyArray<unknown>, root: Node, depth: number) => {
  const samples = branches.map((branch) => sample(branch, root, depth + 1)).filter(Option.isSome)
  return samples.find(({ value }) => value === null) ?? samples[0] ?? Option.none()
}

/** A schema with all that its `allOf` adds. */
export const merged = (node: Node): Node => {
  const parts = [node, ...listOf(node["allOf"]).filter(isNode)]
  return {
    ...Object.fromEntries(parts.flatMap((part) => Object.entries(part)).filter(([key]) => key !== "allOf")),
    ...(parts.some((part) => part["properties"] !== undefined)
      ? {
          properties: Object.assign({}, ...parts.map((part) => part["properties"])),
          required: parts.flatMap((part) => listOf(part["required"]))
        }
      : {})
  }
}

/** The part of a schema that a reference points to. */
export const pointed = (root: Node, ref: string): unknown => {
  if (!ref.startsWith("#")) return undefined
  let at: unknown = root
  for (const key of ref.slice(1).split("/").filter(Boolean)) {
    at = isNode(at) ? at[key.replaceAll("~1", "/").replaceAll("~0", "~")] : undefined
  }
  return at
}

const sampleOfType = (type: unknown, node: Node, root: Node, depth: number): Option.Option<unknown> => {
  switch (type) {
    case "object":
      return objectSample(node, root, depth)
    case "array": {
      const size = Math.min(numberAt(node, "minItems") ?? 0, 1000)
      return size === 0
        ? Option.some([])
        : Option.map(sample(node["items"] ?? true, root, depth + 1), (item) => Array(size).fill(item))
    }
    case "number":
    case "integer":
      return Option.some(numberSample(node, type === "integer"))
    case "boolean":
      return Option.some(false)
    default:
      return Option.some(stringSample(node))
  }
}

const objectSample = (node: Node, root: Node, depth: number): Option.Option<unknown> => {
  const properties = isNode(node["properties"]) ? node["properties"] : {}
  const entries = listOf(node["required"]).map((key) =>
    Option.map(
      sample(properties[String(key)] ?? true, root, depth + 1),
      (value) => [String(key), value] as const
    )
  )
  return Option.map(Option.all(entries), (found) => Object.fromEntries(found))
}

const numberAt = (node: Node, keyword: string): number | undefined => {
  const value = node[keyword]
  return typeof value === "number" ? value : undefined
}

/** The number nearest to zero within the bounds, or the first multiple above the lower bound. */
const numberSample = (node: Node, whole: boolean): number => {
  const above = numberAt(node, "exclusiveMinimum")
  const below = numberAt(node, "exclusiveMaximum")
  const step = numberAt(node, "multipleOf") ?? (whole ? 1 : undefined)
  const lower = Math.max(
    numberAt(node, "minimum") ?? -Infinity,
    above === undefined ? -Infinity : above + (step ?? 1e-3)
  )
  const upper = Math.min(
    numberAt(node, "maximum") ?? Infinity,
    below === undefined ? Infinity : below - (step ?? 1e-3)
  )
  const nearest = Math.min(Math.max(0, lower), upper)
  if (step === undefined) return nearest
  return nearest > 0 ? Math.ceil(nearest / step) * step : Math.floor(nearest / step) * step
}

const stringSample = (node: Node): string => {
  if (node["format"] === "date") return "2000-01-01"
  if (node["format"] === "date-time") return "2000-01-01T00:00:00Z"
  const shortest = Math.min(numberAt(node, "minLength") ?? 0, 10_000)
  return "echo".padEnd(shortest, ".").slice(0, Math.max(shortest, numberAt(node, "maxLength") ?? Infinity))
}
