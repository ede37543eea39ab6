import { afterAll, describe, expect, it } from "vitest"
import { at, listAt } from "../support/Json.ts"
import type { OpenIdServer } from "../support/OpenIdServer.ts"
import { addUser, removeUsers } from "../support/TestUsers.ts"
import { type Browser, hasChromium } from "./Browser.ts"
import type { Shared } from "./Shared.ts"
import { forwarded, fromPage } from "./SignIn.ts"

interface Returned {
  readonly to: string | null
  readonly cookie: string
}

const get = (url: string, headers: Record<string, string> = {}) => fetch(url, { redirect: "manual", headers })
const cookiesOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0] ?? "")
    .join("; ")

const finish = async (back: string, cookie: string): Promise<Returned> => {
  const answer = await get(back, { cookie })
  return { to: answer.headers.get("location"), cookie: cookiesOf(answer) }
}

/** People sign in at an OpenID provider, which names their role. */
export const describeOpenId = (
  service: Shared,
  provider: { readonly it: OpenIdServer },
  browser: { readonly it: Browser }
): void => {
  const sessionOf = async (cookie: string) =>
    (await service.it.request("GET", "/dashboard/api/session", { headers: { ...fromPage, cookie } })).body

  describe("signing in at an OpenID provider", () => {
    afterAll(() => removeUsers(service.it))

    const start = "/dashboard/openid/start"
    /** From the dashboard to the provider and back: the address with the code, and the cookie of the attempt. */
    const go = async () => {
      const begun = await get(service.it.address + start)
      const there = await get(begun.headers.get("location") ?? "")
      return { back: there.headers.get("location") ?? "", cookie: cookiesOf(begun) }
    }
    const signInAs = async (next: OpenIdServer["next"]) => {
      provider.it.next = next
      const { back, cookie } = await go()
      return finish(back, cookie)
    }
    const mia = { sub: "mia-1", email: "Mia@example.com", docflow_role: "operator" }

    it("makes a user with the role of the claim, and the audit log names the user", async () => {
      const { cookie, to } = await signInAs({ claims: mia })
      expect(to).toBe("/dashboard")
      expect(await sessionOf(cookie)).toMatchObject({
        signedIn: true,
        name: "mia@example.com",
        role: "operator",
        hasPassword: false,
        hasOpenId: true
      })
      const { body } = await service.it.admin("GET", "/audit?limit=2")
      expect(listAt(body, "entries")).toMatchObject([
        { action: "dashboard.signed-in", actor: "user mia@example.com", subject: "openid" },
        { action: "user.created", subject: "mia@example.com (operator)" }
      ])
    })

    it("knows somebody again by the subject, and takes the highest role that is named now", async () => {
      const claims = {
        ...mia,
        email: "mia.married@example.com",
        docflow_role: ["staff", "viewer", "reviewer"]
      }
      const { cookie } = await signInAs({ claims })
      expect(await sessionOf(cookie)).toMatchObject({ name: "mia@example.com", role: "reviewer" })
      expect(await service.it.rows("select name from users where subject = 'mia-1'")).toHaveLength(1)
    })

    it("keeps out whom the provider gives no role, and who is disabled here", async () => {
      expect((await signInAs({ claims: { ...mia, docflow_role: ["staff"] } })).to).toBe(
        "/dashboard?sign-in=no-role"
      )
      await service.it.rows("update users set disabled_at = now() where subject = 'mia-1'")
      expect((await signInAs({ claims: mia })).to).toBe("/dashboard?sign-in=disabled")
      await service.it.rows("update users set disabled_at = null where subject = 'mia-1'")
    })

    it("takes over no user who has the same name and a password", async () => {
      await addUser(service.it, "root", "administrator")
      const claims = { sub: "evil-1", preferred_username: "ROOT", docflow_role: "administrator" }
      const { cookie, to } = await signInAs({ claims })
      expect(to).toBe("/dashboard?sign-in=name-taken")
      expect(await sessionOf(cookie)).toMatchObject({ signedIn: false })
    })

    it.each(["nonce", "audience", "signature", "expired"] as const)(
      "refuses a token with a wrong or old %s",
      async (lie) => {
        const { cookie, to } = await signInAs({ claims: mia, lie })
        expect(to).toBe("/dashboard?sign-in=failed")
        expect(await sessionOf(cookie)).toMatchObject({ signedIn: false })
      }
    )

    it("refuses an answer to another browser, a second use, a changed state and another's code", async () => {
      provider.it.next = { claims: mia }
      const own = await go()
      const other = await go()
      expect((await finish(own.back, "")).to).toBe("/dashboard?sign-in=expired")
      expect((await finish(own.back, other.cookie)).to).toBe("/dashboard?sign-in=failed")
      expect((await finish(other.back.replace(/state=[^&]*/u, "state=x"), other.cookie)).to).toBe(
        "/dashboard?sign-in=failed"
      )
      const code = new URL(own.back).searchParams.get("code") ?? ""
      const stolen = new URL(other.back)
      stolen.searchParams.set("code", code)
      // The code of another attempt: its verifier is missing.
      expect((await finish(stolen.href, other.cookie)).to).toBe("/dashboard?sign-in=failed")
      const third = await go()
      expect((await finish(third.back, third.cookie)).to).toBe("/dashboard")
      expect((await finish(third.back, third.cookie)).to).toBe("/dashboard?sign-in=failed")
      expect(service.it.logs.join("\n")).not.toContain("the-client-secret-of-the-tests")
    })

    it("leads back to the address of the service, whatever a request names, with a cookie for HTTPS only", async () => {
      const begun = await get(service.it.address + start, {
        ...forwarded,
        "x-forwarded-host": "evil.example"
      })
      const url = new URL(begun.headers.get("location") ?? "")
      expect(url.searchParams.get("redirect_uri")).toBe(`${service.it.address}/dashboard/openid/callback`)
      expect(begun.headers.get("set-cookie")).toMatch(
        /^docflow_openid=[\w-]+; .*Path=\/dashboard\/openid; HttpOnly; Secure; SameSite=Lax$/u
      )
    })

    it("gives the user no password here", async () => {
      const [row] = await service.it.rows("select id from users where subject = 'mia-1'")
      const answer = await service.it.admin("PUT", `/users/${String(at(row, "id"))}`, {
        password: "a long enough password"
      })
      expect(answer.status).toBe(422)
    })

    it.skipIf(!hasChromium)("works in a browser, for which the provider is another site", async () => {
      provider.it.next = { claims: mia }
      const page = await browser.it.open()
      await page.goto(`${service.it.address}/dashboard?sign-in=no-role`)
      await page.getByText("names no role for you").waitFor()
      await page.getByRole("link", { name: "Sign in with OpenID" }).click()
      await page.getByRole("link", { name: "mia@example.com" }).waitFor()
      expect(new URL(page.url()).search).toBe("")
      await page.getByRole("link", { name: "mia@example.com" }).click()
      await page.getByText("You sign in at the OpenID provider").waitFor()
      expect(await page.getByLabel("Current password").count()).toBe(0)
      expect(browser.it.watched.errors).toEqual([])
      await page.context().close()
    })
  })
}
