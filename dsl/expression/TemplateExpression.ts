import { Result } from "effect"
import { type CompiledExpression, compileExpression, type ExpressionScope } from "./Expression.ts"
import { ExpressionError } from "./EvaluationErrors.ts"
import { expressionBudget } from "./Scope.ts"
import type { Path } from "../source/Problem.ts"
import { offsetInScalar, type ScalarNode } from "../source/Source.ts"
import {
  constant,
  type Evaluate,
  evaluateAll,
  hasExpression,
  splitText,
  type Template,
  type TextPart
} from "./Template.ts"
import { reportMismatch } from "./TemplateMessages.ts"
import type { TemplateContext } from "./TemplateReader.ts"
import * as Type from "../types/Type.ts"
import { describe } from "../types/TypeDescribe.ts"
import { mismatch } from "../types/TypeFits.ts"
import { spend, toText } from "../types/Values.ts"

/** Reads a string with expressions in it. One that is a single expression keeps the type of its value. */
export const readText = (
  node: ScalarNode,
  text: string,
  place: Type.Type,
  path: Path,
  context: TemplateContext,
  scope: ExpressionScope
): Template => {
  const reading = new TextReading(node, path, context, scope)
  const parts = splitText(text.trim() === text ? text : trimAroundSingle(text))
  const [only] = parts
  if (parts.length === 1 && only?.kind === "expression")
    return reading.whole(only, text.indexOf("${{") - only.offset + 3, place)
  return reading.mixed(parts, place)
}

/** Reads a condition: an expression in `${{ … }}`, or bare. */
export const readCondition = (
  node: ScalarNode,
  text: string,
  path: Path,
  context: TemplateContext,
  scope: ExpressionScope
): Template => {
  const place = Type.nullable(Type.boolean)
  if (hasExpression(text)) return readText(node, text, place, path, context, scope)
  return new TextReading(node, path, context, scope).whole(
    { kind: "expression", source: text, offset: 0 },
    0,
    place
  )
}

/** YAML block strings end with a line feed, which means nothing around a single expression. */
const trimAroundSingle = (text: string): string => {
  const parts = splitText(text.trim())
  return parts.length === 1 && parts[0]?.kind === "expression" ? text.trim() : text
}

type ExpressionPart = Extract<TextPart, { readonly kind: "expression" }>

class TextReading {
  readonly #node: ScalarNode
  readonly #path: Path
  readonly #context: TemplateContext
  readonly #scope: ExpressionScope

  constructor(node: ScalarNode, path: Path, context: TemplateContext, scope: ExpressionScope) {
    this.#node = node
    this.#path = path
    this.#context = context
    this.#scope = scope
  }

  whole(part: ExpressionPart, shift: number, place: Type.Type): Template {
    const { expression, start } = this.#compile(part, shift)
    const problem = mismatch(expression.type, place, this.#context)
    if (problem !== undefined)
      reportMismatch(this.#context.problems, start, this.#path, part.source.trim(), problem)
    return { kind: "expression", node: this.#node, type: expression.type, evaluate: expression.evaluate }
  }

  mixed(parts: ReadonlyArray<TextPart>, place: Type.Type): Template {
    const problem = mismatch(Type.string, place, this.#context)
    if (problem !== undefined) {
      const message = `Expected ${describe(place)}; an expression with text around it is a string.`
      this.#context.problems.add(
        this.#node,
        this.#path,
        message,
        "Write the expression without text around it: ${{ … }}."
      )
    }
    const evaluates = parts.map((part): Evaluate => {
      if (part.kind === "text") return () => Result.succeed(part.text)
      if (part.kind === "unclosed") {
        this.#report(part.offset, "Missing }} after this ${{.")
        return () => Result.succeed("")
      }
      return this.#scalar(part).evaluate
    })
    if (parts.some((part) => part.kind === "unclosed")) return constant(this.#node, Type.never)
    return { kind: "expression", node: this.#node, type: Type.string, evaluate: joined(evaluates) }
  }

  #scalar(part: ExpressionPart): CompiledExpression {
    const { expression, start } = this.#compile(part, 0)
    const fits = Type.members(expression.type).every(
      (member) => member.kind !== "list" && member.kind !== "object"
    )
    if (!fits && !this.#context.problems.has(this.#path)) {
      const message = `Only strings, numbers and booleans can be part of a string; this is ${describe(expression.type)}.`
      this.#context.problems.add(
        start,
        this.#path,
        message,
        `For its JSON, write json(${part.source.trim()}).`
      )
    }
    return expression
  }

  #compile(
    part: ExpressionPart,
    shift: number
  ): { readonly expression: CompiledExpression; readonly start: number } {
    const { problems, ...expression } = compileExpression(part.source, this.#scope)
    for (const { offset, message, suggestion } of problems)
      this.#report(part.offset + shift + offset, message, suggestion)
    const first = part.source.length - part.source.trimStart().length
    return { expression, start: this.#offset(part.offset + shift + first) }
  }

  #report(index: number, message: string, suggestion?: string): void {
    this.#context.problems.add(this.#offset(index), this.#path, message, suggestion)
  }

  #offset(index: number): number {
    return offsetInScalar(this.#context.problems.source, this.#node, index)
  }
}

/** The maximum length of a string with expressions in it: nobody, person or model, reads a longer one. */
const longestText = 4 * 1024 * 1024

const joined = (evaluates: ReadonlyArray<Evaluate>): Evaluate => {
  const all = evaluateAll(evaluates)
  return (scope) =>
    Result.flatMap(all(scope), (values) => {
      const texts = values.map(toText)
      const length = texts.reduce((total, text) => total + text.length, 0)
      const shared = scope[expressionBudget]
      if (length <= longestText) {
        return shared === undefined || spend(shared, length / 16)
          ? Result.succeed(texts.join(""))
          : Result.fail(new ExpressionError({ expression: "", message: shared.spent }))
      }
      const message = `The string would have ${length} characters; at most ${longestText} are allowed.`
      return Result.fail(new ExpressionError({ expression: "", message }))
    })
}
