import { canonicalJson } from "../../dsl/Canonical.ts"
import type { RunnableFlow } from "../engine/FlowCatalog.ts"
import type { StepRecord } from "../engine/StepRecord.ts"

/** What is asked of a replay. */
export interface Wanted {
  /** The version that ran; undefined when it can no longer be read. */
  readonly before: RunnableFlow | undefined
  /** The version that is to run. */
  readonly flow: RunnableFlow
  /** The first step that is to run again. */
  readonly fromStep: string | undefined
  /** Whether both versions see the same variables. */
  readonly sameVariables: boolean
}

/**
 * The steps whose results may stand for those of the version that is to run: they, and everything before them, are
 * defined the same in both versions, and they come before the step from which it is to run again.
 */
export const reusableSteps = ({ before, flow, fromStep, sameVariables }: Wanted): ReadonlyArray<string> => {
  if (before === undefined || !sameVariables) return []
  const definitions = before.definition.steps.map(canonicalJson)
  return prefix(
    flow.definition.steps,
    (step, index) => step.id !== fromStep && canonicalJson(step) === definitions[index]
  ).map(({ id }) => id)
}

/** What the journal of an execution has of a step, as far as reuse goes. */
export interface Finished {
  readonly path: string
  readonly status: StepRecord["status"]
  /** Whether its output is still there. */
  readonly kept: boolean
}

/** Those of the reusable steps that the journal has, up to the first that it lacks. */
export const takenOver = (
  flow: RunnableFlow,
  reusable: ReadonlyArray<string>,
  journal: ReadonlyArray<Finished>
): ReadonlyArray<string> => {
  const goesOn = new Set(flow.steps.filter(({ onError }) => onError === "continue").map(({ id }) => id))
  const done = new Set(
    journal.flatMap(({ kept, path, status }) =>
      kept && (status !== "failed" || goesOn.has(path)) ? [path] : []
    )
  )
  return prefix(reusable, (id) => done.has(id))
}

const prefix = <A>(
  list: ReadonlyArray<A>,
  holds: (element: A, index: number) => boolean
): ReadonlyArray<A> => {
  const end = list.findIndex((element, index) => !holds(element, index))
  return end === -1 ? list : list.slice(0, end)
}
