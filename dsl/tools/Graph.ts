import { Predicate, Schema } from "effect"
import type { FlowDefinition } from "../model/FlowDefinition.ts"
import type { Block, Step } from "../model/StepDefinition.ts"

/** A step as it is drawn. */
export interface GraphNode {
  /** Its path, which is unique in the flow. */
  readonly path: string
  readonly title: string
  /** What it does: a step kind, or a control step with its details. */
  readonly kind: string
  readonly notes: ReadonlyArray<string>
  /** The blocks inside it; empty for a step kind. */
  readonly branches: ReadonlyArray<GraphBranch>
}

/** Steps one after the other. */
interface GraphBranch {
  readonly label: string
  readonly nodes: ReadonlyArray<GraphNode>
}

export const GraphNode: Schema.Codec<GraphNode> = Schema.Struct({
  path: Schema.String,
  title: Schema.String,
  kind: Schema.String,
  notes: Schema.Array(Schema.String),
  branches: Schema.Array(
    Schema.Struct({
      label: Schema.String,
      nodes: Schema.Array(Schema.suspend((): Schema.Codec<GraphNode> => GraphNode))
    })
  )
})

/** The steps of a flow, prepared for drawing. */
export const graphOf = ({ steps }: FlowDefinition): ReadonlyArray<GraphNode> => nodesOf(steps, "")

const nodesOf = (block: Block, prefix: string): ReadonlyArray<GraphNode> =>
  ("steps" in block ? block.steps : block).map((step) => nodeOf(step, `${prefix}${step.id}`))

const nodeOf = (step: Step, path: string): GraphNode => ({
  path,
  title: step.name ?? step.id,
  kind: kindOf(step),
  notes: [
    ...(step.if === undefined ? [] : [`if ${bare(step.if)}`]),
    ...(step.retry === undefined ? [] : [`up to ${step.retry.attempts} attempts`]),
    ...(step.timeout === undefined ? [] : [`at most ${step.timeout}`]),
    ...(step.onError === "continue" ? ["goes on when it fails"] : [])
  ],
  branches: [...branchesOf(step, path), ...handlerOf(step, path)]
})

const kindOf = (step: Step): string => {
  if (step.uses !== undefined) return step.uses
  if (step.parallel !== undefined) return "side by side"
  if (step.forEach !== undefined) return `for each ${step.forEach.as} in ${bare(step.forEach.in)}`
  return step.switch === undefined ? "steps" : "the first that holds"
}

const branchesOf = (step: Step, path: string): ReadonlyArray<GraphBranch> => {
  if (step.steps !== undefined) return [{ label: "", nodes: nodesOf(step.steps, `${path}.`) }]
  if (step.forEach !== undefined) return [{ label: "", nodes: nodesOf(step.forEach, `${path}.n.`) }]
  if (step.switch !== undefined) {
    const cases = step.switch.cases.map((one, index) => ({
      label: bare(one.when),
      nodes: nodesOf(one, `${path}.${index}.`)
    }))
    const last = step.switch.default
    return last === undefined
      ? cases
      : [...cases, { label: "else", nodes: nodesOf(last, `${path}.default.`) }]
  }
  const { parallel } = step
  if (parallel === undefined) return []
  return isSteps(parallel)
    ? parallel.map((one) => ({ label: "", nodes: nodesOf([one], `${path}.`) }))
    : Object.entries(parallel).map(([label, block]) => ({
        label,
        nodes: nodesOf(block, `${path}.${label}.`)
      }))
}

const handlerOf = ({ onError }: Step, path: string): ReadonlyArray<GraphBranch> =>
  onError === undefined || typeof onError === "string"
    ? []
    : [{ label: "when it fails", nodes: nodesOf(onError, `${path}.onError.`) }]

const isSteps = (parallel: NonNullable<Step["parallel"]>): parallel is ReadonlyArray<Step> =>
  Array.isArray(parallel)

/** An expression without its delimiters, or any other value as JSON. */
const bare = (value: unknown): string => {
  const text = Predicate.isString(value) ? value : JSON.stringify(value)
  return text.replace(/^\s*\$\{\{\s*|\s*\}\}\s*$/gu, "")
}
