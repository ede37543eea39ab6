import { h, type ComponentChildren } from "preact"
import { html } from "htm/preact"
import type { Organization } from "../../../domain/Organization.ts"
import { useMay } from "../session/CurrentSession.ts"
import { formatNumber } from "../elements/Format.ts"
import { NewOrganization } from "./NewOrganization.ts"
import { Page } from "../elements/Page.ts"
import { nothingShown, pager } from "../elements/Pager.ts"
import { badge, loading, problemNote, time } from "../elements/Elements.ts"
import { Link } from "../elements/Router.ts"
import { type Column, table } from "../elements/DataTable.ts"
import { useResource } from "../elements/UseResource.ts"

interface Organizations {
  readonly organizations: ReadonlyArray<Organization>
  readonly total: number
  readonly limit: number
  readonly offset: number
}

const columns: ReadonlyArray<Column<Organization>> = [
  { title: "Name", cell: ({ id, name }) => h(Link, { to: `/dashboard/organizations/${id}` }, name) },
  { title: "Plan", cell: ({ plan }) => badge(plan) },
  { title: "Credits left", cell: ({ credits }) => formatNumber(credits.balance), numeric: true },
  { title: "Reserved", cell: ({ credits }) => formatNumber(credits.reserved), numeric: true, optional: true },
  {
    title: "Requests per minute",
    cell: ({ requestsPerMinute }) => formatNumber(requestsPerMinute),
    numeric: true,
    optional: true
  },
  {
    title: "Concurrent executions",
    cell: ({ concurrentExecutions }) => formatNumber(concurrentExecutions),
    numeric: true,
    optional: true
  },
  { title: "Created", cell: ({ createdAt }) => time(createdAt), optional: true }
]

const addressOf = (to: number) => `/dashboard?offset=${to}`

/** Every organization, and a form that makes one. */
export const OrganizationsPage = ({ address }: { readonly address: URL }): ComponentChildren => {
  const mayCreate = useMay("administrator")
  const offset = Number(address.searchParams.get("offset") ?? 0)
  const { data, problem, reload } = useResource<Organizations>(`/organizations?limit=50&offset=${offset}`)
  return h(
    Page,
    { title: "Organizations" },
    mayCreate ? h(NewOrganization, { onMade: reload }) : null,
    data === undefined
      ? loading(problem)
      : html`<section class="card" aria-label="Organizations">
          ${problemNote(problem)}
          ${table({
            caption: "Organizations",
            columns,
            rows: data.organizations,
            keyOf: ({ id }) => id,
            empty: nothingShown(
              { ...data, addressOf },
              mayCreate
                ? "No organizations yet. Create one above; it gets keys, credits and executions of its own."
                : "No organizations yet. An administrator creates them."
            )
          })}
          ${pager({ ...data, what: "organizations", addressOf })}
        </section>`
  )
}
