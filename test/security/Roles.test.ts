import { createHook } from "node:async_hooks"
import { afterAll, beforeEach, describe, expect, test } from "vitest"
import { Api } from "../../src/api/Api.ts"
import { requiredRoles } from "../../src/api/RequiredRole.ts"
import { DashboardApi } from "../../src/dashboard/DashboardApi.ts"
import { includesRole, type Role, roles } from "../../src/domain/User.ts"
import { attemptsOfName } from "../../src/services/users/SignIns.ts"
import { expectError } from "../support/Expect.ts"
import { listAt, textAt } from "../support/Json.ts"
import { useService } from "../support/TestService.ts"
import { addUser, password, removeUsers } from "../support/TestUsers.ts"
import { cookieOf, fromPage } from "../dashboard/SignIn.ts"
import { endpointsOf, filled } from "./Endpoints.ts"

const service = useService()
beforeEach(() => service.it.rows("delete from rate_windows"))
// Other files share the service: there the sign-in page asks for the admin token at once.
afterAll(() => removeUsers(service.it))

/** The endpoints of both contracts that need a role: group, name, method and path. */
const guarded: ReadonlyArray<readonly [group: string, name: string, method: string, path: string]> = [
  ...endpointsOf(Api),
  ...endpointsOf(DashboardApi)
].flatMap(({ endpoint, group }) =>
  group.identifier === "session" || group.identifier === "sign-in"
    ? []
    : [[group.identifier, endpoint.identifier, endpoint.method, endpoint.path] as const]
)

const roleOf = (group: string, name: string) => requiredRoles[group]?.[name]

const add = (name: string, role: Role) => addUser(service.it, name, role)
/** As an administrator does it. */
const addByApi = async (name: string, role: Role, own = password) =>
  textAt((await service.it.admin("POST", "/users", { name, role, password: own })).body, "id")
const change = (id: string, body: object) => service.it.admin("PUT", `/users/${id}`, body)
const signIn = (name: string, own = password, headers: Record<string, string> = {}) =>
  service.it.request("POST", "/dashboard/api/session", {
    body: { kind: "password", name, password: own },
    headers: { ...fromPage, ...headers }
  })
const bodyOf = (method: string) => (method === "POST" || method === "PUT" ? {} : undefined)
const ask = (cookie: string, method: string, path: string, body: unknown = bodyOf(method)) =>
  service.it.request(method, path, { headers: { ...fromPage, cookie }, body })
const session = async (cookie: string) => (await ask(cookie, "GET", "/dashboard/api/session")).body

test("the table of roles names every endpoint of both contracts, and nothing else", () => {
  const named = Object.entries(requiredRoles).flatMap(([group, own]) =>
    Object.keys(own).map((name) => `${group}.${name}`)
  )
  expect(named.toSorted()).toEqual(guarded.map(([group, name]) => `${group}.${name}`).toSorted())
})

test("a viewer only reads, and what cannot be undone or gives rights needs an administrator", () => {
  const changes = guarded.filter(([, , method]) => method !== "GET")
  // Users change their own passwords, whatever their role.
  expect(
    changes.flatMap(([group, name]) => (roleOf(group, name) === "viewer" ? [`${group}.${name}`] : []))
  ).toEqual(["account.changePassword"])
  // Corrections can be withdrawn.
  const allowed = ["corrections.save", "account.changePassword"]
  const grave = /erase|remove|delete|revoke|create|grant|add|change|import|export|store|save|audit/iu
  expect(
    guarded.flatMap(([group, name]) =>
      grave.test(name) && roleOf(group, name) !== "administrator" ? [`${group}.${name}`] : []
    )
  ).toEqual(allowed)
})

describe("each role may do what its row says, at every endpoint", () => {
  test.each(roles)("%s", async (role) => {
    await add(`matrix-${role}`, role)
    const { body } = await service.it.request("POST", "/api/admin/v1/sessions", {
      body: { name: `matrix-${role}`, password }
    })
    expect(body).toMatchObject({ role, name: `matrix-${role}` })
    const token = textAt(body, "token")
    const organization = { "x-docflow-organization": (await service.it.tenant()).id }
    const byToken = { key: token }
    const bySession = { headers: { ...fromPage, ...organization, cookie: `docflow_session=${token}` } }
    const refused: Array<string> = []
    for (const [group, name, method, path] of guarded) {
      const needed = requiredRoles[group]?.[name]
      const body = bodyOf(method)
      for (const credential of group === "admin" ? [bySession, byToken] : [bySession]) {
        const answer = await service.it.request(method, filled(path), { ...credential, body })
        const at = `${role}: ${method} ${path}`
        if (needed !== undefined && includesRole(role, needed))
          expect([at, [200, 400, 404, 422].includes(answer.status)], answer.text).toEqual([at, true])
        else {
          refused.push(`${group}.${name}`)
          expect(expectError(answer, 403, "FORBIDDEN")).toMatchObject({
            message: `This requires the role ${needed}. Your role is ${role}.`
          })
        }
      }
    }
    expect(refused.length === 0).toBe(role === "administrator")
  })
})

