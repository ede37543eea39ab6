import { canonicalJson } from "../../support/CanonicalJson.ts"
import { flowKindName, pinsOf } from "../../../dsl/model/FlowCalls.ts"
import type { RunnableFlow } from "../../engine/program/FlowCatalog.ts"
import type { StepRecord } from "../../engine/journal/StepRecord.ts"

/** The request for a replay. */
export interface Wanted {
  /** The version that ran; undefined if it can no longer be parsed. */
  readonly before: RunnableFlow | undefined
  /** The version that is to run. */
  readonly flow: RunnableFlow
  /** The first step that is to run again. */
  readonly fromStep: string | undefined
  /** Whether both versions see the same variables. */
  readonly sameVariables: boolean
}

/**
 * The steps whose results can be reused: they and everything before them have the same definition in both versions, and
 * they come before the step from which the replay starts.
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

/** Whether a step may call other flows; a false positive only costs running it again. */
const runsFlows = (definition: string): boolean => definition.includes(`"uses":"${flowKindName}"`)

/** A journal record, as far as reuse is concerned. */
export interface Finished {
  readonly path: string
  readonly status: StepRecord["status"]
  /** Whether its output is still stored. */
  readonly kept: boolean
}

/** What a replay reuses: whole steps, and the paths of the records to copy. */
export interface TakenOver {
  readonly steps: ReadonlyArray<string>
  readonly paths: ReadonlyArray<string>
}

/**
 * The reusable steps in the journal, up to the first that is missing; and the finished steps inside that one, if it is
 * a control step. `failedAt` is the path of the step with which the execution failed.
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
 * The finished steps inside an unfinished one. If another step inside failed, it is unknown whether later steps
 * continued without it, so everything runs again.
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
