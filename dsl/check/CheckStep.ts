import { UndefinedOr } from "effect"
import type { CheckedStep } from "../model/CheckedFlow.ts"
import { durationOf, isAlways, readWhen } from "./CheckedParts.ts"
import type { Reading } from "./CheckBlock.ts"
import { readControlStep, type ReadBody } from "./CheckControlSteps.ts"
import { readTask } from "./CheckTask.ts"
import { type FlowScope, withLocals, withPresent } from "./FlowScope.ts"
import type { Path } from "../source/Problem.ts"
import type { Problems } from "../source/Problems.ts"
import { type MapNode, textAt } from "../source/Source.ts"
import { type Step, type ActionKey, actionKeys } from "../model/StepDefinition.ts"
import * as Type from "../types/Type.ts"
import { defined } from "../../src/support/Defined.ts"

/** A step, as far as it is valid: the type of its output, and its parts if its kind exists. */
export interface ReadStep<R> {
  readonly output: Type.Type
  /** Whether it always ends the execution. */
  readonly isEnd: boolean
  /** Makes the checked step from its definition; called once the whole flow has no problems. */
  readonly finish: ((definition: Step) => CheckedStep<R> | undefined) | undefined
}

/** What an error handler sees under `error`. */
const errorType = Type.object({ code: Type.string, message: Type.string, step: Type.string })

/** Checks one step: against its kind, or as the action that it is. */
export const readStep = <R>(
  node: MapNode,
  path: Path,
  scope: FlowScope,
  reading: Reading<R>
): ReadStep<R> => {
  const { problems } = reading
  const action = actionOf(node, path, problems)
  const condition = readWhen(node.entries.get("if")?.value, [...path, "if"], scope, problems)
  const inside = withPresent(scope, condition?.present)
  const body: ReadBody<R> =
    action === undefined || action === "uses"
      ? readTask(node, path, inside, reading)
      : readControlStep(action, node, path, inside, reading)
  const handler = readHandler(node, path, scope, reading)
  const isOptional = condition !== undefined && !isAlways(condition.type, true)
  const mayFailSilently = textAt(node, "onError") === "continue"
  const output = handler === undefined ? body.output : Type.union([body.output, handler.output])
  return {
    output: isOptional || mayFailSilently ? Type.nullable(output) : output,
    isEnd: body.isEnd && !isOptional && !mayFailSilently && handler === undefined,
    finish: (definition) => {
      const made = body.finish?.(definition)
      const handled = Array.isArray(definition.onError) ? handler?.finish(definition.onError) : undefined
      if (made === undefined) return undefined
      return {
        ...made,
        id: definition.id,
        onError: handled ?? (definition.onError === "continue" ? "continue" : "fail"),
        ...defined({
          condition: condition?.judge,
          timeout: UndefinedOr.map(definition.timeout, durationOf)
        })
      }
    }
  }
}

const readHandler = <R>(node: MapNode, path: Path, scope: FlowScope, reading: Reading<R>) => {
  const value = node.entries.get("onError")?.value
  if (value?.kind !== "list") return undefined
  return reading.readBlock(value, [...path, "onError"], withLocals(scope, { error: errorType }), reading)
}

/** Keys that only certain control steps have. */
const ownKeys: Readonly<Record<string, ActionKey>> = {
  with: "uses",
  retry: "uses",
  cache: "uses",
  output: "steps"
}

/** The key that says what a step does; reports a step that has none of these keys, or two. */
const actionOf = (node: MapNode, path: Path, problems: Problems): ActionKey | undefined => {
  const [action, other] = actionKeys.filter((name) => node.entries.has(name))
  if (action === undefined) {
    if (!problems.touches(path))
      problems.add(
        node,
        [...path, "uses"],
        '"uses" is missing here; a step has it, or one of parallel, forEach, switch, steps.'
      )
    return undefined
  }
  if (other !== undefined) {
    const at = node.entries.get(other)?.key ?? node
    problems.add(
      at,
      [...path, other],
      `A step cannot have both "${action}" and "${other}".`,
      "Split it into two steps."
    )
  }
  for (const [key, belongs] of Object.entries(ownKeys)) {
    const entry = node.entries.get(key)
    if (entry === undefined || action === belongs || other === belongs) continue
    problems.add(
      entry.key,
      [...path, key],
      `"${key}" belongs to a step with "${belongs}"; this one has "${action}".`
    )
  }
  return action
}