describe("a user", () => {
  test("is added, listed and named in the audit log; the password is kept as a salted hash only", async () => {
    const id = await addByApi("Anna", "administrator", "anna's own long password")
    const cookie = cookieOf(await signIn("ANNA", "anna's own long password"))
    expect(await session(cookie)).toEqual({
      signedIn: true,
      role: "administrator",
      roles,
      name: "anna",
      hasPassword: true,
      hasUsers: true,
      hasOpenId: false
    })
    await ask(cookie, "POST", "/api/admin/v1/organizations", { name: "of anna", plan: "free" })
    const { body } = await service.it.admin("GET", "/audit?limit=3")
    expect(listAt(body, "entries")).toMatchObject([
      { action: "organization.created", actor: "user anna" },
      { action: "dashboard.signed-in", actor: "user anna", subject: "password" },
      { action: "user.created", actor: "admin token", subject: "anna (administrator)" }
    ])
    const listed = await service.it.admin("GET", "/users?limit=100")
    expect(listAt(listed.body, "users")).toContainEqual({
      id,
      name: "anna",
      role: "administrator",
      signIn: "password",
      disabled: false,
      createdAt: expect.any(String),
      lastSignInAt: expect.any(String)
    })
    const [row] = await service.it.rows(`select password from users where id = '${id}'`)
    expect(textAt(row, "password")).toMatch(/^scrypt\$15\$8\$3\$[\w-]{22}\$[\w-]{43}$/u)
    expect(service.it.logs.join("\n")).not.toContain("anna's own")
  })

  test("has a name of its own, in either case, and a password of 12 characters", async () => {
    await add("taken", "viewer")
    const again = await service.it.admin("POST", "/users", { name: "Taken", role: "viewer", password })
    expect(expectError(again, 422, "VALIDATION_ERROR")).toMatchObject({ details: { field: "name" } })
    for (const body of [
      { name: "short", role: "viewer", password: "elevenchars" },
      { name: "no/slash", role: "viewer", password },
      { name: "root", role: "root", password }
    ])
      expectError(await service.it.admin("POST", "/users", body), 400, "INVALID_INPUT")
    expectError(await change("usr_none", { disabled: true }), 404, "INVALID_INPUT")
  })

  test("who is disabled has no session any more, gets none, and being enabled revives none", async () => {
    const id = await add("leaver", "operator")
    const cookie = cookieOf(await signIn("leaver"))
    await change(id, { disabled: true })
    expect(await session(cookie)).toMatchObject({ signedIn: false, role: null })
    expectError(await ask(cookie, "GET", "/api/admin/v1/organizations"), 401, "UNAUTHORIZED")
    expectError(await signIn("leaver"), 401, "UNAUTHORIZED")
    await change(id, { disabled: false })
    expect(await session(cookie)).toMatchObject({ signedIn: false })
    expect((await signIn("leaver")).status).toBe(200)
  })

  test("with a new password has no old session, and the old password is wrong", async () => {
    const id = await add("changer", "viewer")
    const cookie = cookieOf(await signIn("changer"))
    await change(id, { password: "another long password" })
    expect(await session(cookie)).toMatchObject({ signedIn: false })
    expectError(await signIn("changer"), 401, "UNAUTHORIZED")
    expect((await signIn("changer", "another long password")).status).toBe(200)
  })

  test("who changes the own password needs the current one, and stays signed in here alone", async () => {
    await add("owner", "viewer")
    const [here, there] = [cookieOf(await signIn("owner")), cookieOf(await signIn("owner"))]
    const path = "/dashboard/api/account/password"
    const next = "a password of my own"
    expectError(await ask(here, "PUT", path, { current: "guess", next }), 422, "VALIDATION_ERROR")
    const changed = await ask(here, "PUT", path, { current: password, next })
    expect(changed.status).toBe(200)
    expect(await session(cookieOf(changed))).toMatchObject({ signedIn: true, name: "owner" })
    for (const old of [here, there]) expect(await session(old)).toMatchObject({ signedIn: false })
  })

  test("has the new role with the next request", async () => {
    const id = await add("promoted", "viewer")
    const cookie = cookieOf(await signIn("promoted"))
    const path = "/api/admin/v1/organizations"
    expectError(await ask(cookie, "POST", path, { name: "x", plan: "free" }), 403, "FORBIDDEN")
    await change(id, { role: "administrator" })
    expect((await ask(cookie, "POST", path, { name: "x", plan: "free" })).status).toBe(201)
    await change(id, { role: "viewer" })
    expectError(await ask(cookie, "POST", path, { name: "x", plan: "free" }), 403, "FORBIDDEN")
  })
})

