import { h, type ComponentChildren } from "preact"
import { useContext, useState } from "preact/hooks"
import { html } from "htm/preact"
import { CurrentSession } from "./CurrentSession.ts"
import { facts, Page } from "../elements/Elements.ts"
import { Form } from "../elements/Form.ts"
import { TextField, NewPasswordField } from "../elements/FormField.ts"
import { ask } from "../elements/Http.ts"

/** What a user sees and changes of the own account. */
export const AccountPage = (): ComponentChildren => {
  const session = useContext(CurrentSession)
  const [changed, setChanged] = useState(false)
  const name = session?.name ?? null
  if (name === null)
    return h(
      Page,
      { title: "Account" },
      html`<p>You signed in with the admin token or a sign-in link, which belong to no user.</p>`
    )
  const change = async (data: FormData) => {
    setChanged(false)
    const next = String(data.get("next"))
    if (next !== String(data.get("again")))
      throw new Error("The new passwords differ. Type the same one twice.")
    await ask("PUT /dashboard/api/account/password", { body: { current: String(data.get("current")), next } })
    setChanged(true)
  }
  return h(
    Page,
    { title: name },
    html`<section class="card" aria-label="About your account">
      ${facts([
        ["Name", name],
        ["Role", session?.role ?? "–"]
      ])}
    </section>`,
    session?.hasPassword === true
      ? passwordForm(changed, change)
      : html`<p>You sign in at the OpenID provider; your password is changed there.</p>`
  )
}

const passwordForm = (changed: boolean, change: (data: FormData) => Promise<void>): ComponentChildren =>
  html`<section class="card" aria-labelledby="password">
    <h2 id="password">Change your password</h2>
    ${changed ? html`<p class="note" role="status">Your password was changed. Your other sessions have ended.</p>` : null}
    ${h(
      Form,
      { action: "Change the password", onSubmit: change },
      h(TextField, {
        name: "current",
        label: "Current password",
        type: "password",
        required: true,
        autoComplete: "current-password"
      }),
      h(NewPasswordField, { name: "next", label: "New password" }),
      h(TextField, {
        name: "again",
        label: "New password again",
        type: "password",
        required: true,
        autoComplete: "new-password"
      })
    )}
  </section>`
