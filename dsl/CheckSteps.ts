import type { CheckedStep } from "./CheckedFlow.ts"
import { readStep, type ReadStep } from "./CheckStep.ts"
import type { Step } from "./FlowDefinition.ts"
import { type FlowScope, withStep } from "./FlowScope.ts"
import type { Path } from "./Problem.ts"
import type { Problems } from "./Problems.ts"
import type { MapNode, ScalarNode, SourceNode } from "./Source.ts"
import type { StepRegistry } from "./StepRegistry.ts"
import type * as Type from "./Type.ts"

/** The steps of a flow as far as they could be read. */
export interface ReadSteps<R> {
  /** What can be referred to after the last step. */
  readonly scope: FlowScope
  /** Makes the checked steps; to be called when the whole flow is without problems. */
  readonly finish: (definitions: ReadonlyArray<Step>) => ReadonlyArray<CheckedStep<R>>
}

/** Checks the steps of a flow, one after the other. */
export const checkSteps = <R>(
  root: MapNode,
  variables: Type.Type,
  registry: StepRegistry<R>,
  problems: Problems
): ReadSteps<R> => {
  const list = root.entries.get("steps")?.value
  const nodes = list?.kind === "list" ? list.items : []
  const ids = nodes.map(idOf)
  checkDuplicates(ids, problems)
  const start: FlowScope = {
    variables,
    steps: new Map(),
    allSteps: new Set(ids.flatMap((id) => (id === undefined ? [] : [id.value])))
  }
  return readBlock(nodes, ["steps"], start, registry, problems)
}

interface StepIdNode extends ScalarNode {
  readonly value: string
}

const isText = (node: ScalarNode): node is StepIdNode => typeof node.value === "string"

const idOf = (node: SourceNode): StepIdNode | undefined => {
  const id = node.kind === "map" ? node.entries.get("id")?.value : undefined
  return id?.kind === "scalar" && isText(id) ? id : undefined
}

const checkDuplicates = (ids: ReadonlyArray<StepIdNode | undefined>, problems: Problems): void => {
  const seen = new Set<string>()
  for (const [index, id] of ids.entries()) {
    if (id === undefined) continue
    if (seen.has(id.value))
      problems.add(id, ["steps", index, "id"], `Another step is called "${id.value}" already.`)
    seen.add(id.value)
  }
}

/** A list of steps, each of which sees those before it. */
const readBlock = <R>(
  nodes: ReadonlyArray<SourceNode>,
  path: Path,
  start: FlowScope,
  registry: StepRegistry<R>,
  problems: Problems
): ReadSteps<R> => {
  let scope = start
  const finishers: Array<ReadStep<R>["finish"]> = []
  for (const [index, node] of nodes.entries()) {
    if (node.kind !== "map") continue
    const id = idOf(node)?.value
    const here = id === undefined ? scope : { ...scope, current: id }
    const step = readStep(node, [...path, index], here, registry, problems)
    finishers.push(step.finish)
    if (id !== undefined) scope = withStep(scope, id, step.output)
  }
  return {
    scope,
    finish: (definitions) =>
      definitions.flatMap((definition, index) => {
        const finish = finishers[index]
        return finish === undefined ? [] : [finish(definition)]
      })
  }
}
