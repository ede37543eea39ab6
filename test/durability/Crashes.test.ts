import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Runner } from "../../src/engine/placement/Runner.ts"
import { pdf } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import { type Tenant, useOwnService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

describe("an execution whose runners die", () => {
  const service = useOwnService()
  const run = async ({ live }: Tenant, flow: string, gate: string) => {
    const body = { input: { document: { base64: await pdf() }, variables: { gate } } }
    return textAt((await service.it.call("POST", `/flows/${flow}/run`, { key: live, body })).body, "id")
  }

  it("is failed when the tenth has died, and costs nothing", async () => {
    const tenant = await service.it.tenant()
    const id = await run(tenant, "hold", "never")
    await service.it.awaitStatus(tenant.live, id, "running")
    // As ten killed processes leave it: started ten times, and never ended.
    await service.it.rows(`update executions set runner_starts = 10 where id = '${id}'`)
    await service.it.run(Effect.flatMap(Runner, (runner) => runner.run(id)))

    const { body } = await service.it.call("GET", `/runs/${id}`, { key: tenant.live })
    assert.strictEqual(textAt(body, "status"), "failed")
    assert.strictEqual(textAt(body, "error.code"), "EXECUTION_FAILED")
    assert.match(textAt(body, "error.message"), /exited unexpectedly 10 times/u)
    assert.deepStrictEqual(await service.it.credits(tenant.id), { balance: 10_000, reserved: 0 })
  })

  it("counts only those that have died since the last step was recorded", async () => {
    const tenant = await service.it.tenant()
    const id = await run(tenant, "half", "later")
    await until("the gate to be reached", async () => service.it.gates.waitingAt("later") || undefined)
    // As if this were the tenth runner.
    await service.it.rows(`update executions set runner_starts = 10 where id = '${id}'`)
    service.it.gates.open("later")
    await service.it.awaitStatus(tenant.live, id, "completed")
    const starts = await service.it.rows(`select runner_starts from executions where id = '${id}'`)
    assert.deepStrictEqual(starts, [{ runner_starts: 1 }])
  })
})
