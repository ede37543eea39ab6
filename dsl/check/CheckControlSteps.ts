import type { CheckedStep, CheckedSwitch } from "../model/CheckedFlow.ts"
import type { ReadBlock, Reading } from "./CheckBlock.ts"
import { expressionScope, type FlowScope, withLocals, withPresent } from "./FlowScope.ts"
import type { Path } from "../source/Problem.ts"
import { type MapNode, type SourceNode, textAt, toJson } from "../source/Source.ts"
import type { ActionKey, Block, Step, Switch } from "../model/StepDefinition.ts"
import { evaluator } from "../expression/Template.ts"
import { readTemplate } from "../expression/TemplateReader.ts"
import * as Type from "../types/Type.ts"
import { isList } from "../types/Values.ts"
import { Result } from "effect"
import { idOf, isAlways, readWhen } from "./CheckedParts.ts"
import type { Problems } from "../source/Problems.ts"
import { defined } from "../../src/support/Defined.ts"

/** Checks the cases of a switch; one that can never be chosen is reported. */
const readSwitch = <R>(node: MapNode, path: Path, scope: FlowScope, reading: Reading<R>): ReadBody<R> => {
  const reach = new Reach(reading.problems)
  const list = node.entries.get("cases")?.value
  const nodes = list?.kind === "list" ? list.items.filter((item) => item.kind === "map") : []
  const cases = nodes.map((item, index) => {
    const at = [...path, "cases", index]
    const when = readWhen(item.entries.get("when")?.value, [...at, "when"], scope, reading.problems)
    reach.judge(item, at, when?.type)
    return { when, block: reading.readBlock(item, at, withPresent(scope, when?.present), reading) }
  })
  const otherwise = readDefault(node, path, scope, reading, reach)
  const blocks = [...cases.map(({ block }) => block), ...(otherwise === undefined ? [] : [otherwise])]
  const output = Type.union(blocks.map((block) => block.output))
  const isComplete = otherwise !== undefined || reach.isCertain
  return {
    output: isComplete ? output : Type.nullable(output),
    isEnd: isComplete && blocks.every(({ isEnd }) => isEnd),
    finish: ({ switch: definition }) =>
      definition === undefined ? undefined : finished(definition, cases, otherwise)
  }
}

const readDefault = <R>(
  node: MapNode,
  path: Path,
  scope: FlowScope,
  reading: Reading<R>,
  reach: Reach
): ReadBlock<R> | undefined => {
  const entry = node.entries.get("default")
  if (entry === undefined) return undefined
  const at = [...path, "default"]
  if (reach.isCertain)
    reading.problems.add(entry.key, at, "The default is never reached: the case before it is always chosen.")
  return reading.readBlock(entry.value, at, scope, reading)
}

/** Which cases can still be chosen. */
class Reach {
  readonly #problems: Problems
  readonly #seen = new Set<unknown>()
  /** Whether one of the cases so far is always chosen. */
  isCertain = false

  constructor(problems: Problems) {
    this.#problems = problems
  }

  judge(node: MapNode, path: Path, type: Type.Type | undefined): void {
    const when = node.entries.get("when")?.value
    if (when === undefined) return
    const text = conditionText(when)
    const report = (message: string) => this.#problems.add(when, [...path, "when"], message)
    if (this.isCertain) report("This case is never reached: the one before it is always chosen.")
    else if (this.#seen.has(text))
      report("This case is never reached: another before it has the same condition.")
    else if (type !== undefined && isAlways(type, false))
      report("This case is never chosen: its condition is false.")
    this.#seen.add(text)
    if (type !== undefined && isAlways(type, true)) this.isCertain = true
  }
}

const conditionText = (node: SourceNode): unknown => {
  const value = toJson(node)
  return typeof value === "string" ? value.replace(/^\s*\$\{\{|\}\}\s*$/gu, "").trim() : value
}

const never = () => Result.succeed(false)

const finished = <R>(
  definition: Switch,
  cases: ReadonlyArray<{ readonly when: ReturnType<typeof readWhen>; readonly block: ReadBlock<R> }>,
  otherwise: ReadBlock<R> | undefined
): Omit<CheckedSwitch<R>, "id" | "onError"> => {
  const made = cases.flatMap(({ block, when }, index) => {
    const one = definition.cases[index]
    return one === undefined ? [] : [{ when: when?.judge ?? never, block: block.finish(one) }]
  })
  const last = definition.default === undefined ? undefined : otherwise?.finish(definition.default)
  return {
    action: "switch",
    cases: made,
    size: Math.max(last?.size ?? 0, ...made.map(({ block }) => block.size)),
    ...defined({ default: last })
  }
}

interface BranchNode {
  readonly name: string
  readonly segment: string
  readonly node: SourceNode
  readonly path: Path
}

/** Checks parallel branches: none of them sees the steps of another. */
const readParallel = <R>(
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

type OmitEach<A, K extends PropertyKey> = A extends unknown ? Omit<A, K> : never

/** What a step does, without the keys that all steps share. */
export type CheckedBody<R> = OmitEach<CheckedStep<R>, "id" | "onError">

/** What a step does, as far as it is valid; `finish` is for a flow without problems. */
export interface ReadBody<R> {
  readonly output: Type.Type
  readonly isEnd: boolean
  readonly finish: ((definition: Step) => CheckedBody<R> | undefined) | undefined
}

const unread = { output: Type.never, isEnd: false, finish: undefined }

/** Checks a control step. */
export const readControlStep = <R>(
  action: Exclude<ActionKey, "uses">,
  node: MapNode,
  path: Path,
  scope: FlowScope,
  reading: Reading<R>
): ReadBody<R> => {
  const value = node.entries.get(action)?.value
  const inside = [...path, action]
  switch (action) {
    case "steps":
      return readGroup(node, path, scope, reading)
    case "parallel":
      return value === undefined ? unread : readParallel(value, inside, scope, reading)
    case "forEach":
      return value?.kind === "map" ? readLoop(value, inside, scope, reading) : unread
    case "switch":
      return value?.kind === "map" ? readSwitch(value, inside, scope, reading) : unread
  }
}

const readGroup = <R>(node: MapNode, path: Path, scope: FlowScope, reading: Reading<R>): ReadBody<R> => {
  const read = reading.readBlock(node, path, scope, reading)
  return {
    output: read.output,
    isEnd: read.isEnd,
    finish: ({ output, steps = [] }) => {
      const block = read.finish(output === undefined ? { steps } : { steps, output })
      return { action: "steps", block, size: block.size }
    }
  }
}

const readLoop = <R>(node: MapNode, path: Path, scope: FlowScope, reading: Reading<R>): ReadBody<R> => {
  const { problems } = reading
  const listNode = node.entries.get("in")?.value
  if (listNode === undefined) return unread
  const list = readTemplate(listNode, Type.list(Type.any), [...path, "in"], {
    problems,
    scope: expressionScope(scope),
    extraFields: "ignored"
  })
  const items = Type.members(list.type).map((member) => (member.kind === "list" ? member.items : Type.any))
  const element = problems.touches([...path, "in"]) ? Type.never : Type.union(items)
  const locals = { index: Type.integer, [textAt(node, "as") ?? "item"]: element }
  const read = reading.readBlock(node, path, withLocals(scope, locals), reading)
  const evaluate = evaluator(list)
  return {
    output: Type.list(read.output),
    isEnd: false,
    finish: ({ forEach }) => {
      if (forEach === undefined) return undefined
      const block = read.finish(forEach)
      const { as, concurrency } = forEach
      return { action: "forEach", in: evaluate, as, concurrency, block, size: block.size }
    }
  }
}
