import { type ComponentChildren, h } from "preact"
import { html } from "htm/preact"
import type { ListedFlow } from "../../FlowsGroup.ts"
import { type Column, table } from "../elements/DataTable.ts"
import { loading, problemNote } from "../elements/Elements.ts"
import { Page } from "../elements/Page.ts"
import { Link } from "../elements/Router.ts"
import { useResource } from "../elements/UseResource.ts"

interface Flows {
  readonly flows: ReadonlyArray<ListedFlow>
  readonly canEdit: boolean
}

const columns: ReadonlyArray<Column<ListedFlow>> = [
  {
    title: "Flow",
    cell: ({ id, latest }) =>
      html`${h(Link, { to: `/dashboard/flows/${id}` }, latest?.name ?? id)}
        <div class="quiet">${latest?.description ?? "No version of it is served."}</div>`
  },
  { title: "Id", cell: ({ id }) => html`<code>${id}</code>`, optional: true },
  { title: "Latest", cell: ({ latest }) => latest?.version ?? "–" },
  { title: "Versions", cell: ({ versions }) => versions, numeric: true, optional: true },
  {
    title: "Problems",
    cell: ({ problems }) =>
      problems === 0 ? "none" : html`<span class="badge badge-failed">${problems}</span>`
  }
]

/** The refresh interval of the list, in milliseconds. */
const again = () => 5_000

/** The flows of the folder, with those whose files have problems. */
export const FlowsPage = (): ComponentChildren => {
  const { data, problem } = useResource<Flows>("/flows", again)
  return h(
    Page,
    { title: "Flows" },
    data === undefined
      ? loading(problem)
      : html`<section class="card" aria-label="Flows">
          ${problemNote(problem)}
          ${table({
            caption: "Flows",
            columns,
            rows: data.flows,
            keyOf: ({ id }) => id,
            empty: html`There are no flows yet. Run <code>docflow new flow my-flow</code> in the folder
              that${" "} <code>DOCFLOW_FLOWS_DIR</code> names: it is served at once.`
          })}
        </section>`
  )
}
