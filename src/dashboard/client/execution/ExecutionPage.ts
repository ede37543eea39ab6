import { type ComponentChildren, h } from "preact"
import { html } from "htm/preact"
import type { DocumentFacts, ExecutionView, FinishedStep } from "../../ExecutionView.ts"
import { DeliveriesSection } from "./DeliveriesSection.ts"
import { fieldsTables, warningsList } from "./FindingsSections.ts"
import { jsonView } from "../elements/JsonView.ts"
import { useLive, liveProgress } from "./LiveProgress.ts"
import { OutputSection } from "./OutputSection.ts"
import { Page, badge, facts, idText, loading, problemNote, time } from "../elements/Elements.ts"
import { Link, navigate } from "../elements/Router.ts"
import { Viewer } from "../viewer/Viewer.ts"
import { useResource } from "../elements/UseResource.ts"
import { formatDuration, formatNumber, formatSize } from "../elements/Format.ts"
import { type Column, table } from "../elements/DataTable.ts"
import { useState } from "preact/hooks"
import { useMay } from "../session/CurrentSession.ts"
import { ConfirmButton } from "../elements/ConfirmButton.ts"
import { ask, call, messageOf } from "../elements/Http.ts"

interface ActionsProps {
  readonly view: ExecutionView
  readonly onChanged: () => void
}

/** Actions on an execution: cancel it while it runs, erase its data. */
const ExecutionActions = ({
  onChanged,
  view: { erasedAt, execution, steps }
}: ActionsProps): ComponentChildren => {
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const mayRun = useMay("operator")
  const mayErase = useMay("administrator")
  const { id } = execution
  const firstStep = steps.find((step) => !step.path.includes("."))?.path
  const cancel = () => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    ask("POST /api/v1/runs/:executionId/cancel", { executionId: id })
      .then(onChanged, (failure: unknown) => setProblem(messageOf(failure)))
      .finally(() => setBusy(false))
  }
  const replay = () => {
    if (busy) return
    setBusy(true)
    setProblem(undefined)
    const body = firstStep === undefined ? {} : { fromStep: firstStep }
    ask("POST /api/v1/runs/:executionId/replay", { executionId: id, body })
      .then(
        (made) => navigate(`/dashboard/executions/${made.id}`),
        (failure: unknown) => setProblem(messageOf(failure))
      )
      .finally(() => setBusy(false))
  }
  const unfinished = execution.status === "pending" || execution.status === "running"
  return html`<div class="actions">
    ${unfinished && mayRun ? html`<button type="button" aria-disabled=${busy} onClick=${cancel}>Cancel</button>` : null}
    ${
      erasedAt === null && !unfinished && mayRun
        ? html`<button type="button" aria-disabled=${busy} onClick=${replay}>Run again</button>`
        : null
    }
    ${
      erasedAt === null && mayErase
        ? h(ConfirmButton, {
            action: "Erase",
            question: "Erase this execution?",
            consequence:
              "Its document, output, metadata and artifacts are deleted permanently; a running execution is cancelled first. Its charge stays in the ledger.",
            onConfirm: () => ask("DELETE /api/admin/v1/executions/:id", { id }).then(onChanged)
          })
        : null
    }
    ${problemNote(problem)}
  </div>`
}

/** The facts of an execution: where it comes from, how long it took, what it cost. */
const executionFacts = (view: ExecutionView): ComponentChildren => {
  const { ageMs, document, environment, execution, organization, requestId, startedAt } = view
  const { metrics } = execution
  const finished = execution.completedAt ?? execution.cancelledAt
  return facts([
    ["Id", html`<code class="id">${execution.id}</code>`],
    ["Organization", h(Link, { to: `/dashboard/organizations/${organization.id}` }, organization.name)],
    ["Environment", badge(environment)],
    ...(execution.replayOf === undefined
      ? []
      : [
          [
            "Replay of",
            h(Link, { to: `/dashboard/executions/${execution.replayOf}` }, idText(execution.replayOf))
          ] as const
        ]),
    ["Document", document === null ? "erased or expired" : documentText(document)],
    ["Accepted", time(execution.createdAt)],
    ["Started", time(startedAt)],
    ["Ended", time(finished)],
    ["Took", metrics === undefined ? `${formatDuration(ageMs)} so far` : formatDuration(metrics.durationMs)],
    ["Pages", metrics === undefined ? "–" : formatNumber(metrics.pageCount)],
    ...contributions(view),
    ["Credits", metrics === undefined ? "–" : formatNumber(metrics.creditsUsed)],
    ...(requestId === null ? [] : [["Request", html`<code class="id">${requestId}</code>`] as const])
  ])
}

