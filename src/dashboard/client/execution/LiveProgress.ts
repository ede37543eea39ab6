import type { ComponentChildren } from "preact"
import { html } from "htm/preact"
import type { ExecutionView } from "../../ExecutionView.ts"
import { formatNumber } from "../elements/Format.ts"
import { useEffect, useState } from "preact/hooks"
import { call } from "../elements/Http.ts"

/** A step as it goes. */
interface LiveStep {
  readonly step: string
  readonly state: "started" | "completed" | "failed" | "skipped" | "reused"
}

/** How far an execution is. */
interface Live {
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

const words: Readonly<Record<LiveStep["state"], string>> = {
  started: "running",
  completed: "completed",
  failed: "failed",
  skipped: "skipped",
  reused: "taken over"
}

/** The flow's own steps; those inside of branches, loops and called flows have a path of several names. */
const isOwn = ({ step }: LiveStep): boolean => !step.includes(".")

/** The progress of an execution that has not ended. */
export const liveProgress = ({ execution }: ExecutionView, live: Live): ComponentChildren => {
  if (execution.status !== "pending" && execution.status !== "running") return null
  const percentage = Math.max(live.percentage, execution.progress?.percentage ?? 0)
  const step = live.steps.findLast(({ state }) => state === "started")?.step ?? execution.progress?.step
  return html`<div class="progress">
    <label for="progress"
      >${execution.status === "pending" && step === undefined ? "Waiting for a runner" : `At step ${step ?? ""}`}</label
    >
    <progress id="progress" max="100" value=${percentage}></progress>
    <span>${formatNumber(percentage)} %</span>
    ${
      live.steps.length === 0
        ? null
        : html`<ol class="live-steps">
            ${live.steps
              .filter(isOwn)
              .map(
                (one) =>
                  html`<li class=${`live-${one.state}`}>
                    <code>${one.step}</code> <span class="quiet">${words[one.state]}</span>
                  </li>`
              )}
          </ol>`
    }
  </div>`
}
