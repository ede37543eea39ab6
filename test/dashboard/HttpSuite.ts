import { gzipSync } from "node:zlib"
import { beforeEach, describe, expect, it } from "vitest"
import { attemptsOfAddress } from "../../src/services/users/SignIns.ts"
import { runOf } from "../support/Documents.ts"
import { expectError } from "../support/Expect.ts"
import { at, textAt } from "../support/Json.ts"
import { until } from "../support/Until.ts"
import { needsSession } from "./NeedsSession.ts"
import type { Shared } from "./Shared.ts"
import { adminToken, cookieOf, fromPage, newLink, secretOf, signedIn, signIn } from "./SignIn.ts"

/** What the dashboard's pages ask of the service, and what others may not. */
export const describeRequests = (service: Shared): void => {
  beforeEach(async () => {
    await service.it.rows("delete from rate_windows")
  })

  const isSignedIn = async (cookie: string) => {
    const headers = { ...fromPage, cookie }
    return at((await service.it.request("GET", "/dashboard/api/session", { headers })).body, "signedIn")
  }

  const isRefused = async () => (await signIn(service.it, "token", "a guess")).status === 429

  describe("signing in", () => {
    it("gives a cookie that no script reads and no other site sends", async () => {
      const answer = await signIn(service.it, "token", adminToken)
      expect(answer.status).toBe(200)
      const cookie = answer.headers.get("set-cookie") ?? ""
      expect(cookie).toMatch(/^docflow_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/u)
      expect(await isSignedIn(cookieOf(answer))).toBe(true)
    })

    it("keeps no secret: neither of a session nor of a link is in the database", async () => {
      const link = secretOf(await newLink(service.it))
      const session = cookieOf(await signIn(service.it, "token", adminToken)).split("=")[1] ?? ""
      const rows = JSON.stringify(
        await service.it.rows("select hash from sessions union all select hash from sign_in_links")
      )
      expect(rows).toMatch(/[0-9a-f]{64}/u)
      expect(rows).not.toContain(link)
      expect(rows).not.toContain(session)
      expect(service.it.logs.join("\n")).not.toContain(link)
      expect(service.it.logs.join("\n")).not.toContain(session)
    })

    it("by a link works once, even when it is used many times at once", async () => {
      const secret = secretOf(await newLink(service.it))
      const answers = await Promise.all(Array.from({ length: 10 }, () => signIn(service.it, "link", secret)))
      expect(answers.map(({ status }) => status).sort()).toEqual([
        200,
        ...Array.from({ length: 9 }, () => 401)
      ])
    })

    it("by a link is over after 24 hours", async () => {
      const secret = secretOf(await newLink(service.it))
      await service.it.rows("update sign_in_links set expires_at = now() - interval '1 second'")
      expectError(await signIn(service.it, "link", secret), 401, "UNAUTHORIZED")
    })

    it("with a wrong token, a link's secret as token or the token as a link is refused", async () => {
      expectError(await signIn(service.it, "token", "not the token"), 401, "UNAUTHORIZED")
      expectError(await signIn(service.it, "link", adminToken), 401, "UNAUTHORIZED")
      const secret = secretOf(await newLink(service.it))
      expectError(await signIn(service.it, "token", secret), 401, "UNAUTHORIZED")
      expectError(await signIn(service.it, "token", ""), 400, "INVALID_INPUT")
    })

    it("may be tried only so often from one address, with the right token too", async () => {
      for (let count = 0; count < attemptsOfAddress; count += 1) expect(await isRefused()).toBe(false)
      // The minute may end before the right token comes: then it is guessed again.
      const refused = await until("the right token to be refused", async () => {
        for (let count = 0; count <= attemptsOfAddress; count += 1) if (await isRefused()) break
        const answer = await signIn(service.it, "token", adminToken)
        return answer.status === 200 ? undefined : answer
      })
      expectError(refused, 429, "RATE_LIMITED")
    })

    it("is written into the audit log, and what was done in the session too", async () => {
      const ask = await signedIn(service.it)
      const made = await ask("POST", "/api/admin/v1/organizations", {
        body: { name: "audited", plan: "free" }
      })
      const { body } = await service.it.admin("GET", "/audit?limit=2")
      expect(at(body, "entries")).toMatchObject([
        {
          action: "organization.created",
          actor: "session",
          subject: textAt(made.body, "id"),
          address: "127.0.0.1"
        },
        {
          action: "dashboard.signed-in",
          actor: "session",
          subject: "token",
          requestId: expect.stringMatching(/^req_/u)
        }
      ])
    })
  })

  describe("a session", () => {
    it("is over after 12 hours without use, and use prolongs it", async () => {
      const cookie = cookieOf(await signIn(service.it, "token", adminToken))
      await service.it.rows("update sessions set last_used_at = now() - interval '11 hours 59 minutes'")
      expect(await isSignedIn(cookie)).toBe(true)
      const [row] = await service.it.rows(
        "select 1 from sessions where last_used_at > now() - interval '1 minute'"
      )
      expect(row).toBeDefined()
      await service.it.rows("update sessions set last_used_at = now() - interval '12 hours 1 second'")
      expect(await isSignedIn(cookie)).toBe(false)
      const headers = { ...fromPage, cookie }
      const answer = await service.it.request("GET", "/api/admin/v1/organizations", { headers })
      expectError(answer, 401, "UNAUTHORIZED")
    })

    it("ends with signing out, on the server too", async () => {
      const cookie = cookieOf(await signIn(service.it, "token", adminToken))
      const answer = await service.it.request("DELETE", "/dashboard/api/session", {
        headers: { ...fromPage, cookie }
      })
      expect(answer.headers.get("set-cookie")).toMatch(/^docflow_session=;.*Max-Age=0/u)
      expect(await isSignedIn(cookie)).toBe(false)
    })
    it("counts for nothing next to a key, and its answers are in no cache", async () => {
      const ask = await signedIn(service.it)
      const { id, live } = await service.it.tenant()
      const reader = await service.it.key(id, "live", ["flows:read"])
      const path = "/api/admin/v1/organizations"
      const own = await ask("GET", path)
      expect([own.status, own.headers.get("cache-control")]).toEqual([200, "no-store"])
      expectError(
        await ask("GET", path, { headers: { authorization: `Bearer ${live}` } }),
        401,
        "UNAUTHORIZED"
      )
      for (const [key, status] of [
        [live, 200],
        [reader, 403]
      ] as const) {
        const answer = await ask("GET", "/api/v1/runs", { headers: { authorization: `Bearer ${key}` } })
        expect([answer.status, answer.headers.has("x-ratelimit-limit")]).toEqual([status, true])
      }
    })
    it.each(needsSession)("is needed for %s %s without a key", async (method, path) => {
      const { live } = await service.it.tenant()
      const isOfKeys = path.startsWith("/api/v1")
      for (const headers of [
        {},
        { cookie: "docflow_session=guess" },
        ...(isOfKeys ? [] : [{ authorization: `Bearer ${live}` }])
      ]) {
        const url = path.startsWith("/api/") ? path : `/dashboard/api${path}`
        const answer = await service.it.request(method, url, { headers: { ...fromPage, ...headers } })
        expectError(answer, 401, "UNAUTHORIZED")
      }
    })
  })

  describe("a request of another site", () => {
    const body = { name: "forged", plan: "free" }
    const mark = { "x-docflow-dashboard": "1" }

    it.each([
      ["from another site, as the browser says", { ...mark, "sec-fetch-site": "cross-site" }],
      ["from a sibling site", { ...mark, "sec-fetch-site": "same-site" }],
      ["with another origin", { ...mark, origin: "https://evil.example" }],
      ["with a hidden origin", { ...mark, origin: "null" }],
      ["without any origin", mark],
      ["without the mark of the page", { "sec-fetch-site": "same-origin" }]
    ])("is refused although it carries the cookie: %s", async (_, headers) => {
      const cookie = cookieOf(await signIn(service.it, "token", adminToken))
      for (const path of ["/api/admin/v1/organizations", "/api/v1/flows/greet/run"]) {
        const answer = await service.it.request("POST", path, { body, headers: { cookie, ...headers } })
        expectError(answer, 403, "FORBIDDEN")
      }
      expectError(await signIn(service.it, "token", adminToken, headers), 403, "FORBIDDEN")
      expect(await service.it.rows("select 1 from organizations where name = 'forged'")).toEqual([])
    })

    it("may not read either, if the browser says that it is one", async () => {
      const ask = await signedIn(service.it)
      for (const path of ["/api/admin/v1/organizations", "/api/v1/flows", "/flows", "/session"])
        expectError(await ask("GET", path, { headers: { "sec-fetch-site": "cross-site" } }), 403, "FORBIDDEN")
    })

    it("is told from the page's own, which names this address as its origin", async () => {
      const headers = { ...mark, origin: service.it.address }
      expect((await signIn(service.it, "token", adminToken, headers)).status).toBe(200)
    })
  })

  describe("every answer", () => {
    const policy =
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
      "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

    it.each([
      "/dashboard",
      "/dashboard/",
      "/dashboard/organizations/x",
      "/dashboard/assets/Start.js",
      "/dashboard/assets/lib/preact.js",
      "/dashboard/assets/Dashboard.css",
      "/dashboard/assets/nothing",
      "/dashboard/api/session",
      "/dashboard/api/flows",
      "/dashboard/api/nothing"
    ])("of %s forbids scripts and requests from elsewhere", async (path) => {
      const { headers } = await service.it.request("GET", path)
      expect(headers.get("content-security-policy")).toBe(policy)
      expect(headers.get("x-content-type-options")).toBe("nosniff")
      expect(headers.get("referrer-policy")).toBe("no-referrer")
      expect(headers.get("cache-control")).toMatch(/^no-(?:store|cache)$/u)
    })

    it("with the page has no inline script or style, and with a script only JavaScript", async () => {
      const page = await service.it.request("GET", "/dashboard")
      expect(page.text).not.toMatch(/<style|\sstyle=|\son\w+=|<script(?![^>]*src=)/u)
      const scripts = [...page.text.matchAll(/href="(\/dashboard\/assets\/[^"]+\.js)"/gu)].map(
        (match) => match[1] ?? ""
      )
      expect(scripts.length).toBeGreaterThan(20)
      // The editor and its libraries are loaded by who edits.
      expect(scripts.join()).not.toMatch(/FlowEditor|codemirror/u)
      let packed = 0
      for (const script of scripts) {
        const answer = await service.it.request("GET", script)
        packed += gzipSync(answer.text).length
        expect(answer.headers.get("cache-control")).toContain("immutable")
        expect(answer.headers.get("content-type")).toBe("text/javascript; charset=utf-8")
        expect(answer.text).not.toMatch(/\binterface \w|from\s*["'](?:[a-z]|\.\.\/\.\.\/|[^"']+\.ts["'])/u)
      }
      expect(packed).toBeLessThan(200 * 1024)
    })

    it("with a file is 304 for who has it", async () => {
      const first = await service.it.request("GET", "/dashboard/assets/Start.js")
      const etag = first.headers.get("etag") ?? ""
      const again = await service.it.request("GET", "/dashboard/assets/Start.js", {
        headers: { "if-none-match": etag }
      })
      expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", etag])
    })

    it.each([
      "/dashboard/assets/../../../package.json",
      "/dashboard/assets/..%2f..%2fpackage.json",
      "/dashboard/assets/tsconfig.json"
    ])("of %s shows no file but the client's", async (path) => {
      const answer = await service.it.sendBytes(
        `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
      )
      expect(answer).not.toContain("compilerOptions")
      expect(answer).not.toContain('"dependencies"')
    })

    it("to another method than GET and HEAD says so", async () => {
      expectError(await service.it.request("POST", "/dashboard"), 405, "INVALID_INPUT")
      expect((await service.it.request("HEAD", "/dashboard")).status).toBe(200)
    })
  })

  describe("what the pages ask for", () => {
    it("refuses what does not exist or does not fit", async () => {
      const ask = await signedIn(service.it)
      expectError(await ask("GET", "/executions/exec_none"), 404, "INVALID_INPUT")
      expectError(await ask("GET", "/executions/exec_none/corrections"), 404, "INVALID_INPUT")
      expectError(await ask("POST", "/organizations/org_none/reviews/next"), 404, "INVALID_INPUT")
      for (const path of ["", "/pages", "/events", "/corrections"])
        expectError(await ask("GET", `/api/v1/runs/exec_none${path}`), 404, "EXECUTION_NOT_FOUND")
    })

    it("shows an execution while it runs, without what it made, and cancels it once", async () => {
      const ask = await signedIn(service.it)
      const tenant = await service.it.tenant()
      const run = await service.it.call("POST", "/flows/half/run", {
        key: tenant.live,
        body: await runOf({ variables: { gate: "shown" } })
      })
      const id = textAt(run.body, "id")
      await service.it.awaitStatus(tenant.live, id, "running")
      const { body } = await ask("GET", `/executions/${id}`)
      expect(at(body, "environment")).toBe("live")
      expect(at(body, "execution.artifacts")).toBeUndefined()
      expect((await ask("POST", `/api/v1/runs/${id}/cancel`)).status).toBe(200)
      expectError(await ask("POST", `/api/v1/runs/${id}/cancel`), 409, "ALREADY_CANCELLED")
      const list = await ask(
        "GET",
        `/api/admin/v1/organizations/${tenant.id}/executions?status=cancelled&flowId=half&output=false`
      )
      expect(at(list.body, "executions.0")).toMatchObject({ id, environment: "live", filename: null })
      expect(at(list.body, "total")).toBe(1)
    })
  })
}
