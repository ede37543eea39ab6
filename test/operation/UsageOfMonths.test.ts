import { assert, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Retention } from "../../src/services/retention/Retention.ts"
import { pdf } from "../support/Documents.ts"
import { listAt, textAt } from "../support/Json.ts"
import { type Tenant, useOwnService } from "../support/TestService.ts"

describe("usage", () => {
  const service = useOwnService()

  const runOnce = async (tenant: Tenant) => {
    const { body } = await service.it.call("POST", "/flows/invoice/run", {
      key: tenant.live,
      body: { wait: true, timeout: 60_000, input: { document: { base64: await pdf() } } }
    })
    return textAt(body, "id")
  }

  const sweep = (executionDays?: number) =>
    service.it.run(
      Effect.flatMap(Retention, ({ sweep }) => sweep).pipe(Effect.provide(Retention.layer(executionDays)))
    )

  it("of a month is said after outputs, an erasure and the executions' removal too", async () => {
    const tenant = await service.it.tenant({ credits: 100 })
    const [expired, erased] = [await runOnce(tenant), await runOnce(tenant)]
    for (const [index, id] of [expired, erased].entries()) {
      await service.it.rows(
        `insert into model_answers (execution_id, request, value, input_tokens, output_tokens, model)
         values ('${id}', 'hash', '{}', ${100 + index}, 10, 'local')`
      )
      await service.it.rows(
        `with charged as (update ledger set at = '2026-03-31T23:59Z' where execution_id = '${id}')
         update executions set created_at = '2026-03-31T23:58Z', ended_at = '2026-03-31T23:59Z' where id = '${id}'`
      )
    }
    const usageOf = async (month: string, query = `&organizationId=${tenant.id}`) =>
      listAt((await service.it.admin("GET", `/usage?month=${month}${query}`)).body, "usage")
    const whole = { organizationId: tenant.id, environment: "live", flowId: "invoice" }
    const used = [
      { ...whole, model: "", executions: 2, pages: 2, inputTokens: 0, outputTokens: 0 },
      { ...whole, model: "local", executions: 0, pages: 0, inputTokens: 201, outputTokens: 20 }
    ]
    const before = await usageOf("2026-03")
    expect(before).toMatchObject(used)
    await service.it.admin("DELETE", `/executions/${erased}`)
    expect(await usageOf("2026-03")).toEqual(before)
    await sweep()
    expect(await usageOf("2026-03")).toEqual(before)
    await sweep(90)
    assert.lengthOf(
      await service.it.rows(`select 1 from executions where id in ('${expired}', '${erased}')`),
      0
    )
    expect(await usageOf("2026-03", "")).toEqual(before)
    expect(await usageOf("2026-04")).toEqual([])
  })
})
