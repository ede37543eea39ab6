import type { Reading } from "./CheckBlock.ts"
import type { ReadBody } from "./CheckControlSteps.ts"
import type { FlowScope } from "./FlowScope.ts"
import type { Path } from "../source/Problem.ts"
import type { SourceNode } from "../source/Source.ts"
import type { Block, Step } from "../model/StepDefinition.ts"
import { idOf } from "./StepIds.ts"
import * as Type from "../types/Type.ts"
import { isList } from "../types/Values.ts"

interface BranchNode {
  readonly name: string
  readonly segment: string
  readonly node: SourceNode
  readonly path: Path
}

/** Checks parallel branches: none of them sees the steps of another. */
export const readParallel = <R>(
  node: SourceNode,
  path: Path,
  scope: FlowScope,
  reading: Reading<R>
): ReadBody<R> => {
  const nodes = branchesOf(node, path)
  checkNames(node, nodes, reading)
  const branches = nodes.map(({ name, node: inside, path: at, segment }) => ({
    name,
    segment,
    read: reading.readBlock(inside, at, scope, reading)
  }))
  return {
    output: Type.object(Object.fromEntries(branches.map(({ name, read }) => [name, read.output]))),
    isEnd: branches.some(({ read }) => read.isEnd),
    finish: ({ parallel }) => {
      const made = branches.flatMap(({ name, read, segment }, index) => {
        const definition = branchDefinition(parallel, name, index)
        return definition === undefined ? [] : [{ name, segment, block: read.finish(definition) }]
      })
      return {
        action: "parallel",
        branches: made,
        size: made.reduce((total, { block }) => total + block.size, 0)
      }
    }
  }
}

/** In an array, each step is a branch, named by its id. */
const branchesOf = (node: SourceNode, path: Path): ReadonlyArray<BranchNode> => {
  if (node.kind === "map") {
    return [...node.entries].map(([name, { value }]) => ({
      name,
      segment: `${name}.`,
      node: value,
      path: [...path, name]
    }))
  }
  if (node.kind !== "list") return []
  return node.items.map((item, index) => ({
    name: idOf(item)?.value ?? String(index),
    segment: "",
    node: { kind: "map", start: item.start, end: item.end, entries: onlySteps(item) },
    path: [...path, index]
  }))
}

const onlySteps = (item: SourceNode) =>
  new Map([
    [
      "steps",
      { key: item, value: { kind: "list", items: [item], start: item.start, end: item.end } as const }
    ]
  ])

const checkNames = <R>(
  node: SourceNode,
  branches: ReadonlyArray<BranchNode>,
  { problems }: Reading<R>
): void => {
  if (node.kind === "map") {
    const handler = node.entries.get("onError")
    const path = branches.find(({ name }) => name === "onError")?.path ?? []
    if (handler !== undefined)
      problems.add(handler.key, path, 'A branch cannot be called "onError".', "Put onError next to parallel.")
    return
  }
  const seen = new Set<string>()
  for (const { name, node: branch, path } of branches) {
    if (seen.has(name)) problems.add(branch, [...path, "id"], `Duplicate step id "${name}".`)
    seen.add(name)
  }
}

const branchDefinition = (
  parallel: ReadonlyArray<Step> | { readonly [name: string]: Block } | undefined,
  name: string,
  index: number
): Block | undefined => {
  if (parallel === undefined) return undefined
  if (!isList(parallel)) return parallel[name]
  const step = parallel[index]
  return step === undefined ? undefined : [step]
}
