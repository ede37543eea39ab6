import { canonicalJson } from "../../domain/CanonicalJson.ts"
import { flowKindName, pinsOf } from "../../../dsl/model/FlowCalls.ts"
import type { RunnableFlow } from "../../engine/FlowCatalog.ts"
import type { StepRecord } from "../../engine/StepRecord.ts"

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
  const sameFlows = canonicalJson(pinsOf(before)) === canonicalJson(pinsOf(flow))
  return prefix(flow.definition.steps, (step, index) => {
    const definition = canonicalJson(step)
    return step.id !== fromStep && definition === definitions[index] && (sameFlows || !runsFlows(definition))
  }).map(({ id }) => id)
}

/** Whether a step may run other flows; a string in it that reads like that costs no more than running it again. */
const runsFlows = (definition: string): boolean => definition.includes(`"uses":"${flowKindName}"`)

/** What the journal of an execution has of a step, as far as reuse goes. */
export interface Finished {
  readonly path: string
  readonly status: StepRecord["status"]
  /** Whether its output is still there. */
  readonly kept: boolean
}

/** What a replay takes over: whole steps, and the paths of the records that are copied for it. */
export interface TakenOver {
  readonly steps: ReadonlyArray<string>
  readonly paths: ReadonlyArray<string>
}

/**
 * Those of the reusable steps that the journal has, up to the first that it lacks; and of that one, if it holds others,
 * what had finished inside. `failedAt` is the path of the step with which the execution failed.
 */
export const takenOver = (
  flow: RunnableFlow,
  reusable: ReadonlyArray<string>,
  journal: ReadonlyArray<Finished>,
  failedAt: string | undefined
): TakenOver => {
  const kept = journal.filter((record) => record.kept)
  const tolerant = new Set(flow.steps.filter(({ onError }) => onError !== "fail").map(({ id }) => id))
  const done = new Set(
    kept
      .filter(({ path, status }) => status !== "failed" || (tolerant.has(path) && path !== topOf(failedAt)))
      .map(({ path }) => path)
  )
  const steps = prefix(reusable, (id) => done.has(id))
  const whole = new Set(steps)
  const begun = reusable[steps.length]
  const inside = begun === undefined ? [] : finishedInside(begun, journal, failedAt)
  return {
    steps,
    paths: [...kept.filter(({ path }) => whole.has(topOf(path) ?? "")), ...inside].map(({ path }) => path)
  }
}

/**
 * What had finished inside a step that had not. Where something else in it failed too, it is not known whether later steps
 * went on without that: then all of it runs again.
 */
const finishedInside = (
  begun: string,
  journal: ReadonlyArray<Finished>,
  failedAt = ""
): ReadonlyArray<Finished> => {
  const inside = journal.filter(({ path }) => path.startsWith(`${begun}.`))
  const unclear = inside.some(
    ({ path, status }) => status === "failed" && !`${failedAt}.`.startsWith(`${path}.`)
  )
  return unclear ? [] : inside.filter(({ kept, status }) => kept && status !== "failed")
}

/** The step of the flow itself to which a path belongs. */
const topOf = (path: string | undefined): string | undefined => path?.split(".")[0]

const prefix = <A>(
  list: ReadonlyArray<A>,
  holds: (element: A, index: number) => boolean
): ReadonlyArray<A> => {
  const end = list.findIndex((element, index) => !holds(element, index))
  return end === -1 ? list : list.slice(0, end)
}
