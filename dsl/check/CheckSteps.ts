import type { CheckOptions } from "./Check.ts"
import { readBlock, type ReadBlock, type Reading } from "./CheckBlock.ts"
import type { FlowCall } from "../model/FlowCalls.ts"
import type { Problems } from "../source/Problems.ts"
import type { ListNode, MapNode, SourceNode } from "../source/Source.ts"
import { idOf } from "./StepIds.ts"
import type * as Type from "../types/Type.ts"

/** The maximum number of steps: more than a person can follow, and than can be checked quickly. */
const mostSteps = 500

/** Checks the steps of a flow, one after the other. */
export const checkSteps = <R>(
  root: MapNode,
  variables: Type.Type,
  { flows, registry }: Pick<CheckOptions<R>, "flows" | "registry">,
  problems: Problems
): ReadBlock<R> & Pick<Reading<R>, "calls"> => {
  const list = root.entries.get("steps")?.value
  const calls: Array<FlowCall> = []
  const reading = { registry, flows, problems, calls, readBlock }
  const steps: ListNode =
    list?.kind === "list" ? list : { kind: "list", items: [], start: root.start, end: root.end }
  const inside = stepsInside(steps)
  const count = steps.items.length + inside.size
  if (count > mostSteps) {
    const message = `The flow has ${count} steps, nested ones included; the limit is ${mostSteps}.`
    problems.add(steps, ["steps"], message, "Use a loop for steps that repeat.")
    return { ...readBlock({ ...steps, items: [] }, ["steps"], { ...nothing, variables }, reading), calls }
  }
  const start = {
    ...nothing,
    variables,
    inside
  }
  return { ...readBlock(steps, ["steps"], start, reading), calls }
}

const nothing = {
  steps: new Map(),
  allSteps: new Set<string>(),
  inside: new Map(),
  around: [],
  locals: new Map(),
  present: new Set<string>()
}

/** The ids of nested steps, each with the outermost step that contains it. */
const stepsInside = (steps: ListNode): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const visit = (node: SourceNode, outermost: string): void => {
    if (node.kind === "list") for (const item of node.items) visit(item, outermost)
    if (node.kind !== "map") return
    const id = idOf(node)?.value
    if (id !== undefined && !found.has(id)) found.set(id, outermost)
    for (const [key, { value }] of node.entries) if (key !== "with") visit(value, outermost)
  }
  for (const step of steps.items) {
    const id = idOf(step)?.value
    if (step.kind !== "map" || id === undefined) continue
    for (const [key, { value }] of step.entries) if (key !== "with") visit(value, id)
  }
  return found
}
