import { afterAll, beforeEach, describe, expect, it } from "vitest"
import { client, OpenIdServer } from "../support/OpenIdServer.ts"
import { useOwnService } from "../support/TestService.ts"
import { hasChromium, useBrowser } from "./Browser.ts"
import { describeOpenId } from "./OpenIdSuite.ts"
import { expectError } from "../support/Expect.ts"
import { adminToken, forwarded, fromPage, newLink, secretOf, signedIn, signIn } from "./SignIn.ts"

const openId = await OpenIdServer.start()
afterAll(() => openId.stop())

describe("behind a trusted proxy that speaks HTTPS", () => {
  const service = useOwnService({
    DOCFLOW_TRUSTED_PROXIES: "127.0.0.1",
    DOCFLOW_FLOW_EDITING: "off",
    DOCFLOW_OIDC_ISSUER: openId.issuer,
    DOCFLOW_OIDC_CLIENT_ID: client.id,
    DOCFLOW_OIDC_CLIENT_SECRET: client.secret
  })
  const browser = useBrowser()
  beforeEach(() => service.it.rows("delete from rate_windows"))

  it("the session's cookie is for HTTPS only", async () => {
    const answer = await signIn(service.it, "token", adminToken, { ...fromPage, ...forwarded })
    expect(answer.headers.get("set-cookie")).toContain("; Secure")
  })

  it("the origin is compared with the address that the proxy names", async () => {
    const headers = { "x-docflow-dashboard": "1", ...forwarded }
    const own = { ...headers, origin: "https://docs.example" }
    expect((await signIn(service.it, "token", adminToken, own)).status).toBe(200)
    const other = { ...headers, origin: service.it.address }
    expect((await signIn(service.it, "token", adminToken, other)).status).toBe(403)
  })

  it("attempts are counted for the person's address, not for the proxy's", async () => {
    await signIn(service.it, "token", "a guess", { ...fromPage, ...forwarded })
    expect(
      await service.it.rows("select bucket from rate_windows where bucket like 'sign-in:203.0.113.7'")
    ).not.toEqual([])
  })

  it("flows are shown, but neither tried nor saved as drafts, where the setting turns it off", async () => {
    const ask = await signedIn(service.it)
    expect((await ask("GET", "/flows")).body).toMatchObject({ canEdit: false })
    for (const what of ["", "/check", "/save"]) {
      const answer = await ask("POST", `/drafts${what}`, { body: { source: "docflow: 1" } })
      expectError(answer, 403, "FORBIDDEN")
    }
  })

  describeOpenId(service, { it: openId }, browser)
})

const base = "/tools/docflow"

describe("under a base path", () => {
  const service = useOwnService({ DOCFLOW_BASE_PATH: base })
  const browser = useBrowser()
  const get = (path: string) => service.it.request("GET", path)

  it("the API answers with the path and without it, and its document names it", async () => {
    expectError(await get(`${base}/api/v1/flows`), 401, "UNAUTHORIZED")
    expectError(await get("/api/v1/flows"), 401, "UNAUTHORIZED")
    expect((await get(`${base}/health/ready?x=1`)).status).toBe(200)
    expect((await get(`${base}s/health/ready`)).status).toBe(404)
    expect((await get(`${base}/openapi.json`)).body).toMatchObject({ servers: [{ url: base }] })
  })

  it("redirects lead below it", async () => {
    for (const path of ["/", base, `${base}/`]) {
      const { headers, status } = await fetch(service.it.address + path, { redirect: "manual" })
      expect([status, headers.get("location")]).toEqual([302, `${base}/dashboard`])
    }
  })

  it.skipIf(!hasChromium)(
    "the dashboard asks for nothing outside of it (needs /usr/bin/chromium)",
    async () => {
      const page = await browser.it.open()
      const asked: Array<string> = []
      page.on("request", (request) => asked.push(new URL(request.url()).pathname))
      await page.goto(`${service.it.address}${base}/dashboard#${secretOf(await newLink(service.it))}`)
      await page.getByRole("link", { name: "Flows" }).click()
      await page.getByRole("heading", { name: "Flows" }).waitFor()
      expect(new URL(page.url()).pathname).toBe(`${base}/dashboard/flows`)
      await page.reload()
      await page.getByRole("heading", { name: "Flows" }).waitFor()
      await page.getByRole("link", { name: "API reference" }).click()
      await page.waitForURL(`**${base}/docs`)
      expect(asked.filter((path) => !path.startsWith(`${base}/`))).toEqual([])
      expect(browser.it.watched.errors).toEqual([])
    }
  )
})
