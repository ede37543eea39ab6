import type { ASTNode } from "@marcbachmann/cel-js"
import type { Analysis, Typed } from "./ExpressionAnalysis.ts"
import { textOf } from "./ExpressionAnalysis.ts"
import * as Type from "../types/Type.ts"
import { describe } from "../types/TypeDescribe.ts"
import { mismatch } from "../types/TypeFits.ts"
import { type Budget, finite, isList, same, spend, spendLooking } from "../types/Values.ts"

type Kind = Type.Type["kind"]
type Operate = (left: unknown, right: unknown, budget: Budget) => unknown

/** `+ - * / %`, on numbers; `+` also joins strings and arrays. */
export const analyseArithmetic = (
  node: ASTNode,
  op: string,
  left: Typed,
  right: Typed,
  analysis: Analysis
): Typed => {
  const kinds: ReadonlyArray<Kind> = op === "+" ? ["number", "string", "list"] : ["number"]
  const kind = commonKind(left.type, right.type, kinds)
  if (kind === undefined) {
    const what = op === "+" ? "adds two numbers, two strings or two arrays" : "takes two numbers"
    analysis.report(
      node,
      `"${op}" ${what}; these are ${describe(left.type)} and ${describe(right.type)}.`,
      conversion(op, left, right, node)
    )
    return { type: Type.never, compute: () => null }
  }
  const type = arithmeticType(op, kind, left.type, right.type)
  const operate = arithmetic[op] ?? (() => null)
  return { type: nullableAsOperands(type, left.type, right.type), compute: operation(left, right, operate) }
}

/** `< <= > >=`, on two numbers or two strings. */
export const analyseOrder = (
  node: ASTNode,
  op: string,
  left: Typed,
  right: Typed,
  analysis: Analysis
): Typed => {
  if (commonKind(left.type, right.type, ["number", "string"]) === undefined) {
    analysis.report(
      node,
      `"${op}" compares two numbers or two strings; these are ${describe(left.type)} and ${describe(right.type)}.`
    )
  }
  const judge = order[op] ?? (() => false)
  const operate: Operate = (a, b, budget) => {
    if (typeof a === "number" && typeof b === "number") return judge(a, b)
    if (typeof a !== "string" || typeof b !== "string") return null
    return spendLooking(budget, Math.min(a.length, b.length)) ? judge(a, b) : null
  }
  return {
    type: nullableAsOperands(Type.boolean, left.type, right.type),
    compute: operation(left, right, operate)
  }
}

/**
 * `==` and `!=`. Compared with a literal `null`, they test whether there is a value; otherwise, null makes the result
 * null.
 */
export const analyseEquality = (
  node: ASTNode,
  op: "==" | "!=",
  left: Typed,
  right: Typed,
  analysis: Analysis
): Typed => {
  const wanted = op === "=="
  if (left.type.kind === "null" || right.type.kind === "null") {
    const asked = left.type.kind === "null" ? right : left
    return { type: Type.boolean, compute: (frame) => ((asked.compute(frame) ?? null) === null) === wanted }
  }
  if (neverEqual(left.type, right.type)) {
    const verdict = wanted ? "never true" : "always true"
    analysis.report(
      node,
      `This is ${verdict}: it compares ${describe(left.type)} with ${describe(right.type)}.`
    )
  }
  const operate: Operate = (a, b, budget) => same(a, b, budget) === wanted
  return {
    type: nullableAsOperands(Type.boolean, left.type, right.type),
    compute: operation(left, right, operate)
  }
}

/** `x in list`, or `name in object`. */
export const analyseIn = (node: ASTNode, left: Typed, right: Typed, analysis: Analysis): Typed => {
  const containers = Type.members(Type.withoutNull(right.type))
  if (!containers.every((type) => ["list", "object", "any"].includes(type.kind))) {
    const suggestion = containers.every((type) => type.kind === "string")
      ? "Write text.contains(part)."
      : undefined
    analysis.report(
      node,
      `"in" takes an array or an object on the right; this is ${describe(right.type)}.`,
      suggestion
    )
  } else if (containers.some((type) => type.kind === "object") && !accepts(left.type, ["string"])) {
    analysis.report(node, `Field names are strings; this looks for ${describe(left.type)}.`)
  } else if (
    containers.every((type) => type.kind === "list" && neverEqual(left.type, type.items)) &&
    containers.length > 0
  ) {
    analysis.report(
      node,
      `This is never true: it looks for ${describe(left.type)} in ${describe(right.type)}.`
    )
  }
  return {
    type: nullableAsOperands(Type.boolean, left.type, right.type),
    compute: operation(left, right, isIn)
  }
}

const isIn: Operate = (value, container, budget) => {
  if (isList(container)) return container.some((element) => same(value, element, budget))
  return typeof container === "object" &&
    container !== null &&
    typeof value === "string" &&
    spendLooking(budget, value.length)
    ? Object.hasOwn(container, value)
    : null
}

/** `-x` */
export const analyseMinus = (node: ASTNode, operand: Typed, analysis: Analysis): Typed => {
  if (!accepts(operand.type, ["number"])) {
    analysis.report(node, `"-" takes a number; ${textOf(node).slice(1).trim()} is ${describe(operand.type)}.`)
  }
  return {
    type: nullableAsOperands(negated(operand.type), operand.type),
    compute: (frame) => {
      const value = operand.compute(frame)
      return typeof value === "number" ? 0 - value : null
    }
  }
}

