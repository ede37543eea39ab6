import { type ComponentChildren, h } from "preact"
import { html } from "htm/preact"
import type { Organization } from "../../../domain/Organization.ts"
import type { MonthOfUse } from "../../../domain/Usage.ts"
import { ConfirmButton } from "../elements/ConfirmButton.ts"
import { type Column, table } from "../elements/DataTable.ts"
import { facts, loading } from "../elements/Elements.ts"
import { Form, textOf } from "../elements/Form.ts"
import { TextField } from "../elements/FormField.ts"
import { formatNumber } from "../elements/Format.ts"
import { ask, call } from "../elements/Http.ts"
import { useResource } from "../elements/UseResource.ts"
import { useMay } from "../session/CurrentSession.ts"

interface ModelsProps {
  readonly organization: Organization
  readonly onChanged: (organization: Organization) => void
}

const columns: ReadonlyArray<Column<MonthOfUse>> = [
  { title: "Model", cell: ({ model }) => model },
  { title: "Flow", cell: ({ flowId }) => flowId },
  { title: "Tokens of requests", cell: ({ inputTokens }) => formatNumber(inputTokens), numeric: true },
  { title: "Tokens of answers", cell: ({ outputTokens }) => formatNumber(outputTokens), numeric: true }
]

/** An organization's budget of tokens, its own keys at providers of models, and what it used of them this month. */
export const ModelsPanel = ({ onChanged, organization }: ModelsProps): ComponentChildren => {
  const { id, models } = organization
  const mayChange = useMay("administrator")
  const { data, problem } = useResource(call("GET /api/admin/v1/usage", { organizationId: id }))
  const change = async (body: { tokensPerMonth?: number | null; keys?: Record<string, string | null> }) =>
    onChanged(await ask("PUT /api/admin/v1/organizations/:id/models", { id, body }))
  const setBudget = (form: FormData) => {
    const typed = textOf(form, "tokensPerMonth")
    return change({ tokensPerMonth: typed === "" ? null : Number(typed) })
  }
  const setKey = (form: FormData) => change({ keys: { [textOf(form, "provider")]: textOf(form, "key") } })
  const removal = (provider: string) =>
    h(ConfirmButton, {
      action: "Remove",
      label: `Remove the key for ${provider}`,
      question: `Remove the key for ${provider}?`,
      consequence: "Requests to this provider then use the key of the installation.",
      onConfirm: () => change({ keys: { [provider]: null } })
    })
  return html`<section class="card" aria-labelledby="tokens">
      <h2 id="tokens">Tokens this month</h2>
      ${facts([
        ["Used or reserved", formatNumber(models.tokensThisMonth)],
        ["Budget", models.tokensPerMonth === null ? "none" : formatNumber(models.tokensPerMonth)]
      ])}
      ${
        data === undefined
          ? loading(problem)
          : table({
              caption: "Tokens by model and flow",
              columns,
              rows: data.usage.filter(({ model }) => model !== ""),
              keyOf: ({ environment, flowId, model }) => `${environment} ${flowId} ${model}`,
              empty: "No execution that ended this month used a model."
            })
      }
      ${
        mayChange
          ? h(
              Form,
              { action: "Set the budget", onSubmit: setBudget },
              h(TextField, {
                name: "tokensPerMonth",
                label: "Tokens per month",
                type: "number",
                min: 0,
                step: 1,
                hint: "A request that could exceed the budget is not sent, and its step fails. Empty: no budget."
              })
            )
          : null
      }
    </section>
    <section class="card" aria-labelledby="model-keys">
      <h2 id="model-keys">Own keys at providers</h2>
      ${table({
        caption: "Own keys at providers",
        columns: [
          { title: "Provider", cell: (provider) => provider },
          ...(mayChange ? [{ title: "State", cell: removal }] : [])
        ],
        rows: models.keys,
        keyOf: (provider) => provider,
        empty: "No own keys. Requests use the keys of the installation."
      })}
      ${
        mayChange
          ? h(
              Form,
              { action: "Save the key", onSubmit: setKey },
              html`<div class="fields">
                ${h(TextField, {
                  name: "provider",
                  label: "Provider",
                  required: true,
                  autoComplete: "off",
                  hint: "Its name in DOCFLOW_LLM, such as openai."
                })}
                ${h(TextField, {
                  name: "key",
                  label: "Key",
                  type: "password",
                  required: true,
                  autoComplete: "off",
                  hint: "Stored encrypted, and never shown again."
                })}
              </div>`
            )
          : null
      }
    </section>`
}
