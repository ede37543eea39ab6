import { h, type ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { SignIn } from "../DashboardApi.ts"
import { TextField } from "./FormField.ts"
import { Form, textOf } from "./Form.ts"
import { messageOf, post } from "./Http.ts"
import { problemNote } from "./Elements.ts"

interface SignInProps {
  readonly linkSecret: string | undefined
  readonly onSignedIn: () => void
}

/** The sign-in page: signs in by the link that was opened or, if there is none or it was used, by the admin token. */
export const SignInPage = ({ linkSecret, onSignedIn }: SignInProps): ComponentChildren => {
  const [spent, setSpent] = useState<string>()
  useEffect(() => {
    document.title = "Sign in · docflow"
  }, [])
  const signIn = (credential: SignIn) => post("/session", credential).then(onSignedIn)
  const byLink = async () => {
    if (linkSecret === undefined) return
    await signIn({ kind: "link", secret: linkSecret }).catch((failure: unknown) =>
      setSpent(messageOf(failure))
    )
  }
  return html`<main class="sign-in">
    <h1>docflow</h1>
    ${
      linkSecret === undefined || spent !== undefined
        ? h(
            Form,
            {
              key: "token",
              action: "Sign in",
              onSubmit: (data) => signIn({ kind: "token", secret: textOf(data, "token") })
            },
            problemNote(spent),
            h(TextField, {
              name: "token",
              label: "Admin token",
              type: "password",
              required: true,
              autoComplete: "current-password",
              hint: "The setting DOCFLOW_ADMIN_TOKEN or, if it is not set, the file admin-token in the data folder."
            })
          )
        : h(
            Form,
            { key: "link", action: "Sign in", onSubmit: byLink, submitAtOnce: true },
            html`<p>You opened a sign-in link. It works once.</p>`
          )
    }
  </main>`
}
