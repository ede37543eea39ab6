import { h, type ComponentChildren } from "preact"
import { useEffect, useState } from "preact/hooks"
import { html } from "htm/preact"
import { ExecutionPage } from "./ExecutionPage.ts"
import { FlowPage } from "./FlowPage.ts"
import { FlowsPage } from "./FlowsPage.ts"
import { messageOf, read, remove, signedOutEvent } from "./Http.ts"
import { OrganizationPage } from "./OrganizationPage.ts"
import { OrganizationsPage } from "./OrganizationsPage.ts"
import { Page } from "./Page.ts"
import { loading, problemNote } from "./Elements.ts"
import { Link, navigate, useAddress } from "./Router.ts"
import { SignInPage } from "./SignInPage.ts"

interface Session {
  readonly signedIn: boolean
}

/** The whole dashboard: shows the page at the address, or the sign-in page to those who are not signed in. */
export const App = ({ linkSecret }: { readonly linkSecret: string | undefined }): ComponentChildren => {
  const [signedIn, setSignedIn] = useState<boolean>()
  const [link, setLink] = useState(linkSecret)
  const [problem, setProblem] = useState<string>()

  useEffect(() => {
    const signedOut = () => setSignedIn(false)
    addEventListener(signedOutEvent, signedOut)
    read<Session>("/session").then(
      (session) => setSignedIn(session.signedIn),
      (failure: unknown) => setProblem(messageOf(failure))
    )
    return () => removeEventListener(signedOutEvent, signedOut)
  }, [])

  if (signedIn === undefined) return html`<main>${loading(problem)}</main>`
  if (!signedIn || link !== undefined) {
    const enter = () => {
      setLink(undefined)
      setSignedIn(true)
    }
    return h(SignInPage, { linkSecret: link, onSignedIn: enter })
  }
  const leave = async () => {
    try {
      await remove("/session")
      setSignedIn(false)
      navigate("/dashboard")
    } catch (failure) {
      setProblem(messageOf(failure))
    }
  }
  return html`<header class="top">
      <a class="skip" href="#content">Skip to content</a>
      ${h(Link, { to: "/dashboard", class: "brand" }, "docflow")}
      ${h(Link, { to: "/dashboard/flows" }, "Flows")}
      <a href="/docs">API reference</a>
      <button type="button" onClick=${leave}>Sign out</button>
    </header>
    <main id="content">${problemNote(problem)}${h(CurrentPage, {})}</main>`
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
  if (room === "executions" && id !== "") return h(ExecutionPage, { key: id, id })
  return h(Page, { title: "Page not found" }, h(Link, { to: "/dashboard" }, "All organizations"))
}
