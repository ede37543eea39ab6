import type { ExpressionScope } from "./Expression.ts"
import { didYouMean, nearest } from "../source/Nearest.ts"
import type { Path } from "../source/Problem.ts"
import type { Problems } from "../source/Problems.ts"
import type { ListNode, MapNode, ScalarNode, SourceNode } from "../source/Source.ts"
import { constant, hasExpression, type MapTemplateEntry, type Template } from "./Template.ts"
import { reportLiteral } from "./TemplateMessages.ts"
import { readText } from "./TemplateExpression.ts"
import * as Type from "../types/Type.ts"
import { mismatch } from "../types/TypeFits.ts"

/** The context in which a value is read. */
export interface TemplateContext {
  readonly problems: Problems
  /** What expressions may refer to; undefined where none are evaluated. */
  readonly scope: ExpressionScope | undefined
  /** Paths whose expressions are evaluated elsewhere: here, they are plain strings. */
  readonly isDeferred?: (path: Path) => boolean
  /** Whether unknown fields are refused even in the value of an expression. */
  readonly extraFields: "refused" | "ignored"
}

/** Checks a value of the flow against the type that is expected, and compiles the expressions in it. */
export const readTemplate = (
  node: SourceNode,
  place: Type.Type,
  path: Path,
  context: TemplateContext
): Template => {
  const places = Type.members(place)
  if (node.kind === "scalar") return readScalar(node, place, path, context)
  if (places.some((member) => member.kind === "any")) return readFree(node, path, context)
  const near = places.filter((member) =>
    node.kind === "map" ? member.kind === "object" && member.isDocument !== true : member.kind === "list"
  )
  const chosen = near.length > 1 ? choose(node, near, path, context) : near[0]
  if (node.kind === "map" && chosen?.kind === "object") return readMap(node, chosen, path, context)
  if (node.kind === "list" && chosen?.kind === "list") return readList(node, chosen.items, path, context)
  reportLiteral(context.problems, node, place, path)
  return constant(node, Type.never)
}

const readScalar = (node: ScalarNode, place: Type.Type, path: Path, context: TemplateContext): Template => {
  if (typeof node.value === "string" && hasExpression(node.value)) {
    if (context.scope !== undefined) return readText(node, node.value, place, path, context, context.scope)
    if (context.isDeferred?.(path) !== true)
      context.problems.add(node, path, "Expressions are not allowed here.")
    return constant(node, Type.string)
  }
  const type = Type.literal(node.value)
  if (!context.problems.has(path) && mismatch(type, place, context) !== undefined)
    reportLiteral(context.problems, node, place, path)
  return constant(node, type)
}

/** A value of any type: only its expressions are checked. */
const readFree = (node: ListNode | MapNode, path: Path, context: TemplateContext): Template =>
  node.kind === "list"
    ? readList(node, Type.any, path, context)
    : readMap(node, { kind: "object", fields: new Map(), rest: Type.any }, path, context)

const readList = (node: ListNode, items: Type.Type, path: Path, context: TemplateContext): Template => {
  const read = node.items.map((item, index) => readTemplate(item, items, [...path, index], context))
  const type = Type.list(Type.union(read.map((item) => item.type)))
  return read.every((item) => item.kind === "constant")
    ? constant(node, type)
    : { kind: "list", node, type, items: read }
}

const readMap = (node: MapNode, place: Type.ObjectType, path: Path, context: TemplateContext): Template => {
  const entries = new Map<string, MapTemplateEntry>()
  const fields = new Map<string, Type.Field>()
  for (const [name, { key, value }] of node.entries) {
    const known = place.fields.get(name)
    const wanted = known?.type ?? place.rest
    if (wanted === undefined) reportUnknown(name, key.start, place, [...path, name], context)
    const optional = known?.optional ?? false
    const takesNull = wanted === undefined || Type.mayBeNull(wanted)
    const target = wanted === undefined ? Type.any : optional && !takesNull ? Type.orAbsent(wanted) : wanted
    const read = readTemplate(value, target, [...path, name], context)
    const omitNull = optional && !takesNull && Type.mayBeNull(read.type)
    entries.set(name, { value: read, omitNull })
    fields.set(name, { type: omitNull ? Type.withoutNull(read.type) : read.type, optional: omitNull })
  }
  reportMissing(node, place, path, context)
  const type: Type.Type = { kind: "object", fields, rest: undefined }
  const fixed = [...entries.values()].every(({ value, omitNull }) => value.kind === "constant" && !omitNull)
  return fixed ? constant(node, type) : { kind: "map", node, type, entries }
}

const reportUnknown = (
  name: string,
  at: number,
  place: Type.ObjectType,
  path: Path,
  context: TemplateContext
): void => {
  const names = [...place.fields.keys()]
  const known = names.length === 0 ? "no keys are allowed here" : `allowed: ${names.join(", ")}`
  context.problems.add(at, path, `Unknown key "${name}"; ${known}.`, didYouMean(name, names))
}

const reportMissing = (node: MapNode, place: Type.ObjectType, path: Path, context: TemplateContext): void => {
  const misspelt = new Set(misspellings(node, place))
  for (const [name, field] of place.fields) {
    if (field.optional || node.entries.has(name) || misspelt.has(name)) continue
    context.problems.add(node, [...path, name], `Missing required key "${name}".`)
  }
}

/** The known keys that unknown ones were most likely meant to be: they are not reported as missing as well. */
const misspellings = (node: MapNode, place: Type.ObjectType): ReadonlyArray<string> => {
  if (place.rest !== undefined) return []
  const names = [...place.fields.keys()]
  const unknown = [...node.entries.keys()].filter((name) => !place.fields.has(name))
  return unknown.map((name) => nearest(name, names)).filter((name) => name !== undefined)
}

/** Chooses among alternatives the one that the literal fields of the value select, or else the closest one. */
const choose = (
  node: ListNode | MapNode,
  places: ReadonlyArray<Type.Type>,
  path: Path,
  context: TemplateContext
): Type.Type | undefined => {
  const pointedAt = places.filter(
    (place) => node.kind === "map" && place.kind === "object" && literalsFit(node, place)
  )
  const candidates = pointedAt.length > 0 ? pointedAt : places
  const counted = candidates.map((place) => ({ place, count: countProblems(node, place, path, context) }))
  return counted.reduce(
    (best, next) => (next.count < best.count ? next : best),
    counted[0] ?? { place: undefined, count: 0 }
  ).place
}

const literalsFit = (node: MapNode, place: Type.ObjectType): boolean => {
  const fixed = [...place.fields].filter(([, field]) =>
    Type.members(field.type).every((member) => "value" in member && member.value !== undefined)
  )
  return fixed.some(([name, field]) => {
    const value = node.entries.get(name)?.value
    return (
      value?.kind === "scalar" &&
      Type.members(field.type).some((member) => "value" in member && member.value === value.value)
    )
  })
}

const countProblems = (node: SourceNode, place: Type.Type, path: Path, context: TemplateContext): number => {
  let count = 0
  const problems: Problems = { ...context.problems, add: () => void count++ }
  readTemplate(node, place, path, { ...context, problems })
  return count
}
