import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { Backlog } from "../../src/services/limits/Backlog.ts"
import { runOf } from "../support/Documents.ts"
import { useOwnService } from "../support/TestService.ts"

describe("when too many executions wait", () => {
  const service = useOwnService({ DOCFLOW_QUEUE: "3", DOCFLOW_CONCURRENCY: "1" })
  const count = () => service.it.run(Effect.flatMap(Backlog, (backlog) => backlog.count))

  test("further runs are answered 503 with Retry-After; everything else goes on, and so does what was accepted", async () => {
    const tenant = await service.it.tenant()
    const body = await runOf({ variables: { gate: "shut" } })
    const post = () =>
      service.it.call("POST", "/flows/hold/run", { key: tenant.live, body, mayBeRefused: true })
    const accepted = [await post(), await post(), await post(), await post()]
    expect(accepted.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    await count()

    const refused = await post()
    expect(refused.status).toBe(503)
    expect(refused.body).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } })
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await service.it.call("GET", "/flows", { key: tenant.live })).status).toBe(200)

    service.it.gates.open("shut")
    for (const { body } of accepted) {
      await service.it.awaitStatus(tenant.live, Object(body).id, "completed")
    }
    await count()
    expect((await post()).status).toBe(200)
  })
})
