import * as Type from "../types/Type.ts"
import { type ASTNode, Environment, ParseError } from "@marcbachmann/cel-js"
import { Result } from "effect"
import { ExpressionError } from "./EvaluationErrors.ts"
import { analyseField, analyseIndex, analyseName, wrong } from "./ExpressionAccess.ts"
import type { Analysis, Typed } from "./ExpressionAnalysis.ts"
import { analyseCall } from "./ExpressionCalls.ts"
import { analyseChoice, analyseLogic, analyseNot } from "./ExpressionLogic.ts"
import {
  analyseArithmetic,
  analyseEquality,
  analyseIn,
  analyseMinus,
  analyseOrder
} from "./ExpressionOperators.ts"
import { expressionBudget, type Scope } from "./Scope.ts"
import { fullBudget, spend } from "../types/Values.ts"
import { defined } from "../../src/support/Defined.ts"

/** A mistake in the text of an expression; `offset` counts from the expression's first character. */
interface SyntaxProblem {
  readonly offset: number
  readonly message: string
  readonly suggestion?: string
}

const longest = 4000

// Only the library's parser is used: its evaluator has bigints, and null does not propagate.
const environment = new Environment({
  unlistedVariablesAreDyn: true,
  homogeneousAggregateLiterals: false,
  limits: { maxAstNodes: 2000, maxDepth: 60 }
})

/** Parses one CEL expression. */
export const parseExpression = (text: string): Result.Result<ASTNode, SyntaxProblem> => {
  if (text.trim() === "") return Result.fail({ offset: 0, message: "The expression is empty." })
  if (text.length > longest) {
    return Result.fail({
      offset: 0,
      message: `The expression is longer than ${longest} characters, the limit.`
    })
  }
  return Result.try({ try: () => environment.parse(text).ast, catch: (cause) => syntaxProblem(text, cause) })
}

const syntaxProblem = (text: string, cause: unknown): SyntaxProblem => {
  if (!(cause instanceof ParseError)) return { offset: 0, message: "The expression cannot be parsed." }
  const offset = Math.min(cause.range?.start ?? 0, text.length)
  return { offset, message: wording(text, offset, cause), ...advice(text, offset) }
}

const wording = (text: string, offset: number, error: ParseError): string => {
  if (offset >= text.trimEnd().length) return "The expression is incomplete."
  switch (error.code) {
    case "unterminated_string":
    case "unterminated_triple_quoted_string":
      return "Missing closing quote."
    case "expected_token":
    case "unexpected_token":
    case "unexpected_character":
      return `"${/^(?:\w+|.)/u.exec(text.slice(offset))?.[0] ?? ""}" does not belong here.`
    case "reserved_identifier":
      return `"${/^\w+/u.exec(text.slice(offset))?.[0] ?? ""}" is a reserved word of CEL.`
    case "invalid_macro_argument":
      return "The first argument names the element, as in list.map(x, …)."
    case "limit_exceeded":
      return "The expression is too complex. Split it over several steps."
    default:
      return `${error.summary.replace(/\.?$/u, "")}.`
  }
}

const otherLanguages: ReadonlyArray<readonly [RegExp, string]> = [
  [/^===/u, 'Write "==".'],
  [/^!==/u, 'Write "!=".'],
  [/^=(?!=)/u, 'Equality is written "==".'],
  [/^\?\?/u, 'For "a, or b if a is null", write coalesce(a, b).'],
  [/^(?:\?\.|\.\?)/u, 'A plain "." is enough: a field of null is null.'],
  [/^and\b/u, 'Write "&&".'],
  [/^or\b/u, 'Write "||".'],
  [/^not\b/u, 'Write "!".'],
  [/^\|(?!\|)/u, "There are no pipes. Call a function: lower(x)."],
  [/^=>/u, "Write list.map(x, …) instead of a function."]
]

const advice = (text: string, offset: number): { readonly suggestion?: string } => {
  for (const start of [offset - 2, offset - 1, offset]) {
    const rest = text.slice(Math.max(0, start))
    const found = otherLanguages.find(([pattern]) => pattern.test(rest))
    if (found !== undefined) return { suggestion: found[1] }
  }
  return {}
}

/** What an expression may refer to. */
export interface ExpressionScope {
  /** The types of `input`, `variables`, `steps` and, inside a loop, `item`. */
  readonly types: Type.ObjectType
  /** Says why a step that exists cannot be referred to here. */
  readonly stepHint?: (id: string) => string | undefined
  /** The paths that are known not to be null, as `steps.a.b`. */
  readonly present?: ReadonlySet<string>
}

/** A checked expression: the type of its values, and how to compute them. */
export interface CompiledExpression {
  readonly type: Type.Type
  readonly evaluate: (scope: Scope) => Result.Result<unknown, ExpressionError>
}

/**
 * Parses, checks and compiles an expression. An expression with problems compiles to null, so that the rest of the flow
 * can be checked.
 */
