import { Effect } from "effect"
import { describe, expect, test } from "vitest"
import { Overload } from "../../src/services/admission/Overload.ts"
import { runOf } from "../support/Documents.ts"
import { useOwnService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

describe("when too many executions wait", () => {
  const service = useOwnService({ DOCFLOW_QUEUE: "8", DOCFLOW_CONCURRENCY: "1" })
  const count = () => service.it.run(Effect.flatMap(Overload, (overload) => overload.count))

  test("further runs are answered 503 with Retry-After; everything else goes on, and so does what was accepted", async () => {
    const tenant = await service.it.tenant()
    const body = await runOf({ variables: { gate: "shut" } })
    const post = () =>
      service.it.call("POST", "/flows/hold/run", { key: tenant.live, body, mayBeRefused: true })
    const accepted = [await post()]
    await until("the first to run", async () => service.it.gates.waitingAt("shut") === 1 || undefined)
    for (let waiting = 1; waiting <= 7; waiting++) accepted.push(await post())
    expect(accepted.map(({ status }) => status)).toEqual(accepted.map(() => 200))
    await count()

    // The last place of the queue is for other organizations.
    const other = await service.it.tenant()
    const postOfOther = () =>
      service.it.call("POST", "/flows/greet/run", { key: other.live, body, mayBeRefused: true })
    const refusedForOne = await post()
    expect(refusedForOne.status).toBe(503)
    const ofOther = await postOfOther()
    expect(ofOther.status).toBe(200)
    await count()

    const refused = await postOfOther()
    expect(refused.status).toBe(503)
    expect(refused.body).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } })
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0)
    expect((await service.it.call("GET", "/flows", { key: tenant.live })).status).toBe(200)

    service.it.gates.open("shut")
    for (const { body } of accepted) {
      await service.it.awaitStatus(tenant.live, Object(body).id, "completed")
    }
    await service.it.awaitStatus(other.live, Object(ofOther.body).id, "completed")
    await count()
    expect((await post()).status).toBe(200)
  })
})
