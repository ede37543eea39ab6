import { h, type ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { Session, SignIn } from "../../SessionGroup.ts"
import { TextField } from "../elements/FormField.ts"
import { Form, textOf } from "../elements/Form.ts"
import { ask, base, messageOf } from "../elements/Http.ts"
import { problemNote } from "../elements/Elements.ts"

interface SignInProps {
  readonly linkSecret: string | undefined
  /** Whether there are users, who sign in with a password. */
  readonly hasUsers: boolean
  /** Whether people can sign in at an OpenID provider. */
  readonly hasOpenId: boolean
  readonly onSignedIn: (session: Session) => void
}

/** The sign-in page: by the link that was opened, or by name and password, or by the admin token. */
export const SignInPage = ({
  hasOpenId,
  hasUsers,
  linkSecret,
  onSignedIn
}: SignInProps): ComponentChildren => {
  const [spent, setSpent] = useState<string>()
  useEffect(() => {
    document.title = "Sign in · docflow"
  }, [])
  const page = useRef<HTMLElement>(null)
  useEffect(() => {
    const first = page.current?.querySelector("a.button, input")
    if (first instanceof HTMLElement) first.focus()
  }, [spent])
  const signIn = (credential: SignIn) =>
    ask("POST /dashboard/api/session", { body: credential }).then(onSignedIn)
  const byLink = async () => {
    if (linkSecret === undefined) return
    await signIn({ kind: "link", secret: linkSecret }).catch((failure: unknown) =>
      setSpent(messageOf(failure))
    )
  }
  const hasOther = hasUsers || hasOpenId
  const byToken = h(
    Form,
    {
      key: "token",
      action: hasOther ? "Sign in with the token" : "Sign in",
      mostLikelyWrong: "token",
      onSubmit: (data) => signIn({ kind: "token", secret: textOf(data, "token") })
    },
    h(TextField, {
      name: "token",
      label: "Admin token",
      type: "password",
      required: true,
      autoComplete: hasOther ? "off" : "current-password",
      hint: "The setting DOCFLOW_ADMIN_TOKEN or, if it is not set, the file admin-token in the data folder."
    })
  )
  const refused = refusals[new URLSearchParams(location.search).get("sign-in") ?? ""]
  const withoutLink = html`${problemNote(spent ?? refused)} ${hasOpenId ? byOpenId : null}
  ${
    hasOther
      ? html`${hasUsers ? byPassword(signIn) : null}
          <details class="other-way">
            <summary>Use the admin token</summary>
            ${byToken}
          </details>`
      : byToken
  }`
  return html`<main class="sign-in" ref=${page}>
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

/** Why the OpenID provider's answer was not enough; the codes are those in the address of the page. */
const refusals: Readonly<Record<string, string>> = {
  failed: "The OpenID provider did not sign you in. Try again; the service's log says more.",
  expired: "The sign-in took too long, or began in another browser. Try again.",
  "no-role": "The OpenID provider names no role for you. Ask an administrator for one.",
  disabled: "This user is disabled. Ask an administrator.",
  "name-taken": "Another user has your name. Ask an administrator.",
  "bad-name": "The OpenID provider names you in a way that docflow cannot use. Ask an administrator.",
  "too-many": "Too many attempts to sign in. Try again in a minute."
}

const byOpenId = html`<p>
  <a class="button primary" href=${`${base}/dashboard/openid/start`}>Sign in with OpenID</a>
</p>`

const byPassword = (signIn: (credential: SignIn) => Promise<unknown>): ComponentChildren =>
  h(
    Form,
    {
      key: "password",
      action: "Sign in",
      mostLikelyWrong: "password",
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