export const compileExpression = (
  text: string,
  scope: ExpressionScope
): CompiledExpression & { readonly problems: ReadonlyArray<SyntaxProblem> } => {
  const parsed = parseExpression(text)
  if (Result.isFailure(parsed)) {
    return { type: Type.never, evaluate: () => Result.succeed(null), problems: [parsed.failure] }
  }
  const problems: Array<SyntaxProblem> = []
  const typed = analyse(parsed.success, {
    scope: scope.types,
    stepHint: scope.stepHint ?? (() => undefined),
    locals: [],
    present: scope.present ?? new Set(),
    report: (at, message, suggestion) => {
      const offset = typeof at === "number" ? at : at.start
      problems.push({ offset, message, ...defined({ suggestion }) })
    }
  })
  return { type: typed.type, evaluate: evaluation(text.trim(), typed), problems }
}

const evaluation =
  (text: string, typed: Typed): CompiledExpression["evaluate"] =>
  (scope) => {
    const all = scope[expressionBudget] ?? { left: fullBudget, spent: spentByOne }
    if (!spend(all, 1)) return Result.fail(new ExpressionError({ expression: text, message: all.spent }))
    const most = Math.min(fullBudget, all.left)
    const budget = { left: most }
    const value = typed.compute({ scope, locals: [], budget })
    all.left -= most - budget.left
    if (budget.left >= 0) return Result.succeed(value)
    const message = most < fullBudget ? all.spent : spentByOne
    return Result.fail(new ExpressionError({ expression: text, message }))
  }

const spentByOne = `The expression exceeds its budget of ${fullBudget} operations: too many elements, or too long a string.`

const analyse = (node: ASTNode, analysis: Analysis): Typed => {
  switch (node.op) {
    case "value":
      return analyseLiteral(node, analysis)
    case "id":
      return analyseName(node, node.args, analysis)
    case ".":
      return analyseField(node, analyse, analysis)
    case "[]":
      return analyseIndex(node, analyse, analysis)
    case ".?":
    case "[?]":
      analysis.report(node, "Optional access is not needed: a field of null is null.")
      return wrong
    case "list":
      return analyseList(node, analysis)
    case "map":
      return analyseMap(node, analysis)
    case "call":
      return analyseCall(node, node.args[0], node.args[1], analyse, analysis)
    case "rcall":
      return analyseCall(node, node.args[0], [node.args[1], ...node.args[2]], analyse, analysis)
    case "&&":
    case "||":
      return analyseLogic(node, analyse, analysis)
    case "!_":
      return analyseNot(node, analyse, analysis)
    case "-_":
      return analyseMinus(node, analyse(node.args, analysis), analysis)
    case "?:":
      return analyseChoice(node, analyse, analysis)
    default:
      return analyseBinary(node, analysis)
  }
}

type BinaryNode = Extract<
  ASTNode,
  { readonly op: "+" | "-" | "*" | "/" | "%" | "<" | "<=" | ">" | ">=" | "==" | "!=" | "in" }
>

const analyseBinary = (node: BinaryNode, analysis: Analysis): Typed => {
  const left = analyse(node.args[0], analysis)
  const right = analyse(node.args[1], analysis)
  switch (node.op) {
    case "==":
    case "!=":
      return analyseEquality(node, node.op, left, right, analysis)
    case "in":
      return analyseIn(node, left, right, analysis)
    case "<":
    case "<=":
    case ">":
    case ">=":
      return analyseOrder(node, node.op, left, right, analysis)
    default:
      return analyseArithmetic(node, node.op, left, right, analysis)
  }
}

const analyseLiteral = (node: ASTNode & { op: "value" }, analysis: Analysis): Typed => {
  const value = typeof node.args === "bigint" ? Number(node.args) : node.args
  if (
    value === null ||
    typeof value === "string" ||
    typeof value === "boolean" ||
    typeof value === "number"
  ) {
    if (typeof node.args === "bigint" && !Number.isSafeInteger(value)) {
      analysis.report(node, "This number is too large to be exact.")
    }
    return { type: Type.literal(value), compute: () => value }
  }
  analysis.report(node, "Bytes and unsigned numbers are not supported.")
  return wrong
}

const analyseList = (node: ASTNode & { op: "list" }, analysis: Analysis): Typed => {
  const items = node.args.map((item) => analyse(item, analysis))
  return {
    type: Type.list(Type.union(items.map((item) => item.type))),
    compute: (frame) => items.map((item) => item.compute(frame))
  }
}

const analyseMap = (node: ASTNode & { op: "map" }, analysis: Analysis): Typed => {
  const entries = node.args.flatMap(([keyNode, valueNode]) => {
    const value = analyse(valueNode, analysis)
    const key = keyNode.op === "value" && typeof keyNode.args === "string" ? keyNode.args : undefined
    if (key !== undefined && key !== "__proto__") return [{ key, value }]
    const suggestion = keyNode.op === "id" ? `Write {"${keyNode.args}": …}.` : undefined
    analysis.report(keyNode, "A key must be a string in quotes.", suggestion)
    return []
  })
  return {
    type: Type.object(Object.fromEntries(entries.map(({ key, value }) => [key, value.type]))),
    compute: (frame) => Object.fromEntries(entries.map(({ key, value }) => [key, value.compute(frame)]))
  }
}
