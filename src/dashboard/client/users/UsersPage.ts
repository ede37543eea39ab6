import { type ComponentChildren, h } from "preact"
import { useContext, useState, useId, useRef } from "preact/hooks"
import { html } from "htm/preact"
import type { Role, User, UserChange } from "../../../domain/User.ts"
import { CurrentSession, useMay } from "../session/CurrentSession.ts"
import { type Column, table, nothingShown, pager } from "../elements/DataTable.ts"
import { badge, loading, problemNote, time, Page } from "../elements/Elements.ts"
import { ask, call, messageOf } from "../elements/Http.ts"
import { useResource } from "../elements/UseResource.ts"
import { Form, textOf } from "../elements/Form.ts"
import { SelectField, TextField, NewPasswordField } from "../elements/FormField.ts"
import { ConfirmButton } from "../elements/ConfirmButton.ts"

interface ActionsProps {
  readonly user: User
  readonly change: Change
}

/** Gives a user a new password; disables or enables the user. */
const UserActions = ({ change, user }: ActionsProps): ComponentChildren => {
  const [problem, setProblem] = useState<string>()
  const { disabled, id, name, signIn } = user
  const enable = () => {
    setProblem(undefined)
    change(id, { disabled: false }).catch((cause: unknown) => setProblem(messageOf(cause)))
  }
  return html`<div class="row-actions">
    ${signIn === "password" ? h(PasswordButton, { user, change }) : null}
    ${
      disabled
        ? html`<button type="button" aria-label=${`Enable ${name}`} onClick=${enable}>Enable</button>`
        : h(ConfirmButton, {
            action: "Disable",
            label: `Disable ${name}`,
            question: `Disable ${name}?`,
            consequence: `All sessions of ${name} end at once. The user can be enabled again.`,
            onConfirm: () => change(id, { disabled: true })
          })
    }
    ${problemNote(problem)}
  </div>`
}

const PasswordButton = ({ change, user: { id, name } }: ActionsProps): ComponentChildren => {
  const heading = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const save = async (data: FormData) => {
    await change(id, { password: String(data.get("password")) })
    dialog.current?.close()
  }
  return html`<button
      type="button"
      aria-label=${`Set the password of ${name}`}
      onClick=${() => dialog.current?.showModal()}
    >
      Password
    </button>
    <dialog ref=${dialog} aria-labelledby=${heading}>
      <h2 id=${heading}>New password of ${name}</h2>
      ${h(
        Form,
        { action: "Set the password", onSubmit: save },
        h(NewPasswordField, { name: "password", label: "Password", more: `All sessions of ${name} end.` })
      )}
      <div class="buttons dialog-end">
        <button type="button" onClick=${() => dialog.current?.close()}>Cancel</button>
      </div>
    </dialog>`
}

interface NewUserProps {
  readonly roles: ReadonlyArray<Role>
  readonly onAdded: () => void
}

const rights: Readonly<Record<Role, string>> = {
  viewer: "viewer: sees everything",
  reviewer: "reviewer: also corrects and confirms",
  operator: "operator: also runs, cancels and replays",
  administrator: "administrator: everything"
}

/** A form that adds a user. */
const NewUser = ({ onAdded, roles }: NewUserProps): ComponentChildren => {
  const [role, setRole] = useState<Role>("viewer")
  const [added, setAdded] = useState<string>()
  const add = async (data: FormData) => {
    const user = await ask("POST /api/admin/v1/users", {
      body: { name: textOf(data, "name"), role, password: String(data.get("password")) }
    })
    setAdded(user.name)
    onAdded()
  }
  return html`<section class="card" aria-labelledby="new-user">
    <h2 id="new-user">Add a user</h2>
    ${added === undefined ? null : html`<p class="note" role="status">Added ${added}.</p>`}
    ${h(
      Form,
      { action: "Add the user", onSubmit: add },
      html`<div class="fields">
        ${h(TextField, {
          name: "name",
          label: "Name",
          required: true,
          maxLength: 100,
          autoComplete: "off",
          hint: "Letters, digits and . _ @ + -, for example an e-mail address."
        })}
        ${h(SelectField, {
          name: "role",
          label: "Role",
          value: role,
          options: roles.map((one) => [one, rights[one]] as const),
          onChange: (value) => setRole(roles.find((one) => one === value) ?? role)
        })}
      </div>`,
      h(NewPasswordField, { name: "password", label: "Password", more: "The user can change it later." })
    )}
  </section>`
}

