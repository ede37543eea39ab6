import { Predicate, Result } from "effect"
import { type CompareWithSchema, compileJsonSchema } from "../model/Ajv.ts"
import { didYouMean } from "../source/Nearest.ts"
import { compilePattern } from "../expression/ExpressionCalls.ts"
import type { Path } from "../source/Problem.ts"
import type { Problems } from "../source/Problems.ts"
import { type MapNode, nodeAt, type SourceNode, type Span, toJson } from "../source/Source.ts"
import { readTemplate } from "../expression/TemplateReader.ts"
import { fromJsonSchema } from "../types/JsonSchemaTypes.ts"

/** Checks and compiles a JSON Schema of a flow; undefined if it has problems. */
export const checkJsonSchema = (
  node: MapNode,
  path: Path,
  problems: Problems
): CompareWithSchema | undefined => {
  checkKeywords(node, path, problems)
  const schema = toJson(node)
  if (!Predicate.isObject(schema)) return undefined
  const compiled = compileJsonSchema(schema)
  if (Result.isSuccess(compiled)) return compiled.success
  for (const { message, path: inside } of compiled.failure) {
    const full = [...path, ...inside]
    if (!problems.touches(full)) problems.add(nodeAt(node, inside) ?? node, full, message)
  }
  return undefined
}

const subschema = [
  "additionalProperties",
  "items",
  "contains",
  "not",
  "if",
  "then",
  "else",
  "propertyNames",
  "unevaluatedItems",
  "unevaluatedProperties"
]
const subschemaLists = ["allOf", "anyOf", "oneOf", "prefixItems"]
const subschemaMaps = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]
const keywords = [
  ...subschema,
  ...subschemaLists,
  ...subschemaMaps,
  "$schema",
  "$id",
  "$ref",
  "$anchor",
  "$dynamicRef",
  "$dynamicAnchor",
  "$comment",
  "$vocabulary",
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "type",
  "enum",
  "const",
  "format",
  "pattern",
  "minLength",
  "maxLength",
  "minimum",
  "maximum",
  "exclusiveMinimum",
  "exclusiveMaximum",
  "multipleOf",
  "minItems",
  "maxItems",
  "uniqueItems",
  "minContains",
  "maxContains",
  "minProperties",
  "maxProperties",
  "required",
  "dependentRequired",
  "contentEncoding",
  "contentMediaType",
  "contentSchema"
]

/** A misspelt keyword would be ignored silently, so only known keywords and those that begin with `x-` are accepted. */
const checkKeywords = (node: SourceNode, path: Path, problems: Problems): void => {
  if (node.kind !== "map") return
  for (const [name, { key, value }] of node.entries) {
    const inside = [...path, name]
    if (!keywords.includes(name) && !name.startsWith("x-")) {
      problems.add(key, inside, `Unknown JSON Schema keyword "${name}".`, didYouMean(name, keywords))
    } else if (subschema.includes(name)) checkKeywords(value, inside, problems)
    else if (subschemaLists.includes(name) && value.kind === "list") {
      value.items.forEach((item, index) => checkKeywords(item, [...inside, index], problems))
    } else if (subschemaMaps.includes(name) && value.kind === "map") {
      for (const [field, entry] of value.entries) checkKeywords(entry.value, [...inside, field], problems)
    }
  }
  checkPatterns(node, path, problems)
  checkDefault(node, path, problems)
}

const checkPatterns = (node: MapNode, path: Path, problems: Problems): void => {
  const pattern = node.entries.get("pattern")?.value
  if (pattern !== undefined) checkPattern(toJson(pattern), pattern, [...path, "pattern"], problems)
  const patterns = node.entries.get("patternProperties")?.value
  if (patterns?.kind !== "map") return
  for (const [name, { key }] of patterns.entries) {
    checkPattern(name, key, [...path, "patternProperties", name], problems)
  }
}

const checkPattern = (pattern: unknown, at: Span, path: Path, problems: Problems): void => {
  if (typeof pattern !== "string") return
  const compiled = compilePattern(pattern)
  if (Result.isFailure(compiled)) problems.add(at, path, compiled.failure)
}

/** A run fills in defaults without validating them, so they are validated here. */
const checkDefault = (node: MapNode, path: Path, problems: Problems): void => {
  const value = node.entries.get("default")?.value
  if (value === undefined) return
  const schema = toJson({
    ...node,
    entries: new Map([...node.entries].filter(([name]) => name !== "default"))
  })
  const context = { problems, scope: undefined, extraFields: "refused" } as const
  const type = fromJsonSchema(schema, { closed: false })
  if (!node.entries.has("$ref")) readTemplate(value, type, [...path, "default"], context)
}
