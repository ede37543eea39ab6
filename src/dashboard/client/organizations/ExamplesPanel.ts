import { h, type ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"
import type { ExampleSummary } from "../../../domain/ExampleSummary.ts"
import { useMay } from "../session/CurrentSession.ts"
import { ConfirmButton } from "../elements/ConfirmButton.ts"
import { type Column, table, nothingShown, pager } from "../elements/DataTable.ts"
import { badge, idText, loading, problemNote, time } from "../elements/Elements.ts"
import { formatNumber } from "../elements/Format.ts"
import { ask, call, messageOf } from "../elements/Http.ts"
import { Link } from "../elements/Router.ts"
import { useResource } from "../elements/UseResource.ts"
import { shownValue } from "../viewer/ViewerFields.ts"

interface ExamplesProps {
  readonly organizationId: string
  readonly address: URL
}

const perPage = 25

/** The examples that an organization's corrections taught: listed, switched off, deleted. */
export const ExamplesPanel = ({ address, organizationId }: ExamplesProps): ComponentChildren => {
  const offset = Number(address.searchParams.get("offset") ?? 0)
  const chosen = Object.fromEntries(
    ["like", "by"].flatMap((name) => {
      const value = address.searchParams.get(name)
      return value === null ? [] : [[name, value]]
    })
  )
  const { data, problem, reload } = useResource(
    call("GET /api/admin/v1/organizations/:id/examples", {
      id: organizationId,
      limit: perPage,
      offset,
      ...chosen
    })
  )
  const here = `/dashboard/organizations/${organizationId}/examples`
  const addressOf = (to: number) =>
    `${here}?${new URLSearchParams({ ...chosen, offset: String(to) }).toString()}`
  const isPart = Object.keys(chosen).length > 0
  const maySwitch = useMay("reviewer")
  const mayDelete = useMay("administrator")
  const [failure, setFailure] = useState<string>()
  const change = (id: string, enabled: boolean) => {
    setFailure(undefined)
    ask("PUT /api/admin/v1/examples/:id", { id, body: { enabled } }).then(reload, (cause: unknown) =>
      setFailure(messageOf(cause))
    )
  }
  return html`<section class="card" aria-labelledby="examples">
    <h2 id="examples">Examples</h2>
    <p class="quiet">
      Every document that a person corrected or accepted is an example. Flows that use examples, such as${" "}
      <code>invoice</code> and <code>receipt</code>, read the next documents of its layout by it.
    </p>
    ${isPart ? html`<p>${"like" in chosen ? "What was learned of one supplier" : `What ${chosen["by"] ?? ""} taught`}. ${h(Link, { to: here }, "Show all")}</p>` : null}
    ${
      mayDelete && data !== undefined && data.total > 0
        ? h(ConfirmButton, {
            action: "Forget",
            label: isPart ? "Forget these" : "Forget everything",
            question: `Forget what ${data.total} examples taught?`,
            consequence:
              "The next documents are read without it. The corrections of the executions stay as they are.",
            onConfirm: () =>
              ask("DELETE /api/admin/v1/organizations/:id/examples", { id: organizationId, ...chosen }).then(
                reload
              )
          })
        : null
    }
    ${problemNote(failure)}
    ${
      data === undefined
        ? loading(problem)
        : html`${problemNote(problem)}
          ${table({
            caption: "Examples",
            columns: columnsWith(
              here,
              maySwitch ? change : undefined,
              mayDelete ? (id) => ask("DELETE /api/admin/v1/examples/:id", { id }).then(reload) : undefined
            ),
            rows: data.examples,
            keyOf: ({ id }) => id,
            empty: nothingShown(
              { ...data, addressOf },
              "Nothing was learned yet. Open an execution, correct a field or accept it: it counts for the next document of that layout."
            )
          })}
          ${pager({
            ...data,
            what: "examples",
            addressOf
          })}`
    }
  </section>`
}

const nameOf = ({ filename, id }: ExampleSummary): string => filename ?? id

const fieldsOf = (here: string, { fields }: ExampleSummary): ComponentChildren =>
  html`<details class="learned">
    <summary>${fields.length === 1 ? "1 field" : `${fields.length} fields`}</summary>
    <dl>
      ${fields.map(
        ({ by, corrected, name, value }) =>
          html`<dt>${name}</dt>
            <dd>
              ${shownValue(value)}${corrected ? html` <span class="quiet">corrected</span>` : null}${by === undefined ? null : html` ${h(Link, { to: `${here}?by=${encodeURIComponent(by)}` }, by)}`}
            </dd>`
      )}
    </dl>
  </details>`

const columnsWith = (
  here: string,
  change: ((id: string, enabled: boolean) => void) | undefined,
  erase: ((id: string) => Promise<unknown>) | undefined
): ReadonlyArray<Column<ExampleSummary>> => [
  {
    title: "Document",
    cell: (example) =>
      example.executionId === null
        ? html`imported<br /><span class="quiet">${idText(example.id)}</span>`
        : h(Link, { to: `/dashboard/executions/${example.executionId}` }, nameOf(example))
  },
  {
    title: "Supplier",
    cell: ({ id }) => h(Link, { to: `${here}?like=${id}` }, "Its examples"),
    optional: true
  },
  { title: "Flow", cell: ({ flowId }) => flowId, optional: true },
  { title: "Environment", cell: ({ environment }) => badge(environment), optional: true },
  { title: "Teaches", cell: (example) => fieldsOf(here, example) },
  { title: "Learned", cell: ({ createdAt }) => time(createdAt), optional: true },
  { title: "Used", cell: ({ uses }) => formatNumber(uses), numeric: true },
  { title: "Last used", cell: ({ lastUsedAt }) => time(lastUsedAt), optional: true },
  {
    title: "State",
    cell: (example) =>
      html`<div class="row-actions">
        ${badge(example.enabled ? "on" : "off")}
        ${
          change === undefined
            ? null
            : html`<button
                type="button"
                aria-label=${`Switch ${example.enabled ? "off" : "on"} ${nameOf(example)}`}
                onClick=${() => change(example.id, !example.enabled)}
              >
                Switch ${example.enabled ? "off" : "on"}
              </button>`
        }
        ${
          erase === undefined
            ? null
            : h(ConfirmButton, {
                action: "Delete",
                label: `Delete ${nameOf(example)}`,
                question: "Delete this example?",
                consequence:
                  "The next documents of its layout are read without it. The corrections of its execution stay as they are.",
                onConfirm: () => erase(example.id)
              })
        }
      </div>`
  }
]