/** How many values each source gave. */
const contributions = ({ findings }: ExecutionView): ReadonlyArray<readonly [string, string]> => {
  const sources = findings.flatMap(({ fields }) => Object.values(fields).flatMap(({ by }) => by ?? []))
  const counts = [...Map.groupBy(sources, (source) => source)].toSorted(
    ([, one], [, other]) => other.length - one.length
  )
  return counts.length === 0
    ? []
    : [["Values by", counts.map(([source, { length }]) => `${source} ${length}`).join(", ")]]
}

const documentText = ({ filename, mimeType, pageCount, size }: DocumentFacts): string =>
  [filename, mimeType, formatSize(size), pageCount === 1 ? "1 page" : `${pageCount} pages`]
    .filter((part) => part !== null)
    .join(", ")

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
const stepsTable = ({ execution: { status }, stepCount, steps }: ExecutionView): ComponentChildren =>
  html`<p class="quiet">${steps.filter(isOwn).length} of ${stepCount} finished</p>
    ${table({ caption: "Steps", columns, rows: steps, keyOf: ({ path }) => path, empty: status === "pending" || status === "running" ? "No step has finished yet." : "No step finished." })}`

/** The refresh interval, in milliseconds: short while it runs, longer while a webhook is pending. */
const again = ({ deliveries, execution: { status } }: ExecutionView): number | undefined => {
  if (status === "pending" || status === "running") return 700
  return deliveries.some((delivery) => delivery.status === "pending") ? 2_000 : undefined
}

const section = (id: string, title: string, content: ComponentChildren): ComponentChildren =>
  html`<section class="card" aria-labelledby=${id}>
    <h2 id=${id}>${title}</h2>
    ${content}
  </section>`

/** One execution: its state, its results and its webhooks. */
export const ExecutionPage = ({ id }: { readonly id: string }): ComponentChildren => {
  const { data, problem, reload } = useResource(call("GET /dashboard/api/executions/:id", { id }), again)
  const unfinished = data !== undefined && !isEnded(data.execution.status)
  const live = useLive(unfinished ? id : undefined, reload)
  if (data === undefined) {
    return h(Page, { title: "Execution", above: [["Organizations", "/dashboard"]] }, loading(problem))
  }
  const { execution, organization } = data
  const flow = `${execution.flowId} ${execution.version}`
  const isNamed = typeof data.document?.filename === "string"
  const warnings = warningsList(data)
  const fields = fieldsTables(data)
  return h(
    Page,
    {
      title: isNamed ? data.document.filename : flow,
      above: [
        ["Organizations", "/dashboard"],
        [organization.name, `/dashboard/organizations/${organization.id}`]
      ],
      trailing: html`${isNamed ? h(Link, { to: `/dashboard/flows/${execution.flowId}?version=${encodeURIComponent(execution.version)}` }, flow) : null}
        <span role="status">${badge(execution.status)}</span>
        ${h(ExecutionActions, { view: data, onChanged: reload })}`
    },
    problemNote(problem),
    liveProgress(data, live),
    failureNote(data),
    data.document === null
      ? null
      : html`<section class="card" aria-label="The document and its fields">
          ${h(Viewer, { key: isEnded(execution.status) ? "ended" : "running", view: data })}
        </section>`,
    section("about", "About", executionFacts(data)),
    section("steps", "Steps", stepsTable(data)),
    warnings === null ? null : section("warnings", "Warnings", warnings),
    fields === null
      ? null
      : html`<details class="card" open=${data.document === null}>
          <summary>Fields and their evidence as a table</summary>
          ${fields}
        </details>`,
    data.hasOutput ? section("output", "Output", h(OutputSection, { id })) : null,
    execution.metadata === undefined
      ? null
      : section("metadata", "Metadata", jsonView("Metadata", execution.metadata)),
    h(DeliveriesSection, { view: data, onChanged: reload })
  )
}

/** Whether nothing more happens in an execution of this status. */
export const isEnded = (status: string): boolean => status !== "pending" && status !== "running"

/** Why there is no output. */
export const failureNote = ({ erasedAt, execution: { error } }: ExecutionView): ComponentChildren => {
  if (erasedAt !== null)
    return html`<p class="note">Document, output and artifacts of this execution were erased.</p>`
  if (error === undefined) return null
  return html`<div class="note note-bad">
    <strong>${error.code}</strong
    >${error.step === undefined ? null : html` in step <code>${error.step}</code>`}
    <p>${error.message}</p>
  </div>`
}
