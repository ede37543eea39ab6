import type { CheckedStep } from "../model/CheckedFlow.ts"
import type { Reading } from "./CheckBlock.ts"
import { readParallel } from "./CheckParallel.ts"
import { readSwitch } from "./CheckSwitch.ts"
import { expressionScope, type FlowScope, withLocals } from "./FlowScope.ts"
import type { Path } from "../source/Problem.ts"
import { type MapNode, textAt } from "../source/Source.ts"
import type { Step, ActionKey } from "../model/StepDefinition.ts"
import { evaluator } from "../expression/Template.ts"
import { readTemplate } from "../expression/TemplateReader.ts"
import * as Type from "../types/Type.ts"

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
