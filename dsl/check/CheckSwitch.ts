import { Result } from "effect"
import type { CheckedSwitch } from "../model/CheckedFlow.ts"
import { isAlways, readWhen } from "./CheckedParts.ts"
import type { ReadBlock, Reading } from "./CheckBlock.ts"
import type { ReadBody } from "./CheckControlSteps.ts"
import { type FlowScope, withPresent } from "./FlowScope.ts"
import type { Path } from "../source/Problem.ts"
import type { Problems } from "../source/Problems.ts"
import { type MapNode, type SourceNode, toJson } from "../source/Source.ts"
import type { Switch } from "../model/StepDefinition.ts"
import * as Type from "../types/Type.ts"
import { defined } from "../../src/support/Defined.ts"

/** Checks the cases of a switch; one that can never be chosen is reported. */
export const readSwitch = <R>(
  node: MapNode,
  path: Path,
  scope: FlowScope,
  reading: Reading<R>
): ReadBody<R> => {
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
