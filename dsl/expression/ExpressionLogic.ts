import type { ASTNode } from "@marcbachmann/cel-js"
import { type Analyse, type Analysis, pathOf, textOf, type Typed } from "./ExpressionAnalysis.ts"
import { accepts, nullableAsOperands } from "./ExpressionOperators.ts"
import * as Type from "../types/Type.ts"
import { describe } from "../types/TypeDescribe.ts"

/** `&&` and `||` with three values: null unless the other side decides alone. */
export const analyseLogic = (
  node: ASTNode & { op: "&&" | "||" },
  analyse: Analyse,
  analysis: Analysis
): Typed => {
  const decisive = node.op === "||"
  const left = condition(node.args[0], analyse, analysis)
  const right = condition(node.args[1], analyse, knowing(analysis, node.args[0], !decisive))
  return {
    type: nullableAsOperands(Type.boolean, left.type, right.type),
    compute: (frame) => {
      const a = left.compute(frame)
      if (a === decisive) return decisive
      const b = right.compute(frame)
      if (b === decisive) return decisive
      return typeof a === "boolean" && typeof b === "boolean" ? !decisive : null
    }
  }
}

/** `!x` */
export const analyseNot = (node: ASTNode & { op: "!_" }, analyse: Analyse, analysis: Analysis): Typed => {
  const operand = condition(node.args, analyse, analysis)
  return {
    type: nullableAsOperands(Type.boolean, operand.type),
    compute: (frame) => {
      const value = operand.compute(frame)
      return typeof value === "boolean" ? !value : null
    }
  }
}

/** `condition ? a : b`; null when the condition is. */
export const analyseChoice = (node: ASTNode & { op: "?:" }, analyse: Analyse, analysis: Analysis): Typed => {
  const [conditionNode, yesNode, noNode] = node.args
  const asked = condition(conditionNode, analyse, analysis)
  const yes = analyse(yesNode, knowing(analysis, conditionNode, true))
  const no = analyse(noNode, knowing(analysis, conditionNode, false))
  return {
    type: nullableAsOperands(Type.union([yes.type, no.type]), asked.type),
    compute: (frame) => {
      const value = asked.compute(frame)
      if (typeof value !== "boolean") return null
      return value ? yes.compute(frame) : no.compute(frame)
    }
  }
}

/** An operand that must be a boolean. */
export const condition = (node: ASTNode, analyse: Analyse, analysis: Analysis): Typed => {
  const typed = analyse(node, analysis)
  if (!accepts(typed.type, ["boolean"])) {
    analysis.report(
      node,
      `A condition must be a boolean; ${textOf(node)} is ${describe(typed.type)}.`,
      conditionAdvice(node, typed.type)
    )
  }
  return typed
}

const conditionAdvice = (node: ASTNode, type: Type.Type): string | undefined => {
  if (accepts(type, ["list", "string"])) return `Did you mean "size(${textOf(node)}) > 0"?`
  return accepts(type, ["number", "object"]) ? `Did you mean "${textOf(node)} != null"?` : undefined
}

/** What else is known if `node` evaluates to `truth`. */
export const knowing = (analysis: Analysis, node: ASTNode, truth: boolean): Analysis => {
  const found = presentIf(node, truth)
  return found.length === 0 ? analysis : { ...analysis, present: new Set([...analysis.present, ...found]) }
}

/** The paths that cannot be null if `node` evaluates to `truth`. */
export const presentIf = (node: ASTNode, truth: boolean): ReadonlyArray<string> => {
  switch (node.op) {
    case "!_":
      return presentIf(node.args, !truth)
    case "&&":
    case "||":
      return (node.op === "&&") === truth ? node.args.flatMap((part) => presentIf(part, truth)) : []
    case "call":
      return node.args[0] === "has" && truth ? node.args[1].flatMap(withPrefixes) : []
    case "==":
    case "!=":
      if (isNull(node.args[0]) || isNull(node.args[1])) {
        return (node.op === "!=") === truth ? node.args.flatMap(withPrefixes) : []
      }
      return node.args.flatMap(withPrefixes)
    case "<":
    case "<=":
    case ">":
    case ">=":
      return node.args.flatMap(withPrefixes)
    default:
      return withPrefixes(node)
  }
}

const isNull = (node: ASTNode): boolean => node.op === "value" && node.args === null

/** A path that is not null, with the objects that lead to it. */
const withPrefixes = (node: ASTNode): ReadonlyArray<string> => {
  const path = pathOf(node)
  if (path === undefined) return []
  const parts = path.split(".")
  return parts.map((_, index) => parts.slice(0, index + 1).join("."))
}
