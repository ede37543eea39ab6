import type { ScalarNode, SourceNode } from "../source/Source.ts"

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
