import { Result, UndefinedOr } from "effect"
import type { CheckedBlock, CheckedStep } from "../model/CheckedFlow.ts"
import type { FindFlow, FlowCall } from "../model/FlowCalls.ts"
import { expressionScope, type FlowScope, withLocals, withPresent, withStep } from "./FlowScope.ts"
import type { Path } from "../source/Problem.ts"
import type { Problems } from "../source/Problems.ts"
import { type MapNode, type SourceNode, textAt } from "../source/Source.ts"
import { type ActionKey, actionKeys, type Block, type Step } from "../model/StepDefinition.ts"
import type { StepRegistry } from "../model/StepRegistry.ts"
import { type Evaluate, evaluator } from "../expression/Template.ts"
import { readTemplate } from "../expression/TemplateReader.ts"
import * as Type from "../types/Type.ts"
import { durationOf, idOf, idsOf, isAlways, readWhen } from "./CheckedParts.ts"
import { type ReadBody, readControlStep } from "./CheckControlSteps.ts"
import { readTask } from "./CheckTask.ts"
import { defined } from "../../src/support/Defined.ts"

/** A step, as far as it is valid: the type of its output, and its parts if its kind exists. */
interface ReadStep<R> {
  readonly output: Type.Type
  /** Whether it always ends the execution. */
  readonly isEnd: boolean
  /** Makes the checked step from its definition; called once the whole flow has no problems. */
  readonly finish: ((definition: Step) => CheckedStep<R> | undefined) | undefined
}

/** What an error handler sees under `error`. */
const errorType = Type.object({ code: Type.string, message: Type.string, step: Type.string })

/** Checks one step: against its kind, or as the action that it is. */
const readStep = <R>(node: MapNode, path: Path, scope: FlowScope, reading: Reading<R>): ReadStep<R> => {
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

/** What it takes to read steps; control steps use `readBlock`. */
export interface Reading<R> {
  readonly registry: StepRegistry<R>
  readonly flows: FindFlow<R> | undefined
  readonly problems: Problems
  /** The flows that steps call, added as they are found. */
  readonly calls: Array<FlowCall>
  readonly readBlock: typeof readBlock
}

/** A block, as far as it is valid. */
export interface ReadBlock<R> {
  /** What expressions after the last step can refer to. */
  readonly scope: FlowScope
  readonly output: Type.Type
  /** Whether it always ends the execution. */
  readonly isEnd: boolean
  /** Makes the checked block; called once the whole flow has no problems. */
  readonly finish: (definition: Block) => CheckedBlock<R>
}

/**
 * Checks a block: an array of steps, each of which sees those before it, or an object with such `steps` and an
 * `output`.
 */
export const readBlock = <R>(
  node: SourceNode,
  path: Path,
  around: FlowScope,
  reading: Reading<R>
): ReadBlock<R> => {
  const list = node.kind === "map" ? node.entries.get("steps")?.value : node
  const nodes = list?.kind === "list" ? list.items : []
  const start = { ...around, allSteps: new Set([...around.allSteps, ...idsOf(nodes)]) }
  const stepsPath = node.kind === "map" ? [...path, "steps"] : path
  checkIds(nodes, stepsPath, around, reading.problems)
  const steps = readSteps(nodes, stepsPath, start, reading)
  const output = readOutput(node, path, steps, reading)
  return {
    ...steps,
    output: output?.type ?? steps.last,
    finish: (definition) => {
      const definitions = "steps" in definition ? definition.steps : definition
      const made = definitions.flatMap((one, index) => steps.finishers[index]?.(one) ?? [])
      return {
        steps: made,
        output: output?.evaluate ?? lastOutput(definitions.at(-1)),
        size: made.reduce((total, { size }) => total + size, 0)
      }
    }
  }
}

const lastOutput = (last: Step | undefined): Evaluate => {
  const id = last?.id ?? ""
  return (scope) => Result.succeed(scope.steps[id] ?? null)
}

/** An id must be unique wherever it is visible; two branches may use the same one. */
const checkIds = (
  nodes: ReadonlyArray<SourceNode>,
  path: Path,
  around: FlowScope,
  problems: Problems
): void => {
  const seen = new Set(around.allSteps)
  for (const [index, node] of nodes.entries()) {
    const id = idOf(node)
    if (id === undefined) continue
    if (seen.has(id.value)) problems.add(id, [...path, index, "id"], `Duplicate step id "${id.value}".`)
    seen.add(id.value)
  }
}

interface ReadSteps<R> {
  readonly scope: FlowScope
  /** The type of the last step's output. */
  readonly last: Type.Type
  readonly isEnd: boolean
  readonly finishers: ReadonlyArray<ReadStep<R>["finish"]>
}

const readSteps = <R>(
  nodes: ReadonlyArray<SourceNode>,
  path: Path,
  start: FlowScope,
  reading: Reading<R>
): ReadSteps<R> => {
  let scope = start
  let last: Type.Type = Type.nothing
  let end: string | undefined
  const finishers: Array<ReadStep<R>["finish"]> = []
  for (const [index, node] of nodes.entries()) {
    if (node.kind !== "map") continue
    const id = idOf(node)?.value
    if (end !== undefined) reportUnreached(node, [...path, index], end, reading.problems)
    const step = readStep(node, [...path, index], { ...scope, around: [...scope.around, id ?? ""] }, reading)
    finishers.push(step.finish)
    last = step.output
    end = step.isEnd ? (id ?? "") : undefined
    if (id !== undefined) scope = withStep(scope, id, step.output)
  }
  return { scope, last, isEnd: end !== undefined, finishers }
}

const reportUnreached = (node: MapNode, path: Path, end: string, problems: Problems): void =>
  problems.add(
    node,
    path,
    `This step is never reached: "${end}" before it always fails.`,
    `Give "${end}" an \`if\`.`
  )

const readOutput = <R>(
  node: SourceNode,
  path: Path,
  { scope }: ReadSteps<R>,
  { problems }: Reading<R>
): { readonly type: Type.Type; readonly evaluate: Evaluate } | undefined => {
  const value = node.kind === "map" ? node.entries.get("output")?.value : undefined
  if (value === undefined) return undefined
  const template = readTemplate(value, Type.any, [...path, "output"], {
    problems,
    scope: expressionScope(scope),
    extraFields: "ignored"
  })
  return { type: template.type, evaluate: evaluator(template) }
}
