import type { ComponentChildren } from "preact"
import { html } from "htm/preact"
import type { ExecutionView } from "../../ExecutionView.ts"
import { formatNumber } from "../elements/Format.ts"
import type { Live, LiveStep } from "./LiveEvents.ts"

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
