import { h, type ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"
import type { ApiKey } from "../../../domain/ApiKey.ts"
import { useMay } from "../session/CurrentSession.ts"
import { ConfirmButton } from "../elements/ConfirmButton.ts"
import { remove } from "../elements/Http.ts"
import { type MadeKey, NewKey } from "./NewKey.ts"
import { badge, loading, problemNote, time } from "../elements/Elements.ts"
import { ShownKey } from "./ShownKey.ts"
import { type Column, table } from "../elements/DataTable.ts"
import { useResource } from "../elements/UseResource.ts"

interface Keys {
  readonly keys: ReadonlyArray<ApiKey>
}

/** An organization's keys: made, shown once, revoked. */
export const KeysPanel = ({ organizationId }: { readonly organizationId: string }): ComponentChildren => {
  const { data, problem, reload } = useResource<Keys>(`/organizations/${organizationId}/keys`)
  const mayChange = useMay("administrator")
  const [made, setMade] = useState<MadeKey>()
  const show = (key: MadeKey) => {
    setMade(key)
    reload()
  }
  const revoke = (id: string) => remove(`/keys/${id}`).then(reload)
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
