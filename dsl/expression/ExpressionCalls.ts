import type { ASTNode } from "@marcbachmann/cel-js"
import { type Analyse, type Analysis, textOf, type Typed } from "./ExpressionAnalysis.ts"
import { wrong } from "./ExpressionAccess.ts"
import { analyseMacro, isMacro, macroNames } from "./ExpressionMacros.ts"
import type { FunctionKind, Parameter } from "./FunctionKind.ts"
import { functionNames, functionsNamed } from "./Functions.ts"
import { didYouMean } from "../source/Nearest.ts"
import * as Type from "../types/Type.ts"
import { describe } from "../types/TypeDescribe.ts"
import { Result } from "effect"
import { accepts, nullableAsOperands } from "./ExpressionOperators.ts"
import { spend } from "../types/Values.ts"
import { RE2JS } from "re2js"

/**
 * Compiles a regular expression of a flow, in RE2 syntax. It matches anywhere in the text, in time linear in the length
 * of the text.
 */
export const compilePattern = (pattern: string): Result.Result<(text: string) => boolean, string> =>
  Result.try({
    try: () => {
      const compiled = RE2JS.compile(pattern)
      return (text: string) => compiled.matcher(text).find()
    },
    catch: (cause) =>
      `Unsupported regular expression: ${cause instanceof Error ? cause.message : String(cause)}.`
  })

/**
 * `text.matches("pattern")`: the pattern must be a literal, so that it is compiled once and a faulty one is found
 * before a run.
 */
const analyseMatches = (
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

/** `f(a, b)` and `a.f(b)`, which are equivalent. */
export const analyseCall = (
  node: ASTNode,
  name: string,
  args: ReadonlyArray<ASTNode>,
  analyse: Analyse,
  analysis: Analysis
): Typed => {
  if (name === "coalesce") return analyseCoalesce(node, args, analyse, analysis)
  if (name === "has") return analyseHas(node, args, analyse, analysis)
  if (name === "matches") return analyseMatches(node, args, analyse, analysis)
  if (isMacro(name)) return analyseMacro(node, name, args, analyse, analysis)
  const overloads = functionsNamed(name)
  const typed = args.map((arg) => analyse(arg, analysis))
  if (overloads.length === 0) {
    const names = [...functionNames, ...macroNames, "coalesce", "has", "matches"]
    analysis.report(node, `Unknown function "${name}".`, otherName(name) ?? didYouMean(name, names))
    return wrong
  }
  const overload = chooseOverload(overloads, typed)
  if (overload === undefined) {
    analysis.report(
      node,
      `${name} must be called as ${overloads.map((kind) => kind.usage).join(" or ")}; here it has ${counted(args.length)}.`
    )
    return wrong
  }
  return call(overload, args, typed, analysis)
}

const counted = (count: number): string => (count === 1 ? "1 argument" : `${count} arguments`)

const otherNames: Readonly<Record<string, string>> = {
  len: "size",
  length: "size",
  count: "size",
  toLowerCase: "lower",
  lowerAscii: "lower",
  toUpperCase: "upper",
  upperAscii: "upper",
  includes: "contains",
  concat: "+",
  default: "coalesce",
  ifNull: "coalesce",
  avg: "average",
  mean: "average",
  str: "string",
  toString: "string",
  unique: "distinct",
  some: "exists",
  any: "exists",
  every: "all"
}

const otherName = (name: string): string | undefined =>
  Object.hasOwn(otherNames, name) ? `Did you mean "${otherNames[name]}"?` : undefined

const chooseOverload = (
  overloads: ReadonlyArray<FunctionKind>,
  args: ReadonlyArray<Typed>
): FunctionKind | undefined => {
  const fitting = overloads.filter((overload) => overload.parameters.length === args.length)
  return (
    fitting.find((overload) => overload.parameters.every((parameter, i) => takes(parameter, args[i]))) ??
    fitting[0]
  )
}

const takes = (parameter: Parameter<unknown>, arg: Typed | undefined): boolean =>
  arg !== undefined && parameter.accepts(arg.type)

const call = (
  overload: FunctionKind,
  nodes: ReadonlyArray<ASTNode>,
  args: ReadonlyArray<Typed>,
  analysis: Analysis
): Typed => {
  overload.parameters.forEach((parameter, index) => {
    const [arg, node] = [args[index], nodes[index]]
    if (arg === undefined || node === undefined || parameter.accepts(arg.type)) return
    analysis.report(
      node,
      `${overload.name} takes ${parameter.words}; ${textOf(node)} is ${describe(arg.type)}.`
    )
  })
  const computes = args.map((arg) => arg.compute)
  return {
    type: callType(overload, args),
    compute: (frame) => {
      const values = computes.map((compute) => compute(frame))
      return values.includes(null) ? null : (overload.run(values, frame.budget) ?? null)
    }
  }
}

const callType = (overload: FunctionKind, args: ReadonlyArray<Typed>): Type.Type => {
  const types = args.map((arg) => arg.type)
  if (types.some(Type.isNever)) return Type.never
  const result = typeof overload.result === "function" ? overload.result(types) : overload.result
  const uncertain = types.some(
    (type, index) => Type.mayBeNull(type) || overload.parameters[index]?.uncertain(type) === true
  )
  return uncertain ? Type.nullable(result) : result
}

/** `coalesce(a, b, …)`: the first that is not null. */
const analyseCoalesce = (
  node: ASTNode,
  args: ReadonlyArray<ASTNode>,
  analyse: Analyse,
  analysis: Analysis
): Typed => {
  const typed = args.map((arg) => analyse(arg, analysis))
  if (args.length < 2) analysis.report(node, "coalesce(a, b, …) needs at least two arguments.")
  const types = typed.map((arg) => arg.type)
  const last = types.at(-1) ?? Type.nothing
  const type = Type.union([...types.slice(0, -1).map(Type.withoutNull), last])
  const sure = types.some((candidate) => !Type.mayBeNull(candidate))
  return {
    type: sure ? Type.withoutNull(type) : type,
    compute: (frame) => {
      for (const arg of typed) {
        const value = arg.compute(frame)
        if (value !== null) return value
      }
      return null
    }
  }
}

/** `has(a.b)`: whether the value is not null. */
const analyseHas = (
  node: ASTNode,
  args: ReadonlyArray<ASTNode>,
  analyse: Analyse,
  analysis: Analysis
): Typed => {
  const [arg] = args.map((candidate) => analyse(candidate, analysis))
  if (arg === undefined || args.length !== 1) {
    analysis.report(node, "has(path) takes one argument.")
    return wrong
  }
  return { type: Type.boolean, compute: (frame) => arg.compute(frame) !== null }
}
