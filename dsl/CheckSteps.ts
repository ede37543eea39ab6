import { readBlock, type ReadBlock } from "./CheckBlock.ts"
import type { Problems } from "./Problems.ts"
import type { MapNode, SourceNode } from "./Source.ts"
import { idOf } from "./StepIds.ts"
import type { StepRegistry } from "./StepRegistry.ts"
import type * as Type from "./Type.ts"

/** Checks the steps of a flow, one after the other. */
export const checkSteps = <R>(
  root: MapNode,
  variables: Type.Type,
  registry: StepRegistry<R>,
  problems: Problems
): ReadBlock<R> => {
  const list = root.entries.get("steps")?.value
  const steps: SourceNode =
    list?.kind === "list" ? list : { kind: "list", items: [], start: root.start, end: root.end }
  const start = {
    variables,
    steps: new Map(),
    allSteps: new Set<string>(),
    inside: stepsInside(steps),
    around: [],
    locals: new Map()
  }
  return readBlock(steps, ["steps"], start, { registry, problems, readBlock })
}

/** The ids of the steps inside steps, each with the outermost step that it is in. */
const stepsInside = (steps: SourceNode): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const visit = (node: SourceNode, outermost: string): void => {
    if (node.kind === "list") for (const item of node.items) visit(item, outermost)
    if (node.kind !== "map") return
    const id = idOf(node)?.value
    if (id !== undefined && !found.has(id)) found.set(id, outermost)
    for (const [key, { value }] of node.entries) if (key !== "with") visit(value, outermost)
  }
  if (steps.kind === "list") {
    for (const step of steps.items) {
      const id = idOf(step)?.value
      if (step.kind !== "map" || id === undefined) continue
      for (const [key, { value }] of step.entries) if (key !== "with") visit(value, id)
    }
  }
  return found
}