describe("who attacks the sign-in", () => {
  test("with one name from many addresses is stopped, and the right password is too; other names are not", async () => {
    await add("target", "administrator")
    await add("bystander", "viewer")
    const statuses: Array<number> = []
    for (let i = 0; i < 2 * attemptsOfName + 1; i += 1) {
      // As if each came from an address of its own. A minute may end in between: twice as many are too many in any case.
      await service.it.rows("delete from rate_windows where bucket like 'sign-in:%'")
      statuses.push((await signIn("target", `guess number ${i}`)).status)
    }
    expect(statuses.slice(0, attemptsOfName)).toEqual(Array.from({ length: attemptsOfName }, () => 401))
    expect(statuses).toContain(429)
    await service.it.rows("delete from rate_windows where bucket like 'sign-in:%'")
    expectError(await signIn("Target"), 429, "RATE_LIMITED")
    expect((await signIn("bystander")).status).toBe(200)
  })

  test("learns from no answer whether a name exists: each costs one hash, away from the event loop", async () => {
    await change(await addByApi("disabled", "viewer"), { disabled: true })
    await addByApi("known", "viewer")
    let hashes = 0
    const hook = createHook({ init: (_, type) => void (hashes += type === "SCRYPTREQUEST" ? 1 : 0) })
    const answers: Array<readonly [number, unknown]> = []
    for (const name of ["known", "unknown", "disabled"]) {
      hashes = 0
      hook.enable()
      const { body } = await signIn(name, name === "disabled" ? password : "a wrong password")
      hook.disable()
      answers.push([hashes, body])
    }
    const message = "Wrong name or password, or the user is disabled."
    expect(answers).toEqual(
      Array.from({ length: 3 }, () => [1, { error: { code: "UNAUTHORIZED", message } }])
    )
  })

  test("with a session set beforehand shares nothing: signing in makes a new one and ends the old", async () => {
    await add("victim", "administrator")
    await add("attacker", "viewer")
    const planted = cookieOf(await signIn("attacker"))
    const own = cookieOf(await signIn("victim", password, { cookie: planted }))
    expect(own).not.toBe(planted)
    expect(await session(own)).toMatchObject({ name: "victim" })
    expect(await session(planted)).toMatchObject({ signedIn: false })
    const invented = cookieOf(await signIn("victim", password, { cookie: "docflow_session=chosen" }))
    expect(invented).toMatch(/^docflow_session=[\w-]{43}$/u)
  })

  test("from another site changes nothing, whatever cookie it carries", async () => {
    const id = await add("lured", "administrator")
    const cookie = cookieOf(await signIn("lured"))
    for (const [method, path, body] of [
      ["POST", "/api/admin/v1/users", { name: "planted", role: "administrator", password }],
      ["PUT", `/api/admin/v1/users/${id}`, { role: "viewer" }],
      ["PUT", "/dashboard/api/account/password", { current: password, next: "chosen by an attacker" }]
    ] as const) {
      const answer = await service.it.request(method, path, {
        body,
        headers: { cookie, "x-docflow-dashboard": "1", "sec-fetch-site": "cross-site" }
      })
      expectError(answer, 403, "FORBIDDEN")
    }
    expect(await service.it.rows("select 1 from users where name = 'planted'")).toEqual([])
    expect(await session(cookie)).toMatchObject({ signedIn: true, role: "administrator" })
  })

  test("with the session of the admin token as a bearer gets nothing from the administration API", async () => {
    const answer = await service.it.request("POST", "/dashboard/api/session", {
      body: { kind: "token", secret: "the-admin-token-of-the-tests" },
      headers: fromPage
    })
    const secret = cookieOf(answer).split("=")[1] ?? ""
    expectError(
      await service.it.request("GET", "/api/admin/v1/organizations", { key: secret }),
      401,
      "UNAUTHORIZED"
    )
  })
})

test("two windows of one user are one person for the review queue", async () => {
  await add("reviewer", "reviewer")
  const tenant = await service.it.tenant()
  await service.it.rows(
    `insert into executions (id, organization_id, environment, flow_id, version, status, created_at, ended_at, variables,
       page_count, step_count, review_open)
     select 'exec_review_' || n, '${tenant.id}', 'live', 'greet', '1.0.0', 'completed', now(), now(), '{}', 1, 1, 1
     from generate_series(1, 2) n`
  )
  const path = `/dashboard/api/organizations/${tenant.id}/reviews/next`
  for (const cookie of [cookieOf(await signIn("reviewer")), cookieOf(await signIn("reviewer"))])
    expect((await ask(cookie, "POST", path)).body).toMatchObject({ executionId: "exec_review_1" })
  const rows = await service.it.rows(
    `select distinct review_claimed_by as person from executions
     where organization_id = '${tenant.id}' and review_claimed_by is not null`
  )
  const [row] = await service.it.rows("select id from users where name = 'reviewer'")
  expect(rows).toEqual([{ person: textAt(row, "id") }])
})
