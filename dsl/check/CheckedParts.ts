import { Duration, Option, Result } from "effect"
import type { Condition } from "../model/CheckedFlow.ts"
import { presentIf } from "../expression/ExpressionLogic.ts"
import { parseExpression } from "../expression/Expression.ts"
import { expressionScope, type FlowScope } from "./FlowScope.ts"
import type { Path } from "../source/Problem.ts"
import type { Problems } from "../source/Problems.ts"
import type { ScalarNode, SourceNode } from "../source/Source.ts"
import { evaluator, splitText } from "../expression/Template.ts"
import { readCondition } from "../expression/TemplateExpression.ts"
import { literal, members, type Type } from "../types/Type.ts"
import { parseDuration } from "../model/Words.ts"

interface StepIdNode extends ScalarNode {
  readonly value: string
}

const isText = (node: ScalarNode): node is StepIdNode => typeof node.value === "string"

/** The position and text of a step's id. */
export const idOf = (node: SourceNode): StepIdNode | undefined => {
  const id = node.kind === "map" ? node.entries.get("id")?.value : undefined
  return id?.kind === "scalar" && isText(id) ? id : undefined
}

/** The ids of some steps. */
export const idsOf = (nodes: ReadonlyArray<SourceNode>): ReadonlyArray<string> =>
  nodes.flatMap((node) => idOf(node)?.value ?? [])

/** The duration of a string that was checked by the schema of the definition. */
export const durationOf = (text: string): Duration.Duration =>
  Option.getOrElse(parseDuration(text), () => Duration.zero)

/** A condition: how to evaluate it, and its type, which is a literal if the value is always the same. */
export interface ReadCondition {
  readonly judge: Condition
  readonly type: Type
  /** The paths that cannot be null if it holds, such as `steps.a.b`. */
  readonly present: ReadonlyArray<string>
}

/** Reads an `if` or a `when`: a boolean or an expression; undefined if there is none. */
export const readWhen = (
  node: SourceNode | undefined,
  path: Path,
  scope: FlowScope,
  problems: Problems
): ReadCondition | undefined => {
  if (node?.kind !== "scalar") return undefined
  const { value } = node
  if (typeof value === "boolean") {
    const result = Result.succeed(value)
    return { judge: () => result, type: literal(value), present: [] }
  }
  if (typeof value !== "string") return undefined
  const context = { problems, scope: expressionScope(scope), extraFields: "ignored" } as const
  const template = readCondition(node, value, path, context, context.scope)
  const evaluate = evaluator(template)
  return {
    judge: (given) => Result.map(evaluate(given), (judged) => judged === true),
    type: template.type,
    present: presentWhere(value)
  }
}

/** What is known where a condition holds; nothing if it is not a single valid expression. */
const presentWhere = (text: string): ReadonlyArray<string> => {
  const parts = splitText(text.trim())
  const [only] = parts
  if (only === undefined || parts.length > 1 || only.kind === "unclosed") return []
  const parsed = parseExpression(only.kind === "text" ? only.text : only.source)
  return Result.isSuccess(parsed) ? presentIf(parsed.success, true) : []
}

/** Whether a condition always has this value. */
export const isAlways = (type: Type, value: boolean): boolean => {
  const all = members(type)
  return all.length > 0 && all.every((member) => member.kind === "boolean" && member.value === value)
}
