import { type ComponentChildren, h } from "preact"
import { html } from "htm/preact"
import type { Organization, Plan } from "../../../domain/Organization.ts"
import { useMay } from "../session/CurrentSession.ts"
import { formatNumber } from "../elements/Format.ts"
import { Page, badge, loading, problemNote, time } from "../elements/Elements.ts"
import { nothingShown, pager, type Column, table } from "../elements/DataTable.ts"
import { Link, navigate } from "../elements/Router.ts"
import { useResource } from "../elements/UseResource.ts"
import { useRef, useState } from "preact/hooks"
import { SelectField, TextField } from "../elements/FormField.ts"
import { Form, textOf } from "../elements/Form.ts"
import { ask, call } from "../elements/Http.ts"

const plans = [
  ["free", "free"],
  ["pro", "pro"],
  ["enterprise", "enterprise: with limits of its own"]
] as const

const numbers = ["credits", "requestsPerMinute", "concurrentExecutions"] as const

/** A form that makes an organization and leads to it. */
const NewOrganization = ({ onMade }: { readonly onMade: () => void }): ComponentChildren => {
  const [plan, setPlan] = useState<Plan>("pro")
  const panel = useRef<HTMLDetailsElement>(null)
  const choose = (value: string) => setPlan(plans.find(([one]) => one === value)?.[0] ?? plan)
  const make = async (data: FormData) => {
    const given = numbers.flatMap((name) => {
      const text = textOf(data, name)
      return text === "" ? [] : [[name, Number(text)]]
    })
    const made = await ask("POST /api/admin/v1/organizations", {
      body: { name: textOf(data, "name"), plan, ...Object.fromEntries(given) }
    })
    if (panel.current !== null) panel.current.open = false
    onMade()
    navigate(`/dashboard/organizations/${made.id}`)
  }
  const count = { type: "number", min: 1, step: 1, inputMode: "numeric" } as const
  return html`<details class="card" ref=${panel}>
    <summary>Create an organization</summary>
    ${h(
      Form,
      { action: "Create the organization", onSubmit: make },
      h(TextField, { name: "name", label: "Name", required: true, maxLength: 200, autoComplete: "off" }),
      h(SelectField, { name: "plan", label: "Plan", value: plan, options: plans, onChange: choose }),
      h(TextField, { name: "credits", label: "Initial credits", type: "number", min: 0, step: "any" }),
      plan === "enterprise"
        ? html`<div class="fields">
            ${h(TextField, { ...count, name: "requestsPerMinute", label: "Requests per minute", hint: "1000 when empty" })}
            ${h(TextField, { ...count, name: "concurrentExecutions", label: "Concurrent executions", hint: "50 when empty" })}
          </div>`
        : null
    )}
  </details>`
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
  const { data, problem, reload } = useResource(
    call("GET /api/admin/v1/organizations", { limit: 50, offset })
  )
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
