import { h, type ComponentChildren } from "preact"
import { useContext, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { Session } from "../SessionGroup.ts"
import { AccountPage } from "./session/AccountPage.ts"
import { CurrentSession, useMay } from "./session/CurrentSession.ts"
import { ExecutionPage } from "./execution/ExecutionPage.ts"
import { FlowPage } from "./flows/FlowPage.ts"
import { FlowsPage } from "./flows/FlowsPage.ts"
import { messageOf, remove } from "./elements/Http.ts"
import { OrganizationPage } from "./organizations/OrganizationPage.ts"
import { OrganizationsPage } from "./organizations/OrganizationsPage.ts"
import { Page } from "./elements/Page.ts"
import { loading, problemNote } from "./elements/Elements.ts"
import { Link, navigate, useAddress } from "./elements/Router.ts"
import { SignInPage } from "./session/SignInPage.ts"
import { UsagePage } from "./usage/UsagePage.ts"
import { useSession } from "./session/UseSession.ts"
import { UsersPage } from "./users/UsersPage.ts"

/** The whole dashboard: shows the page at the address, or the sign-in page to those who are not signed in. */
export const App = ({ linkSecret }: { readonly linkSecret: string | undefined }): ComponentChildren => {
  const { data: session, problem, reload, replace: setSession } = useSession()
  const [link, setLink] = useState(linkSecret)
  const [failure, setFailure] = useState<string>()

  if (session === undefined)
    return html`<main>${loading(problem)} ${problem === undefined ? null : tryAgain(reload)}</main>`
  if (!session.signedIn || link !== undefined) {
    const enter = (entered: Session) => {
      setLink(undefined)
      setSession(entered)
    }
    return h(SignInPage, {
      linkSecret: link,
      hasUsers: session.hasUsers,
      hasOpenId: session.hasOpenId,
      onSignedIn: enter
    })
  }
  const leave = async () => {
    if (!navigate("/dashboard")) return
    setFailure(undefined)
    try {
      setSession(await remove<Session>("/session"))
    } catch (cause) {
      setFailure(messageOf(cause))
    }
  }
  return h(
    CurrentSession.Provider,
    // Another person, signed in by another tab, gets pages of their own.
    { key: `${session.name} ${session.role}`, value: session },
    h(TopBar, { onLeave: leave }),
    html`<main id="content" tabindex="-1">${problemNote(failure)}${h(CurrentPage, {})}</main>`
  )
}

const tryAgain = (reload: () => void): ComponentChildren =>
  html`<p class="quiet">The page tries again every few seconds.</p>
    <button type="button" onClick=${reload}>Try again now</button>`

/** Without changing the address, whose fragment would be taken for a sign-in link after a reload. */
const skipToContent = (event: Event) => {
  event.preventDefault()
  document.getElementById("content")?.focus()
}

/** The links to the parts of the dashboard, and who is signed in. */
const TopBar = ({ onLeave }: { readonly onLeave: () => void }): ComponentChildren => {
  const name = useContext(CurrentSession)?.name ?? null
  return html`<header class="top">
    <a class="skip" href="#content" onClick=${skipToContent}>Skip to content</a>
    ${h(Link, { to: "/dashboard", class: "brand" }, "docflow")}
    ${h(Link, { to: "/dashboard/flows" }, "Flows")} ${h(Link, { to: "/dashboard/usage" }, "Usage")}
    ${useMay("administrator") ? h(Link, { to: "/dashboard/users" }, "Users") : null}
    <a href="/docs">API reference</a>
    ${name === null ? null : h(Link, { to: "/dashboard/account" }, name)}
    <button type="button" onClick=${onLeave}>Sign out</button>
  </header>`
}

const CurrentPage = (): ComponentChildren => {
  const address = useAddress()
  const [room = "", id = "", tab = ""] = address.pathname
    .split("/")
    .filter(Boolean)
    .slice(1)
    .map(decodeURIComponent)
  if (room === "") return h(OrganizationsPage, { address })
  if (room === "organizations" && id !== "") return h(OrganizationPage, { key: id, id, tab, address })
  if (room === "flows" && id === "") return h(FlowsPage, {})
  if (room === "flows") return h(FlowPage, { key: id, id, address })
  if (room === "usage" && id === "") return h(UsagePage, {})
  if (room === "users" && id === "") return h(UsersPage, { address })
  if (room === "account" && id === "") return h(AccountPage, {})
  if (room === "executions" && id !== "") return h(ExecutionPage, { key: id, id })
  return h(Page, { title: "Page not found" }, h(Link, { to: "/dashboard" }, "All organizations"))
}
