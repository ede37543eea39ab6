import { h, type ComponentChildren } from "preact"
import { html } from "htm/preact"
import type { ExecutionView } from "../../ExecutionView.ts"
import { DeliveriesSection } from "./DeliveriesSection.ts"
import { ExecutionActions } from "./ExecutionActions.ts"
import { executionFacts } from "./ExecutionFacts.ts"
import { fieldsTables, warningsList } from "./FindingsSections.ts"
import { jsonView } from "../elements/JsonView.ts"
import { useLive } from "./LiveEvents.ts"
import { liveProgress } from "./LiveProgress.ts"
import { OutputSection } from "./OutputSection.ts"
import { Page } from "../elements/Page.ts"
import { badge, loading, problemNote } from "../elements/Elements.ts"
import { Link } from "../elements/Router.ts"
import { Viewer } from "../viewer/Viewer.ts"
import { stepsTable } from "./StepsTable.ts"
import { useResource } from "../elements/UseResource.ts"

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
  const { data, problem, reload, replace } = useResource<ExecutionView>(`/executions/${id}`, again)
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
        ${h(ExecutionActions, { view: data, onChanged: replace })}`
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
