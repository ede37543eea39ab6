import type { FlowStep } from "./FlowBuilder.ts"
import { Ref } from "./Ref.ts"
import type { StepSource } from "../model/StepDefinition.ts"
import { defined } from "../../src/support/Defined.ts"

/** Some steps, at least one. */
export type Steps = readonly [FlowStep<unknown>, ...ReadonlyArray<FlowStep<unknown>>]

/** The output of a block: that of its last step. */
export type LastOutput<Inside extends Steps> = Inside extends readonly [
  ...ReadonlyArray<FlowStep<unknown>>,
  FlowStep<infer Output>
]
  ? Output
  : unknown

/** Options of a control step. */
export type ControlStepOptions = Pick<StepSource, "name" | "timeout"> & { readonly onError?: "fail" }

/** The steps as a flow file has them. */
export const sources = (steps: Steps): ReadonlyArray<StepSource> => steps.map(({ source }) => source)

const made = <Output>(source: StepSource): FlowStep<Output> => ({
  source,
  output: new Ref(`steps.${source.id}`)
})

/** Run steps under one name and time limit; the output is that of the last one. */
export const group = <const Inside extends Steps>(
  id: string,
  steps: Inside,
  options: ControlStepOptions = {}
): FlowStep<LastOutput<Inside>> => made({ id, steps: sources(steps), ...options })

/** Run steps if a condition holds; otherwise, the output is null. */
export const groupIf = <const Inside extends Steps>(
  condition: Ref<boolean | null>,
  id: string,
  steps: Inside,
  options: ControlStepOptions = {}
): FlowStep<LastOutput<Inside> | null> =>
  made({ id, if: condition.toString(), steps: sources(steps), ...options })

/** Run branches in parallel; the output has a field for each. */
export const parallel = <const Branches extends Readonly<Record<string, Steps>>>(
  id: string,
  branches: Branches,
  options: ControlStepOptions = {}
): FlowStep<{ readonly [Name in keyof Branches]: LastOutput<Branches[Name]> }> =>
  made({
    id,
    parallel: Object.fromEntries(Object.entries(branches).map(([name, steps]) => [name, sources(steps)])),
    ...options
  })

/** Run steps for each element of an array; the output is the array of the last step's outputs. */
export const forEach = <Item, const Inside extends Steps>(
  id: string,
  list: Ref<ReadonlyArray<Item>>,
  inside: (item: Ref<Item>, index: Ref<number>) => Inside,
  {
    as = "item",
    concurrency,
    ...options
  }: ControlStepOptions & { readonly as?: string; readonly concurrency?: number } = {}
): FlowStep<ReadonlyArray<LastOutput<Inside>>> =>
  made({
    id,
    forEach: {
      in: list.toString(),
      as,
      ...defined({ concurrency }),
      steps: sources(inside(new Ref(as), new Ref("index")))
    },
    ...options
  })

interface Case {
  readonly when: Ref<boolean | null>
  readonly steps: Steps
}

/** Run the first case whose condition holds, or else the last block. */
export const choose = <const Cases extends ReadonlyArray<Case>, const Otherwise extends Steps>(
  id: string,
  cases: Cases,
  otherwise: Otherwise,
  options: ControlStepOptions = {}
): FlowStep<LastOutput<Cases[number]["steps"]> | LastOutput<Otherwise>> =>
  made({
    id,
    switch: {
      cases: cases.map(({ steps, when }) => ({ when: when.toString(), steps: sources(steps) })),
      default: sources(otherwise)
    },
    ...options
  })
