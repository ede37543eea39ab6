import { beforeEach } from "vitest"
import { signInLink } from "../../src/dashboard/Dashboard.ts"
import type { Answer, Sent, TestService } from "../support/TestService.ts"
import type { Shared } from "./Shared.ts"

/** The token with which the tests' service is administered. */
export const adminToken = "the-admin-token-of-the-tests"

/** What a page of the dashboard sends with every request. */
export const fromPage = { "x-docflow-dashboard": "1", "sec-fetch-site": "same-origin" }

/** What a proxy in front of the service tells it. */
export const forwarded = {
  "x-forwarded-proto": "https",
  "x-forwarded-for": "203.0.113.7",
  "x-forwarded-host": "docs.example"
}

/** A new sign-in link of the service. */
export const newLink = (service: TestService): Promise<string> => service.run(signInLink(service.address))

/** The secret in a sign-in link. */
export const secretOf = (link: string): string => link.slice(link.indexOf("#") + 1)

/** Signs in as the page does. */
export const signIn = (
  service: TestService,
  kind: "link" | "token",
  secret: string,
  headers: Record<string, string> = fromPage
): Promise<Answer> => service.request("POST", "/dashboard/api/session", { body: { kind, secret }, headers })

/** The session cookie that an answer sets, as a browser sends it back. */
export const cookieOf = ({ headers }: Answer): string => headers.get("set-cookie")?.split(";")[0] ?? ""

/** Requests of a person who is signed in; a path that is not of the API is one of the dashboard. */
export const signedIn = async (service: TestService) => {
  const cookie = cookieOf(await signIn(service, "token", adminToken))
  return (method: string, path: string, { headers, ...sent }: Sent = {}): Promise<Answer> =>
    service.request(method, path.startsWith("/api/") ? path : `/dashboard/api${path}`, {
      ...sent,
      headers: { ...fromPage, cookie, ...headers }
    })
}

/** Forgets before each test how often anyone asked or signed in, so that no test is refused for those before it. */
export const forgetAttempts = (service: Shared): void => {
  beforeEach(async () => {
    await service.it.rows("delete from rate_windows")
  })
}
