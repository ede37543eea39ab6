import { type ComponentChildren, h } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { ApiKey, Scope } from "../../../domain/ApiKey.ts"
import { useMay } from "../session/CurrentSession.ts"
import { ConfirmButton } from "../elements/ConfirmButton.ts"
import { type Answer, ask, call } from "../elements/Http.ts"
import { badge, loading, problemNote, time } from "../elements/Elements.ts"
import { type Column, table } from "../elements/DataTable.ts"
import { useResource } from "../elements/UseResource.ts"
import type { Environment } from "../../../domain/Organization.ts"
import { group, TextField } from "../elements/FormField.ts"
import { Form, textOf } from "../elements/Form.ts"

/** A key with its secret, as shown once, after its creation. */
type MadeKey = Answer<"POST /api/admin/v1/organizations/:id/keys">

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
const NewKey = ({ onMade, organizationId }: NewKeyProps): ComponentChildren => {
  const make = async (data: FormData) => {
    const chosen = new Set(data.getAll("scope"))
    const body = {
      name: textOf(data, "name"),
      environment: data.get("environment") === "test" ? ("test" as const) : ("live" as const),
      scopes: scopes.flatMap(([scope]) => (chosen.has(scope) ? [scope] : []))
    }
    if (body.scopes.length === 0) throw new Error("Choose at least one permission.")
    onMade(await ask("POST /api/admin/v1/organizations/:id/keys", { id: organizationId, body }))
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

/** A button that copies a string to the clipboard. Browsers have no clipboard without HTTPS; then there is no button. */
const CopyButton = ({
  label,
  text
}: {
  readonly label: string
  readonly text: string
}): ComponentChildren => {
  const [said, say] = useState("")
  if (!("clipboard" in navigator)) return html`<span></span>`
  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => say("Copied"),
      () => say("Not copied: select the text and copy it")
    )
  }
  return html`<span class="copy">
    <button type="button" onClick=${copy}>${label}</button>
    <span role="status">${said}</span>
  </span>`
}

/** A new key, which is shown only once. */
const ShownKey = ({
  made,
  onDone
}: {
  readonly made: MadeKey
  readonly onDone: () => void
}): ComponentChildren => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return html`<section class="card card-good" aria-labelledby="made-key">
    <h2 id="made-key" tabindex="-1" ref=${heading}>The key “${made.name}” was made</h2>
    <p>Copy it now: only its hash is kept, so it is never shown again.</p>
    <div class="secret">
      <input
        readonly
        aria-label="The key"
        value=${made.key}
        onFocus=${(event: FocusEvent) => {
          if (event.currentTarget instanceof HTMLInputElement) event.currentTarget.select()
        }}
      />
      ${h(CopyButton, { label: "Copy the key", text: made.key })}
    </div>
    <div class="buttons">
      <button type="button" class="primary" onClick=${onDone}>I have copied it</button>
    </div>
  </section>`
}

/** An organization's keys: made, shown once, revoked. */
export const KeysPanel = ({ organizationId }: { readonly organizationId: string }): ComponentChildren => {
  const { data, problem, reload } = useResource(
    call("GET /api/admin/v1/organizations/:id/keys", { id: organizationId })
  )
  const mayChange = useMay("administrator")
  const [made, setMade] = useState<MadeKey>()
  const show = (key: MadeKey) => {
    setMade(key)
    reload()
  }
  const revoke = (id: string) => ask("DELETE /api/admin/v1/keys/:id", { id }).then(reload)
  return html`${
      !mayChange
        ? null
        : made === undefined
          ? h(NewKey, { organizationId, onMade: show })
          : h(ShownKey, { made, onDone: () => setMade(undefined) })
    }
    <section class="card" aria-labelledby="keys">
      <h2 id="keys">Keys</h2>
      ${problemNote(data === undefined ? undefined : problem)}
      ${
        data === undefined
          ? loading(problem)
          : table({
              caption: "Keys",
              columns: columnsWith(mayChange ? revoke : undefined),
              rows: data.keys.toReversed(),
              keyOf: ({ id }) => id,
              empty: mayChange
                ? "No keys yet. Programs need a key to call the API: make one above."
                : "No keys yet. Programs need a key to call the API; an administrator makes them."
            })
      }
    </section>`
}

const columnsWith = (
  revoke: ((id: string) => Promise<unknown>) | undefined
): ReadonlyArray<Column<ApiKey>> => [
  { title: "Name", cell: ({ name }) => name },
  { title: "Ends in", cell: ({ lastFour }) => html`<code>…${lastFour}</code>` },
  { title: "Environment", cell: ({ environment }) => badge(environment) },
  {
    title: "May",
    cell: ({ scopes }) => scopes.map((scope) => html`<code class="scope">${scope}</code> `),
    optional: true
  },
  { title: "Created", cell: ({ createdAt }) => time(createdAt), optional: true },
  {
    title: "Last used",
    cell: ({ lastUsedAt }) => (lastUsedAt === null ? "never" : time(lastUsedAt)),
    optional: true
  },
  {
    title: "State",
    cell: ({ id, name, revokedAt }) =>
      revokedAt !== null
        ? badge("revoked")
        : revoke === undefined
          ? badge("valid")
          : h(ConfirmButton, {
              action: "Revoke",
              label: `Revoke ${name}`,
              question: `Revoke the key “${name}”?`,
              consequence:
                "Every program that uses it is refused within five seconds. This cannot be undone.",
              onConfirm: () => revoke(id)
            })
  }
]
