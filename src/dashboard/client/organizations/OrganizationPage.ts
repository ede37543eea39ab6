import { type ComponentChildren, h } from "preact"
import { html } from "htm/preact"
import type { Organization } from "../../../domain/Organization.ts"
import { BacktestPanel } from "./BacktestPanel.ts"
import { CreditsPanel } from "./CreditsPanel.ts"
import { useMay } from "../session/CurrentSession.ts"
import { ExamplesPanel } from "./ExamplesPanel.ts"
import { ExecutionsPanel } from "./ExecutionsPanel.ts"
import { formatNumber } from "../elements/Format.ts"
import { KeysPanel } from "./KeysPanel.ts"
import { ModelsPanel } from "./ModelsPanel.ts"
import { Page, badge, facts, loading, problemNote } from "../elements/Elements.ts"
import { Link, navigate } from "../elements/Router.ts"
import { TryPanel } from "../flows/TryPanel.ts"
import { UsageView } from "../usage/UsageView.ts"
import { useResource } from "../elements/UseResource.ts"
import { useState } from "preact/hooks"
import { ask, call, messageOf } from "../elements/Http.ts"

/** The number of an organization's documents that wait for review, and a link to the next one. */
const ReviewPanel = ({ organizationId }: { readonly organizationId: string }): ComponentChildren => {
  const ofThis = { id: organizationId }
  const { data, problem } = useResource(
    call("GET /dashboard/api/organizations/:id/reviews", ofThis),
    () => 6_000
  )
  const [told, tell] = useState<string>()
  const mayReview = useMay("reviewer")
  const start = () => {
    ask("POST /dashboard/api/organizations/:id/reviews/next", ofThis).then(
      ({ executionId }) =>
        executionId === null
          ? tell("Somebody else is looking at it, or it was just finished. Try again later.")
          : navigate(`/dashboard/executions/${executionId}`),
      (failure: unknown) => tell(messageOf(failure))
    )
  }
  if (data === undefined) return loading(problem)
  const { waiting } = data
  return html`<section class="card" aria-labelledby="review">
    <h2 id="review">Review</h2>
    ${problemNote(problem)}
    ${
      waiting === 0
        ? html`<p class="empty">
            Nothing waits for review. A document waits here if a field has a low confidence, or is required
            and has no value.
          </p>`
        : html`<p>
              ${waiting === 1 ? "1 document waits" : `${waiting} documents wait`} for a person, the oldest
              first.
            </p>
            ${
              mayReview
                ? html`<button type="button" class="primary" onClick=${start}>Start reviewing</button>`
                : html`<p class="quiet">Reviewing requires the role reviewer.</p>`
            }`
    }
    ${told === undefined ? null : html`<p class="note" role="status">${told}</p>`}
  </section>`
}

interface OrganizationPageProps {
  readonly id: string
  readonly tab: string
  readonly address: URL
}

const tabs = [
  ["", "Executions"],
  ["try", "Try it"],
  ["review", "Review"],
  ["examples", "Examples"],
  ["backtest", "Backtest"],
  ["keys", "Keys"],
  ["credits", "Credits"],
  ["models", "Models"],
  ["usage", "Usage"]
] as const

/** The refresh interval of credits while executions run, in milliseconds. */
const refreshEvery = 5_000

/** One organization: what it has, and its executions, keys and credits. */
export const OrganizationPage = ({ address, id, tab }: OrganizationPageProps): ComponentChildren => {
  const base = `/dashboard/organizations/${id}`
  const { data, problem, replace } = useResource(
    call("GET /api/admin/v1/organizations/:id", { id }),
    () => refreshEvery
  )
  const mayRun = useMay("operator")
  const above = [["Organizations", "/dashboard"]] as const
  if (data === undefined) return h(Page, { title: "Organization", above }, loading(problem))
  return h(
    Page,
    { title: data.name, above, trailing: badge(data.plan) },
    problemNote(problem),
    html`<section class="card" aria-label="About this organization">
      ${facts([
        ["Credits left", formatNumber(data.credits.balance)],
        ["Reserved", formatNumber(data.credits.reserved)],
        ["Requests per minute", formatNumber(data.requestsPerMinute)],
        ["Concurrent executions", formatNumber(data.concurrentExecutions)],
        ["Id", html`<code>${data.id}</code>`]
      ])}
    </section>`,
    html`<nav class="tabs" aria-label="Of this organization">
      ${tabs
        .filter(([name]) => mayRun || (name !== "try" && name !== "backtest"))
        .map(([name, title]) =>
          h(Link, { to: name === "" ? base : `${base}/${name}`, current: tab === name }, title)
        )}
    </nav>`,
    panel(tab, data, address, replace)
  )
}

const panel = (
  tab: string,
  organization: Organization,
  address: URL,
  replace: (data: Organization) => void
): ComponentChildren => {
  if (tab === "try") return h(TryPanel, { organizationId: organization.id })
  if (tab === "review") return h(ReviewPanel, { organizationId: organization.id })
  if (tab === "examples") return h(ExamplesPanel, { organizationId: organization.id, address })
  if (tab === "backtest") return h(BacktestPanel, { organizationId: organization.id })
  if (tab === "keys") return h(KeysPanel, { organizationId: organization.id })
  if (tab === "usage") {
    return h(UsageView, {
      organizationId: organization.id,
      by: "Flow",
      empty: "Nothing was used yet. Run a document on the page Try it, or make a key and call the API."
    })
  }
  if (tab === "credits") {
    return h(CreditsPanel, { organizationId: organization.id, address, onGranted: replace })
  }
  if (tab === "models") return h(ModelsPanel, { organization, onChanged: replace })
  if (tab === "") return h(ExecutionsPanel, { organizationId: organization.id, address })
  return html`<p class="empty">
    There is no page “${tab}” of an organization.${" "}
    ${h(Link, { to: `/dashboard/organizations/${organization.id}` }, "Show its executions")}
  </p>`
}
