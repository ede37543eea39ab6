import { h, type ComponentChildren } from "preact"
import { html } from "htm/preact"
import type { ListedExecution } from "../../../domain/Execution.ts"
import { useMay } from "../session/CurrentSession.ts"
import { FilterField, SelectField } from "../elements/FormField.ts"
import { formatDuration, formatNumber } from "../elements/Format.ts"
import { nothingShown, pager, type Column, table } from "../elements/DataTable.ts"
import { badge, idText, loading, problemNote, time } from "../elements/Elements.ts"
import { Link, navigate } from "../elements/Router.ts"
import { call } from "../elements/Http.ts"
import { useResource } from "../elements/UseResource.ts"

/** Its duration, or its progress. */
const took = ({ cancelledAt, completedAt, createdAt, progress }: ListedExecution): string => {
  const endedAt = completedAt ?? cancelledAt
  if (endedAt !== undefined) return formatDuration(Date.parse(endedAt) - Date.parse(createdAt))
  return progress === undefined ? "–" : `${formatNumber(progress.percentage)} %`
}

const columns: ReadonlyArray<Column<ListedExecution>> = [
  {
    title: "Execution",
    cell: ({ filename, id }) =>
      html`${h(Link, { to: `/dashboard/executions/${id}` }, filename === null ? idText(id) : filename)}
      ${filename === null ? null : html`<div class="quiet">${idText(id)}</div>`}`
  },
  { title: "Status", cell: ({ status }) => badge(status) },
  { title: "Flow", cell: ({ flowId, version }) => html`${flowId} <span class="quiet">${version}</span>` },
  { title: "Environment", cell: ({ environment }) => badge(environment), optional: true },
  { title: "Accepted", cell: ({ createdAt }) => time(createdAt), optional: true },
  {
    title: "Took",
    cell: took,
    numeric: true,
    optional: true
  },
  {
    title: "Credits",
    cell: ({ metrics }) => (metrics === undefined ? "–" : formatNumber(metrics.creditsUsed)),
    numeric: true,
    optional: true
  }
]

const statuses = ["pending", "running", "completed", "failed", "cancelled"] as const
const environments = ["live", "test"] as const
const everything = ["", "all"] as const
const perPage = 25
/** What the list is narrowed down by; each is a parameter of the address. */
const filters = ["search", "status", "flowId", "environment", "from", "until"]

/** The refresh interval of the list, in milliseconds: shorter while executions run. */
const again = ({ executions }: { readonly executions: ReadonlyArray<ListedExecution> }): number =>
  executions.some(({ status }) => status === "pending" || status === "running") ? 1_500 : 6_000

/** An organization's executions, newest first, searched and filtered. */
export const ExecutionsPanel = ({
  address,
  organizationId
}: {
  readonly address: URL
  readonly organizationId: string
}): ComponentChildren => {
  const chosen = (name: string) => address.searchParams.get(name) ?? ""
  const wanted = filters.map((name) => [name, chosen(name)] as const).filter(([, value]) => value !== "")
  const addressWith = (changes: Readonly<Record<string, string>>) => {
    const query = new URLSearchParams(
      Object.entries({ ...Object.fromEntries(wanted), ...changes }).filter(
        ([, value]) => value !== "" && value !== "0"
      )
    )
    return `/dashboard/organizations/${organizationId}${query.size === 0 ? "" : `?${query}`}`
  }
  const { data, problem } = useResource(
    call("GET /api/admin/v1/organizations/:id/executions", {
      ...Object.fromEntries(wanted),
      id: organizationId,
      status: statuses.find((status) => status === chosen("status")),
      environment: environments.find((environment) => environment === chosen("environment")),
      output: "false",
      limit: perPage,
      offset: Number(chosen("offset"))
    }),
    again
  )
  const flows = useResource(call("GET /dashboard/api/flows", {})).data?.flows ?? []
  const addressOf = (to: number) => addressWith({ offset: `${to}` })
  const filter = (name: string) => (value: string) => navigate(addressWith({ [name]: value }))
  const flowIds = [...new Set([...flows.map(({ id }) => id), chosen("flowId")].filter(Boolean))]
  return html`<section class="card" aria-labelledby="executions">
    <h2 id="executions">Executions</h2>
    <div class="fields filters">
      ${h(FilterField, {
        label: "Search",
        type: "search",
        value: chosen("search"),
        placeholder: "File name or id",
        onFilter: filter("search")
      })}
      ${h(SelectField, {
        name: "status",
        label: "Status",
        value: chosen("status"),
        options: [everything, ...statuses.map((status) => [status, status] as const)],
        onChange: filter("status")
      })}
      ${h(SelectField, {
        name: "flowId",
        label: "Flow",
        value: chosen("flowId"),
        options: [everything, ...flowIds.map((id) => [id, id] as const)],
        onChange: filter("flowId")
      })}
      ${h(SelectField, {
        name: "environment",
        label: "Environment",
        value: chosen("environment"),
        options: [everything, ...environments.map((environment) => [environment, environment] as const)],
        onChange: filter("environment")
      })}
      ${h(FilterField, { label: "From", type: "date", value: chosen("from"), onFilter: filter("from") })}
      ${h(FilterField, { label: "Until", type: "date", value: chosen("until"), onFilter: filter("until") })}
    </div>
    ${
      data === undefined
        ? loading(problem)
        : html`${problemNote(problem)}
          ${table({
            caption: "Executions",
            columns,
            rows: data.executions,
            keyOf: ({ id }) => id,
            empty: nothingShown(
              { ...data, addressOf },
              h(NoExecutions, { organizationId, isFiltered: wanted.length > 0 })
            )
          })}
          ${pager({ ...data, what: "executions", addressOf })}`
    }
  </section>`
}

/** What to say where there is no execution, and what a person of this role does about it. */
const NoExecutions = ({
  isFiltered,
  organizationId
}: {
  readonly isFiltered: boolean
  readonly organizationId: string
}): ComponentChildren => {
  const base = `/dashboard/organizations/${organizationId}`
  const mayRun = useMay("operator")
  const mayMakeKeys = useMay("administrator")
  if (isFiltered) return html`No executions found. ${h(Link, { to: base }, "Show all")}`
  if (!mayRun) return "No executions yet. Operators and programs run documents."
  return html`No executions yet.
  ${h(Link, { to: `${base}/try` }, "Try a flow on a document")}${
    mayMakeKeys ? html`, or ${h(Link, { to: `${base}/keys` }, "make a key")} and call the API` : null
  }.`
}
