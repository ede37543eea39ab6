import { type ComponentChildren, h } from "preact"
import { useContext, useEffect, useRef, useState } from "preact/hooks"
import { html } from "htm/preact"
import type { Session } from "../SessionGroup.ts"
import { AccountPage } from "./session/AccountPage.ts"
import { CurrentSession, useMay } from "./session/CurrentSession.ts"
import { ExecutionPage } from "./execution/ExecutionPage.ts"
import { FlowPage } from "./flows/FlowPage.ts"
import { ask, base, call, messageOf, signedOutEvent } from "./elements/Http.ts"
import { OrganizationPage } from "./organizations/OrganizationPage.ts"
import { OrganizationsPage } from "./organizations/OrganizationsPage.ts"
import { Page, loading, problemNote } from "./elements/Elements.ts"
import { Link, navigate, useAddress } from "./elements/Router.ts"
import { SignInPage } from "./session/SignInPage.ts"
import { UsersPage } from "./users/UsersPage.ts"
import { UsageView } from "./usage/UsageView.ts"
import { forgetEdits } from "./session/KeptEdits.ts"
import { type Resource, useResource } from "./elements/UseResource.ts"
import type { ListedFlow } from "../FlowFilesGroup.ts"
import { type Column, table } from "./elements/DataTable.ts"

const columns: ReadonlyArray<Column<ListedFlow>> = [
  {
    title: "Flow",
    cell: ({ id, latest }) =>
      html`${h(Link, { to: `/dashboard/flows/${id}` }, latest?.name ?? id)}
        <div class="quiet">${latest?.description ?? "No version of it is served."}</div>`
  },
  { title: "Id", cell: ({ id }) => html`<code>${id}</code>`, optional: true },
  { title: "Latest", cell: ({ latest }) => latest?.version ?? "–" },
  { title: "Versions", cell: ({ versions }) => versions, numeric: true, optional: true },
  {
    title: "Problems",
    cell: ({ problems }) =>
      problems === 0 ? "none" : html`<span class="badge badge-failed">${problems}</span>`
  }
]

/** The refresh interval of the list, in milliseconds. */
const again = () => 5_000

/** The flows of the folder, with those whose files have problems. */
const FlowsPage = (): ComponentChildren => {
  const { data, problem } = useResource(call("GET /dashboard/api/flows", {}), again)
  return h(
    Page,
    { title: "Flows" },
    data === undefined
      ? loading(problem)
      : html`<section class="card" aria-label="Flows">
          ${problemNote(problem)}
          ${table({
            caption: "Flows",
            columns,
            rows: data.flows,
            keyOf: ({ id }) => id,
            empty: html`There are no flows yet. Run <code>docflow new flow my-flow</code> in the folder
              that${" "} <code>DOCFLOW_FLOWS_DIR</code> names: it is served at once.`
          })}
        </section>`
  )
}

const channelName = "docflow:session"
/** What a tab tells the others. */
const began = "signed in"
const ended = "signed out"

/** The session of this browser, which its tabs share: a change in one of them is noticed in all. */
const useSession = (): Resource<Session> => {
  const { data, problem, reload, replace } = useResource<Session>(call("GET /dashboard/api/session", {}))
  const channel = useRef<BroadcastChannel>(undefined)
  const latest = useRef(data)
  latest.current = data
  useEffect(() => {
    const signedOut = () => {
      // The page that is shown must not be used any more, whatever the service says next.
      if (latest.current !== undefined) replace({ ...latest.current, signedIn: false })
      reload()
    }
    // A sign-in at an OpenID provider leads through other pages, which tell no tab.
    const seen = () => document.hidden || reload()
    const others = new BroadcastChannel(channelName)
    channel.current = others
    others.addEventListener("message", ({ data: told }) => {
      if (told !== ended) return reload()
      forgetEdits()
      signedOut()
    })
    addEventListener(signedOutEvent, signedOut)
    document.addEventListener("visibilitychange", seen)
    return () => {
      others.close()
      removeEventListener(signedOutEvent, signedOut)
      document.removeEventListener("visibilitychange", seen)
    }
  }, [])
  return {
    data,
    problem,
    reload,
    replace: (session) => {
      // Whoever signs out leaves nothing to the next person, in no tab; a session that is over is taken up again.
      if (!session.signedIn) forgetEdits()
      replace(session)
      channel.current?.postMessage(session.signedIn ? began : ended)
    }
  }
}

/** The use of all organizations. */
const UsagePage = (): ComponentChildren =>
  h(
    Page,
    { title: "Usage" },
    h(UsageView, {
      by: "Organization",
      empty: "Nothing was used yet. As soon as an organization runs documents, its use is shown here."
    })
  )

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
      setSession(await ask("DELETE /dashboard/api/session", {}))
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
    <a href=${`${base}/docs`}>API reference</a>
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
