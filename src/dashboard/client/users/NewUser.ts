import { h, type ComponentChildren } from "preact"
import { useState } from "preact/hooks"
import { html } from "htm/preact"
import type { Role, User } from "../../../domain/User.ts"
import { Form, textOf } from "../elements/Form.ts"
import { SelectField, TextField } from "../elements/FormField.ts"
import { NewPasswordField } from "../session/NewPasswordField.ts"
import { post } from "../elements/Http.ts"

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
export const NewUser = ({ onAdded, roles }: NewUserProps): ComponentChildren => {
  const [role, setRole] = useState("viewer")
  const [added, setAdded] = useState<string>()
  const add = async (data: FormData) => {
    const user = await post<User>("/users", {
      name: textOf(data, "name"),
      role,
      password: String(data.get("password"))
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
          onChange: setRole
        })}
      </div>`,
      h(NewPasswordField, { name: "password", label: "Password", more: "The user can change it later." })
    )}
  </section>`
}
