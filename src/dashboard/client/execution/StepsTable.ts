import type { ComponentChildren } from "preact"
import { html } from "htm/preact"
import type { ExecutionView, FinishedStep } from "../../ExecutionView.ts"
import { formatDuration, formatNumber } from "../elements/Format.ts"
import { badge, time } from "../elements/Elements.ts"
import { type Column, table } from "../elements/DataTable.ts"

const columns: ReadonlyArray<Column<FinishedStep>> = [
  { title: "Step", cell: ({ path }) => html`<code>${path}</code>` },
  { title: "Kind", cell: ({ kind }) => kind, optional: true },
  {
    title: "Status",
    cell: ({ error, status }) => html`${badge(status)} ${error === null ? null : error.message}`
  },
  { title: "Took", cell: ({ durationMs }) => formatDuration(durationMs), numeric: true },
  { title: "Attempts", cell: ({ attempts }) => formatNumber(attempts), numeric: true },
  { title: "Started", cell: ({ startedAt }) => time(startedAt), optional: true }
]

/** The flow's own steps; those inside of branches, loops and called flows have a path of several names. */
const isOwn = ({ path }: FinishedStep): boolean => !path.includes(".")

/** The steps that have finished, in their order. */
export const stepsTable = ({ execution: { status }, stepCount, steps }: ExecutionView): ComponentChildren =>
  html`<p class="quiet">${steps.filter(isOwn).length} of ${stepCount} finished</p>
    ${table({ caption: "Steps", columns, rows: steps, keyOf: ({ path }) => path, empty: status === "pending" || status === "running" ? "No step has finished yet." : "No step finished." })}`
