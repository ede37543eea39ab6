import { h, type ComponentChildren } from "preact"
import { html } from "htm/preact"
import type { Scope } from "../../../domain/ApiKey.ts"
import type { Environment } from "../../../domain/Organization.ts"
import { group, TextField } from "../elements/FormField.ts"
import { Form, textOf } from "../elements/Form.ts"
import { post } from "../elements/Http.ts"

/** A key with its secret, as shown once, after its creation. */
export interface MadeKey {
  readonly id: string
  readonly key: string
  readonly name: string
  readonly environment: Environment
}

const environments: ReadonlyArray<readonly [Environment, string]> = [
  ["live", "live: uses credits"],
  ["test", "test: own data, free, lower limits"]
]

const scopes: ReadonlyArray<readonly [Scope, string]> = [
  ["flows:read", "read flows"],
  ["flows:execute", "run flows"],
  ["executions:read", "read executions"],
  ["executions:cancel", "cancel executions"],
  ["corrections:read", "read corrections"],
  ["corrections:write", "save corrections"]
]

interface NewKeyProps {
  readonly organizationId: string
  readonly onMade: (key: MadeKey) => void
}

/** A form that makes a key. */
export const NewKey = ({ onMade, organizationId }: NewKeyProps): ComponentChildren => {
  const make = async (data: FormData) => {
    const body = {
      name: textOf(data, "name"),
      environment: data.get("environment"),
      scopes: data.getAll("scope")
    }
    if (body.scopes.length === 0) throw new Error("Choose at least one permission.")
    onMade(await post<MadeKey>(`/organizations/${organizationId}/keys`, body))
  }
  return html`<section class="card" aria-labelledby="new-key">
    <h2 id="new-key">Make a key</h2>
    ${h(
      Form,
      { action: "Make the key", onSubmit: make },
      h(TextField, {
        name: "name",
        label: "Name",
        required: true,
        maxLength: 200,
        autoComplete: "off",
        hint: "Which program is it for?"
      }),
      group(
        "Environment",
        environments.map(
          ([value, text], index) =>
            html`<label
              ><input type="radio" name="environment" value=${value} defaultChecked=${index === 0} />
              ${text}</label
            >`
        )
      ),
      group(
        "It may",
        scopes.map(
          ([value, text]) =>
            html`<label><input type="checkbox" name="scope" value=${value} defaultChecked /> ${text}</label>`
        )
      )
    )}
  </section>`
}
