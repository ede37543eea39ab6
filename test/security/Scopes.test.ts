import { beforeAll, beforeEach, describe, expect, test } from "vitest"
import { allScopes, type Scope } from "../../src/domain/ApiKey.ts"
import { expectError } from "../support/Expect.ts"
import { type Tenant, useService } from "../support/TestService.ts"
import { type Endpoint, endpoints, filled } from "./Endpoints.ts"
import { defined } from "../../src/support/Defined.ts"

/** Which scope each endpoint needs: the specification's table, and the rows of our own endpoints. */
const needed: Readonly<Record<string, Scope>> = {
  "GET /api/v1/flows": "flows:read",
  "GET /api/v1/flows/:flowId": "flows:read",
  "POST /api/v1/flows/:flowId/run": "flows:execute",
  "GET /api/v1/runs": "executions:read",
  "GET /api/v1/runs/:executionId": "executions:read",
  "POST /api/v1/runs/:executionId/cancel": "executions:cancel",
  "GET /api/v1/runs/:executionId/events": "executions:read",
  "GET /api/v1/runs/:executionId/diff/:otherId": "executions:read",
  "POST /api/v1/runs/:executionId/replay": "flows:execute",
  "GET /api/v1/runs/:executionId/pages": "executions:read",
  "GET /api/v1/runs/:executionId/pages/:page": "executions:read",
  "GET /api/v1/runs/:executionId/pages/:page/picture": "executions:read",
  "GET /api/v1/runs/:executionId/corrections": "corrections:read",
  "PUT /api/v1/runs/:executionId/corrections": "corrections:write",
  "GET /api/v1/runs/:executionId/test-set": "corrections:read",
  "POST /api/v1/flows/:flowId/backtest": "flows:execute"
}

const service = useService()
let tenant: Tenant
const keys = new Map<Scope | "none of these", string>()
beforeAll(async () => {
  tenant = await service.it.tenant()
  for (const scope of allScopes) keys.set(scope, await service.it.key(tenant.id, "live", [scope]))
})

const ofApi = endpoints.filter(({ isAdmin }) => !isAdmin)
const ofAdmin = endpoints.filter(({ isAdmin }) => isAdmin)
const ask = ({ method, path }: Endpoint, key?: string) =>
  service.it.request(method, filled(path), {
    ...defined({ key }),
    ...(method === "POST" || method === "PUT" ? { body: {} } : {})
  })

test("every endpoint has a row in this table, and needs the scope that the row says", () => {
  expect(Object.fromEntries(ofApi.map(({ name, scope }) => [name, scope]))).toEqual(needed)
})

describe("a key with one scope", () => {
  const cases = ofApi.flatMap((endpoint) =>
    allScopes.map((scope) => [endpoint.name, scope, endpoint] as const)
  )

  test.each(cases)("%s with %s", async (name, scope, endpoint) => {
    const answer = await ask(endpoint, keys.get(scope))
    if (scope === needed[name]) expect([200, 400, 404, 422]).toContain(answer.status)
    else {
      expect(expectError(answer, 403, "FORBIDDEN")).toMatchObject({
        message: `API key missing required scope: ${needed[name]}`
      })
    }
  })
})

describe("the administration API", () => {
  // One address may fail only so often in a minute; there are more endpoints than that.
  beforeEach(() => service.it.rows("delete from rate_windows"))

  test.each(ofAdmin.map((endpoint) => [endpoint.name, endpoint] as const))(
    "%s takes no key with all scopes, and nobody without a token",
    async (_, endpoint) => {
      expectError(await ask(endpoint, tenant.live), 401, "UNAUTHORIZED")
      expectError(await ask(endpoint), 401, "UNAUTHORIZED")
    }
  )
})
