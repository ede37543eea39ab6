import { Result } from "effect"
import type { ExpressionError } from "./EvaluationErrors.ts"
import type { Scope } from "./Scope.ts"
import { type SourceNode, toJson } from "../source/Source.ts"
import type * as Type from "../types/Type.ts"

/** A string with `${{ … }}` in it, taken apart. Offsets count from the first character of the text. */
export type TextPart =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "expression"; readonly source: string; readonly offset: number }
  | { readonly kind: "unclosed"; readonly offset: number }

/** Whether a string has an expression in it. */
export const hasExpression = (text: string): boolean => text.includes("${{")

/** Takes a string apart into literal text and expressions. */
export const splitText = (text: string): ReadonlyArray<TextPart> => {
  const parts: Array<TextPart> = []
  let at = 0
  while (at < text.length) {
    const open = text.indexOf("${{", at)
    if (open === -1) break
    if (open > at) parts.push({ kind: "text", text: text.slice(at, open) })
    const close = closing(text, open + 3)
    if (close === undefined) return [...parts, { kind: "unclosed", offset: open }]
    parts.push({ kind: "expression", source: text.slice(open + 3, close), offset: open + 3 })
    at = close + 2
  }
  if (at < text.length) parts.push({ kind: "text", text: text.slice(at) })
  return parts
}

/** Finds the `}}` that ends an expression: not one in a string, and not the end of two nested maps. */
const closing = (text: string, from: number): number | undefined => {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '"' || character === "'") at = endOfText(text, at)
    else if (character === "{") depth++
    else if (character === "}" && depth > 0) depth--
    else if (character === "}" && text[at + 1] === "}") return at
  }
  return undefined
}

const endOfText = (text: string, open: number): number => {
  const quote = text[open]
  for (let at = open + 1; at < text.length; at++) {
    if (text[at] === "\\") at++
    else if (text[at] === quote) return at
  }
  return text.length
}

/** A value of a flow after its check, with the expressions in it compiled. */
export type Template = ConstantTemplate | ExpressionTemplate | ListTemplate | MapTemplate

interface TemplateBase {
  readonly node: SourceNode
  /** The type of its values. */
  readonly type: Type.Type
}

/** No expression anywhere in it. */
export interface ConstantTemplate extends TemplateBase {
  readonly kind: "constant"
  readonly value: unknown
}

/** An expression, or a string with expressions in it. */
export interface ExpressionTemplate extends TemplateBase {
  readonly kind: "expression"
  readonly evaluate: Evaluate
}

export interface ListTemplate extends TemplateBase {
  readonly kind: "list"
  readonly items: ReadonlyArray<Template>
}

export interface MapTemplate extends TemplateBase {
  readonly kind: "map"
  readonly entries: ReadonlyMap<string, MapTemplateEntry>
}

export interface MapTemplateEntry {
  readonly value: Template
  /** Whether a null is left out, because the key is optional and does not accept null. */
  readonly omitNull: boolean
}

/** Computes a value when a flow runs. */
export type Evaluate = (scope: Scope) => Result.Result<unknown, ExpressionError>

/** A template of a node that holds no expressions. */
export const constant = (node: SourceNode, type: Type.Type): ConstantTemplate => ({
  kind: "constant",
  node,
  type,
  value: toJson(node)
})

/** Compiles a template into the function that computes its value. Parts without expressions are computed once. */
export const evaluator = (template: Template): Evaluate => {
  switch (template.kind) {
    case "constant": {
      const result = Result.succeed(template.value)
      return () => result
    }
    case "expression":
      return template.evaluate
    case "list":
      return evaluateAll(template.items.map(evaluator))
    case "map":
      return evaluateFields(
        [...template.entries].map(([name, { value, omitNull }]) => ({
          name,
          omitNull,
          evaluate: evaluator(value)
        }))
      )
  }
}

/** Evaluates in order, up to the first failure. */
export const evaluateAll =
  <E>(parts: ReadonlyArray<(scope: Scope) => Result.Result<unknown, E>>) =>
  (scope: Scope): Result.Result<ReadonlyArray<unknown>, E> => {
    const values: Array<unknown> = []
    for (const evaluate of parts) {
      const result = evaluate(scope)
      if (Result.isFailure(result)) return Result.fail(result.failure)
      values.push(result.success)
    }
    return Result.succeed(values)
  }

/** A field of an object that is assembled when a flow runs. */
export interface FieldEvaluator<E> {
  readonly name: string
  readonly omitNull: boolean
  readonly evaluate: (scope: Scope) => Result.Result<unknown, E>
}

/** Evaluates fields in order into an object, up to the first failure. */
export const evaluateFields =
  <E>(fields: ReadonlyArray<FieldEvaluator<E>>, fixed: { readonly [name: string]: unknown } = {}) =>
  (scope: Scope): Result.Result<{ readonly [name: string]: unknown }, E> => {
    const made: { [name: string]: unknown } = { ...fixed }
    for (const { name, omitNull, evaluate } of fields) {
      const result = evaluate(scope)
      if (Result.isFailure(result)) return Result.fail(result.failure)
      if (result.success !== null || !omitNull) made[name] = result.success
    }
    return Result.succeed(made)
  }
