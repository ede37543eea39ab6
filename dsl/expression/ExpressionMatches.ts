import type { ASTNode } from "@marcbachmann/cel-js"
import { Result } from "effect"
import { type Analyse, type Analysis, type Typed, textOf } from "./ExpressionAnalysis.ts"
import { wrong } from "./ExpressionAccess.ts"
import { accepts, nullableAsOperands } from "./ExpressionOperators.ts"
import { compilePattern } from "./Pattern.ts"
import * as Type from "../types/Type.ts"
import { describe } from "../types/TypeDescribe.ts"
import { spend } from "../types/Values.ts"

/**
 * `text.matches("pattern")`: the pattern must be a literal, so that it is compiled once and a faulty one is found
 * before a run.
 */
export const analyseMatches = (
  node: ASTNode,
  args: ReadonlyArray<ASTNode>,
  analyse: Analyse,
  analysis: Analysis
): Typed => {
  const [textNode, patternNode] = args
  if (args.length !== 2 || textNode === undefined || patternNode === undefined) {
    analysis.report(node, `matches must be called as text.matches("pattern").`)
    return wrong
  }
  const text = analyse(textNode, analysis)
  if (!accepts(text.type, ["string"])) {
    analysis.report(textNode, `matches takes a string; ${textOf(textNode)} is ${describe(text.type)}.`)
  }
  if (patternNode.op !== "value" || typeof patternNode.args !== "string") {
    analysis.report(patternNode, "The pattern of matches must be a literal string.")
    return wrong
  }
  const pattern = compilePattern(patternNode.args)
  if (Result.isFailure(pattern)) {
    analysis.report(patternNode, pattern.failure)
    return wrong
  }
  return {
    type: nullableAsOperands(Type.boolean, text.type),
    compute: (frame) => {
      const value = text.compute(frame)
      return typeof value === "string" && spend(frame.budget, value.length / 2)
        ? pattern.success(value)
        : null
    }
  }
}