/** Whether all values that are not null are of these kinds. */
export const accepts = (type: Type.Type, kinds: ReadonlyArray<Kind>): boolean =>
  Type.members(type).every(
    (member) => member.kind === "any" || member.kind === "null" || kinds.includes(member.kind)
  )

/** The type of a result that is null when an operand is. */
export const nullableAsOperands = (result: Type.Type, ...operands: ReadonlyArray<Type.Type>): Type.Type =>
  operands.some(Type.mayBeNull) ? Type.nullable(result) : result

const operation =
  (left: Typed, right: Typed, operate: Operate): Typed["compute"] =>
  (frame) => {
    const a = left.compute(frame)
    if (a === null) return null
    const b = right.compute(frame)
    return b === null ? null : operate(a, b, frame.budget)
  }

const onNumbers =
  (operate: (left: number, right: number) => number | null): Operate =>
  (left, right) =>
    typeof left === "number" && typeof right === "number" ? operate(left, right) : null

const arithmetic: Readonly<Record<string, Operate>> = {
  "+": (left, right, budget) => {
    if (typeof left === "number" && typeof right === "number") return finite(left + right)
    if (typeof left === "string" && typeof right === "string") {
      return spend(budget, (left.length + right.length) / 16) ? left + right : null
    }
    if (!isList(left) || !isList(right)) return null
    return spend(budget, left.length + right.length) ? [...left, ...right] : null
  },
  "-": onNumbers((left, right) => finite(left - right)),
  "*": onNumbers((left, right) => finite(left * right)),
  "/": onNumbers((left, right) => (right === 0 ? null : finite(left / right))),
  "%": onNumbers((left, right) => (right === 0 ? null : left % right))
}

const order: Readonly<Record<string, (left: number | string, right: number | string) => boolean>> = {
  "<": (left, right) => left < right,
  "<=": (left, right) => left <= right,
  ">": (left, right) => left > right,
  ">=": (left, right) => left >= right
}

/** The kind that both operands have, "any" if one of them is unknown; undefined if they cannot be combined. */
const commonKind = (left: Type.Type, right: Type.Type, kinds: ReadonlyArray<Kind>): Kind | undefined => {
  const found = new Set([...Type.members(left), ...Type.members(right)].map((member) => member.kind))
  found.delete("null")
  if ([...found].some((kind) => kind !== "any" && !kinds.includes(kind))) return undefined
  const known = [...found].filter((kind) => kind !== "any")
  if (known.length > 1) return undefined
  return known.length === 0 || found.has("any") ? "any" : known[0]
}

const arithmeticType = (op: string, kind: Kind, left: Type.Type, right: Type.Type): Type.Type => {
  if (op === "/" || op === "%") {
    const divisor = Type.members(right)
    const safe =
      divisor.length > 0 &&
      divisor.every((type) => type.kind === "number" && type.value !== undefined && type.value !== 0)
    return safe ? Type.number : Type.nullable(Type.number)
  }
  const both = [...Type.members(left), ...Type.members(right)]
  if (op !== "+" || kind === "number") {
    return both.every((type) => type.kind === "number" && type.integer) ? Type.integer : Type.number
  }
  if (kind === "string") return Type.string
  return kind === "list"
    ? Type.list(Type.union(both.flatMap((type) => (type.kind === "list" ? [type.items] : []))))
    : Type.any
}

const conversion = (op: string, left: Typed, right: Typed, node: ASTNode): string | undefined => {
  if (op !== "+" || node.op !== "+") return undefined
  const [number, text] = [left, right].map((side) => accepts(side.type, ["number"]))
  if (number === text || ![left, right].some((side) => accepts(side.type, ["string"]))) return undefined
  return `Convert the number: string(${textOf(number ? node.args[0] : node.args[1])}).`
}

const neverEqual = (left: Type.Type, right: Type.Type): boolean => {
  const lefts = Type.members(Type.withoutNull(left))
  const rights = Type.members(Type.withoutNull(right))
  if (lefts.length === 0 || rights.length === 0) return false
  return !lefts.some((one) => rights.some((other) => mayBeEqual(one, other)))
}

const mayBeEqual = (one: Type.Type, other: Type.Type): boolean => {
  if (one.kind === "any" || other.kind === "any") return true
  if (one.kind === "list" || one.kind === "object") return one.kind === other.kind
  if (one.kind === "number" && other.kind === "number") {
    return one.value === undefined || other.value === undefined || one.value === other.value
  }
  const compare = { extraFields: "ignored" } as const
  return mismatch(one, other, compare) === undefined || mismatch(other, one, compare) === undefined
}

const negated = (type: Type.Type): Type.Type => {
  const numbers = Type.members(Type.withoutNull(type))
  const [only] = numbers
  if (numbers.length === 1 && only?.kind === "number" && only.value !== undefined)
    return Type.literal(-only.value)
  return numbers.every((member) => member.kind === "number" && member.integer) ? Type.integer : Type.number
}
