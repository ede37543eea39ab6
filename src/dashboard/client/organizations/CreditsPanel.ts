import { h, type ComponentChildren } from "preact"
import { html } from "htm/preact"
import type { LedgerEntry, Organization } from "../../../domain/Organization.ts"
import { useMay } from "../session/CurrentSession.ts"
import { TextField } from "../elements/FormField.ts"
import { Form, textOf } from "../elements/Form.ts"
import { formatNumber } from "../elements/Format.ts"
import { ask, call } from "../elements/Http.ts"
import { nothingShown, pager, type Column, table } from "../elements/DataTable.ts"
import { idText, loading, time } from "../elements/Elements.ts"
import { Link } from "../elements/Router.ts"
import { useResource } from "../elements/UseResource.ts"

interface CreditsProps {
  readonly organizationId: string
  readonly address: URL
  readonly onGranted: (organization: Organization) => void
}

const signed = (amount: number): string => (amount > 0 ? `+${formatNumber(amount)}` : formatNumber(amount))

const columns: ReadonlyArray<Column<LedgerEntry>> = [
  { title: "When", cell: ({ at }) => time(at) },
  { title: "Amount", cell: ({ amount }) => signed(amount), numeric: true },
  { title: "Kind", cell: ({ kind }) => kind, optional: true },
  {
    title: "For",
    cell: ({ executionId, reason }) =>
      executionId === undefined
        ? (reason ?? "–")
        : h(Link, { to: `/dashboard/executions/${executionId}` }, idText(executionId))
  }
]

/** Every movement of an organization's credits, and a form that grants some. */
export const CreditsPanel = ({ address, onGranted, organizationId }: CreditsProps): ComponentChildren => {
  const offset = Number(address.searchParams.get("offset") ?? 0)
  const page = { limit: 50, offset }
  const { data, problem, reload } = useResource(
    call("GET /api/admin/v1/organizations/:id/ledger", { id: organizationId, ...page })
  )
  const addressOf = (to: number) => `/dashboard/organizations/${organizationId}/credits?offset=${to}`
  const mayGrant = useMay("administrator")
  const grant = async (form: FormData) => {
    const body = { amount: Number(textOf(form, "amount")), reason: textOf(form, "reason") }
    onGranted(await ask("POST /api/admin/v1/organizations/:id/credits", { id: organizationId, body }))
    reload()
  }
  const form = html`<section class="card" aria-labelledby="grant">
    <h2 id="grant">Grant credits</h2>
    ${h(
      Form,
      { action: "Grant", onSubmit: grant },
      html`<div class="fields">
        ${h(TextField, {
          name: "amount",
          label: "Amount",
          type: "number",
          step: "any",
          required: true,
          hint: "A negative amount takes credits back, down to what is left."
        })}
        ${h(TextField, { name: "reason", label: "Reason", required: true, maxLength: 200, hint: "Shown in the ledger." })}
      </div>`
    )}
  </section>`
  return html`${mayGrant ? form : null}
    <section class="card" aria-labelledby="ledger">
      <h2 id="ledger">Ledger</h2>
      ${
        data === undefined
          ? loading(problem)
          : html`${table({
              caption: "Ledger",
              columns,
              rows: data.entries,
              keyOf: ({ amount, at, executionId }) => `${at} ${executionId} ${amount}`,
              empty: nothingShown(
                { ...data, ...page, addressOf },
                "No credit movements yet. Credits that are granted and used are listed here."
              )
            })}
            ${pager({
              ...data,
              ...page,
              what: "the ledger",
              addressOf
            })}`
      }
    </section>`
}
