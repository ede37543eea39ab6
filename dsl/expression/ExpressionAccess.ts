import type { ASTNode } from "@marcbachmann/cel-js"
import { type Analyse, type Analysis, pathOf, textOf, type Typed } from "./ExpressionAnalysis.ts"
import { didYouMean } from "../source/Nearest.ts"
import * as Type from "../types/Type.ts"
import { describe } from "../types/TypeDescribe.ts"
import { elementOf, fieldOf } from "../types/Values.ts"

/** A bare name: a local, or one of the roots. */
export const analyseName = (node: ASTNode, name: string, analysis: Analysis): Typed => {
  const index = analysis.locals.findLastIndex((local) => local.name === name)
  const local = analysis.locals[index]
  if (local !== undefined) {
    return { type: narrowed(local.type, name, analysis), compute: (frame) => frame.locals[index] ?? null }
  }
  const root = analysis.scope.fields.get(name)
  if (root !== undefined) {
    return { type: narrowed(root.type, name, analysis), compute: (frame) => fieldOf(frame.scope, name) }
  }
  const known = [...analysis.scope.fields.keys(), ...analysis.locals.map((local) => local.name)]
  analysis.report(
    node,
    `Unknown name "${name}". Available: ${known.join(", ")}.`,
    rootSuggestion(name, analysis)
  )
  return wrong
}

/** `base.field`, or a whole path of names at once. */
export const analyseField = (node: ASTNode & { op: "." }, analyse: Analyse, analysis: Analysis): Typed => {
  const [baseNode, name] = node.args
  const base = analyse(baseNode, analysis)
  const type = fieldType(node, base.type, analysis)
  const path = pathOf(node)
  const fullType = path === undefined ? type : narrowed(type, path, analysis)
  return { type: fullType, compute: (frame) => fieldOf(base.compute(frame), name) }
}

/** `base[index]`: an element of a list, or a field of an object. */
export const analyseIndex = (node: ASTNode & { op: "[]" }, analyse: Analyse, analysis: Analysis): Typed => {
  const base = analyse(node.args[0], analysis)
  const index = analyse(node.args[1], analysis)
  const type = Type.nullable(indexType(node, base.type, index.type, analysis))
  return {
    type,
    compute: (frame) => {
      const key = index.compute(frame)
      if (typeof key === "number") return elementOf(base.compute(frame), key)
      return typeof key === "string" ? fieldOf(base.compute(frame), key) : null
    }
  }
}

/** The result for a part that has been reported as wrong, so that it is reported only once. */
export const wrong: Typed = { type: Type.never, compute: () => null }

const narrowed = (type: Type.Type, path: string, analysis: Analysis): Type.Type =>
  analysis.present.has(path) ? Type.withoutNull(type) : type

const rootSuggestion = (name: string, analysis: Analysis): string | undefined => {
  const steps = analysis.scope.fields.get("steps")?.type
  const variables = analysis.scope.fields.get("variables")?.type
  if (steps?.kind === "object" && steps.fields.has(name)) return `Did you mean "steps.${name}"?`
  if (variables?.kind === "object" && variables.fields.has(name)) return `Did you mean "variables.${name}"?`
  return didYouMean(name, [...analysis.scope.fields.keys(), ...analysis.locals.map((local) => local.name)])
}

const fieldType = (node: ASTNode & { op: "." }, base: Type.Type, analysis: Analysis): Type.Type => {
  const [baseNode, name] = node.args
  const found: Array<Type.Type> = []
  let missing = false
  for (const member of Type.members(base)) {
    const type = memberField(member, name)
    if (type === undefined) missing = true
    else found.push(type)
  }
  const known = found.filter((type) => type.kind !== "null")
  if (known.length === 0 && missing) {
    reportField(node, baseNode, base, analysis)
    return Type.never
  }
  return missing ? Type.nullable(Type.union(found)) : Type.union(found)
}

const memberField = (member: Type.Type, name: string): Type.Type | undefined => {
  if (member.kind === "any") return Type.any
  if (member.kind === "null") return Type.nothing
  if (member.kind !== "object") return undefined
  const field = member.fields.get(name)
  if (field !== undefined) return field.optional ? Type.nullable(field.type) : field.type
  return member.rest === undefined ? undefined : Type.nullable(member.rest)
}

const reportField = (
  node: ASTNode & { op: "." },
  baseNode: ASTNode,
  base: Type.Type,
  analysis: Analysis
): void => {
  const name = node.args[1]
  const at = textOf(baseNode)
  const objects = Type.members(base).filter((member) => member.kind === "object")
  if (objects.length === 0) {
    const suggestion = Type.members(base).some((member) => member.kind === "list")
      ? `Take an element, as in ${at}[0], or all of them, as in ${at}.map(x, x.${name}).`
      : undefined
    return analysis.report(node.pos, `${at} is ${describe(base)}; it has no field "${name}".`, suggestion)
  }
  const names = Type.fieldNames(base)
  const hint = at === "steps" ? analysis.stepHint(name) : undefined
  if (hint !== undefined) return analysis.report(node.pos, hint)
  const subject = at === "steps" ? `No step is called "${name}"` : `${at} has no field "${name}"`
  return analysis.report(node.pos, `${subject}; ${listed(names)}.`, didYouMean(name, names))
}

const mostListed = 12

const listed = (names: ReadonlyArray<string>): string => {
  if (names.length === 0) return "there is none"
  return `available: ${names.slice(0, mostListed).join(", ")}${names.length > mostListed ? ", …" : ""}`
}

const indexType = (
  node: ASTNode & { op: "[]" },
  base: Type.Type,
  index: Type.Type,
  analysis: Analysis
): Type.Type => {
  const [baseNode, indexNode] = node.args
  const found = Type.members(base).map((member) => memberElement(member, index))
  if (!found.includes(undefined) || Type.isNever(index))
    return Type.union(found.filter((type) => type !== undefined))
  const kinds = new Set(Type.members(base).map((member) => member.kind))
  if (kinds.has("list"))
    analysis.report(indexNode, `An array index must be a number; this is ${describe(index)}.`)
  else if (kinds.has("object")) {
    const names = Type.fieldNames(base)
    const [key] = Type.members(index).map((member) => (member.kind === "string" ? member.value : undefined))
    const reason =
      key === undefined
        ? `a field name must be a string; this is ${describe(index)}`
        : `it has no field "${key}"`
    analysis.report(indexNode, `${textOf(baseNode)} is an object: ${reason}.`, didYouMean(key ?? "", names))
  } else analysis.report(node, `${textOf(baseNode)} is ${describe(base)}; it has no elements.`)
  return Type.never
}

const memberElement = (member: Type.Type, index: Type.Type): Type.Type | undefined => {
  if (member.kind === "any" || member.kind === "null") return member
  const kinds = Type.members(Type.withoutNull(index))
  if (kinds.some((kind) => kind.kind === "any")) return Type.any
  if (member.kind === "list") return kinds.every((kind) => kind.kind === "number") ? member.items : undefined
  if (member.kind !== "object" || !kinds.every((kind) => kind.kind === "string")) return undefined
  const types = kinds.map((kind) =>
    kind.kind === "string" && kind.value !== undefined ? memberField(member, kind.value) : anyField(member)
  )
  return types.includes(undefined) ? undefined : Type.union(types.filter((type) => type !== undefined))
}

const anyField = (object: Type.ObjectType): Type.Type =>
  Type.union([...Type.fieldTypes(object), Type.nothing])
