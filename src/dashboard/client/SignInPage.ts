import { h, type ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { Session, SignIn } from "../SessionGroup.ts"
import { TextField } from "./FormField.ts"
import { Form, textOf } from "./Form.ts"
import { messageOf, post } from "./Http.ts"
import { problemNote } from "./Elements.ts"

interface SignInProps {
  readonly linkSecret: string | undefined
  /** Whether there are users, who sign in with a password. */
  readonly hasUsers: boolean
  readonly onSignedIn: (session: Session) => void
}

/** The sign-in page: by the link that was opened, or by name and password, or by the admin token. */
export const SignInPage = ({ hasUsers, linkSecret, onSignedIn }: SignInProps): ComponentChildren => {
  const [spent, setSpent] = useState<string>()
  useEffect(() => {
    document.title = "Sign in · docflow"
  }, [])
  const signIn = (credential: SignIn) => post<Session>("/session", credential).then(onSignedIn)
  const byLink = async () => {
    if (linkSecret === undefined) return
    await signIn({ kind: "link", secret: linkSecret }).catch((failure: unknown) =>
      setSpent(messageOf(failure))
    )
  }
  const byToken = h(
    Form,
    {
      key: "token",
      action: hasUsers ? "Sign in with the token" : "Sign in",
      onSubmit: (data) => signIn({ kind: "token", secret: textOf(data, "token") })
    },
    h(TextField, {
      name: "token",
      label: "Admin token",
      type: "password",
      required: true,
      autoComplete: hasUsers ? "off" : "current-password",
      hint: "The setting DOCFLOW_ADMIN_TOKEN or, if it is not set, the file admin-token in the data folder."
    })
  )
  const withoutLink = html`${problemNote(spent)}
  ${
    hasUsers
      ? html`${byPassword(signIn)}
          <details class="other-way">
            <summary>Use the admin token</summary>
            ${byToken}
          </details>`
      : byToken
  }`
  return html`<main class="sign-in">
    <h1>docflow</h1>
    ${
      linkSecret === undefined || spent !== undefined
        ? withoutLink
        : h(
            Form,
            { key: "link", action: "Sign in", onSubmit: byLink, submitAtOnce: true },
            html`<p>You opened a sign-in link. It works once.</p>`
          )
    }
  </main>`
}

const byPassword = (signIn: (credential: SignIn) => Promise<unknown>): ComponentChildren =>
  h(
    Form,
    {
      key: "password",
      action: "Sign in",
      onSubmit: (data) =>
        signIn({
          kind: "password",
          name: textOf(data, "name"),
          password: String(data.get("password"))
        })
    },
    h(TextField, { name: "name", label: "Name", required: true, maxLength: 200, autoComplete: "username" }),
    h(TextField, {
      name: "password",
      label: "Password",
      type: "password",
      required: true,
      autoComplete: "current-password"
    })
  )