/** Changes a user; what is omitted stays. */
export type Change = (id: string, change: UserChange) => Promise<unknown>

/** The page of the users, for administrators. */
export const UsersPage = ({ address }: { readonly address: URL }): ComponentChildren =>
  useMay("administrator")
    ? h(ManageUsers, { address })
    : h(Page, { title: "Users" }, html`<p class="quiet">Managing users requires the role administrator.</p>`)

const addressOf = (to: number) => `/dashboard/users?offset=${to}`

/** The users: added, given a role or a password, disabled. */
const ManageUsers = ({ address }: { readonly address: URL }): ComponentChildren => {
  const roles = useContext(CurrentSession)?.roles ?? []
  const offset = Number(address.searchParams.get("offset") ?? 0)
  const { data, problem, reload } = useResource(call("GET /api/admin/v1/users", { limit: 50, offset }))
  const [failure, setFailure] = useState<string>()
  const [saved, setSaved] = useState<string>()
  const change: Change = async (id, wanted) => {
    setFailure(undefined)
    await ask("PUT /api/admin/v1/users/:id", { id, body: wanted })
    reload()
  }
  const tell = (cause: unknown) => {
    setFailure(messageOf(cause))
    reload()
  }
  const setRole = ({ id, name }: User, chosen: string) => {
    const role = roles.find((one) => one === chosen)
    if (role === undefined) return
    setSaved(undefined)
    void change(id, { role }).then(() => setSaved(`${name} has the role ${role} now.`), tell)
  }
  return h(
    Page,
    { title: "Users" },
    h(NewUser, { roles, onAdded: reload }),
    html`<section class="card" aria-labelledby="users">
      <h2 id="users">Users</h2>
      ${problemNote(failure)} ${saved === undefined ? null : html`<p class="note" role="status">${saved}</p>`}
      ${
        data === undefined
          ? loading(problem)
          : html`${problemNote(problem)}
            ${table({
              caption: "Users",
              columns: columnsWith(roles, setRole, change),
              rows: data.users,
              keyOf: ({ id }) => id,
              empty: nothingShown(
                { ...data, addressOf },
                "No users yet. Add yourself as an administrator above; then keep the admin token for emergencies."
              )
            })}
            ${pager({ ...data, what: "users", addressOf })}`
      }
    </section>`
  )
}

const columnsWith = (
  roles: ReadonlyArray<Role>,
  setRole: (user: User, role: string) => void,
  change: Change
): ReadonlyArray<Column<User>> => [
  { title: "Name", cell: ({ name }) => name },
  {
    title: "Role",
    cell: (user) =>
      html`<select
        aria-label=${`Role of ${user.name}`}
        value=${user.role}
        onChange=${({ currentTarget }: Event) => {
          if (currentTarget instanceof HTMLSelectElement) setRole(user, currentTarget.value)
        }}
      >
        ${roles.map((one) => html`<option value=${one} selected=${one === user.role}>${one}</option>`)}
      </select>`
  },
  {
    title: "Signs in with",
    cell: ({ signIn }) => (signIn === "password" ? "password" : "OpenID"),
    optional: true
  },
  { title: "State", cell: ({ disabled }) => badge(disabled ? "disabled" : "enabled"), optional: true },
  {
    title: "Last sign-in",
    cell: ({ lastSignInAt }) => (lastSignInAt === null ? "never" : time(lastSignInAt)),
    optional: true
  },
  { title: "Actions", cell: (user) => h(UserActions, { user, change }) }
]
