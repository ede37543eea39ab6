import { useEffect, useState } from "preact/hooks"
import { call } from "../elements/Http.ts"

/** A step as it goes. */
export interface LiveStep {
  readonly step: string
  readonly state: "started" | "completed" | "failed" | "skipped" | "reused"
}

/** How far an execution is. */
export interface Live {
  readonly percentage: number
  readonly steps: ReadonlyArray<LiveStep>
}

interface Listener {
  readonly onStep: (step: LiveStep | undefined, percentage: number) => void
  readonly onEnd: (status: string) => void
  /** The connection is lost for good, though the execution has not ended. */
  readonly onLost: () => void
}

const states = ["started", "completed", "failed", "skipped", "reused"] as const
const endings = ["completed", "failed", "cancelled"]

/** Listens to an execution until its end; the browser resumes a stream that breaks off. Returns how to stop listening. */
export const listen = (id: string, { onEnd, onLost, onStep }: Listener): (() => void) => {
  const source = new EventSource(call("GET /api/v1/runs/:executionId/events", { executionId: id }).url)
  const tell = ({ data }: MessageEvent<string>, state?: LiveStep["state"]) => {
    const { percentage = 0, step } = JSON.parse(data)
    onStep(state === undefined || typeof step !== "string" ? undefined : { step, state }, Number(percentage))
  }
  for (const state of states) source.addEventListener(`step.${state}`, (event) => tell(event, state))
  source.addEventListener("progress", (event) => tell(event))
  for (const status of endings) {
    source.addEventListener(`execution.${status}`, () => {
      source.close()
      onEnd(status)
    })
  }
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) onLost()
  })
  return () => source.close()
}

/** Adds a step to the known ones, or updates it. */
const withStep = (steps: ReadonlyArray<LiveStep>, next: LiveStep | undefined): ReadonlyArray<LiveStep> => {
  if (next === undefined) return steps
  return steps.some(({ step }) => step === next.step)
    ? steps.map((one) => (one.step === next.step ? next : one))
    : [...steps, next]
}

/** Follows an execution while it runs; undefined for one that is not to be followed. */
export const useLive = (id: string | undefined, onChange: () => void): Live => {
  const [live, setLive] = useState<Live>({ percentage: 0, steps: [] })
  useEffect(() => {
    setLive({ percentage: 0, steps: [] })
    if (id === undefined) return undefined
    return listen(id, {
      onStep: (step, percentage) => {
        setLive((last) => ({
          percentage: Math.max(last.percentage, percentage),
          steps: withStep(last.steps, step)
        }))
        if (step !== undefined && step.state !== "started") onChange()
      },
      onEnd: onChange,
      onLost: onChange
    })
  }, [id])
  return live
}
