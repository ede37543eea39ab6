import { assert, describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { Retention } from "../../src/services/retention/Retention.ts"
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { runHere } from "../support/CommandLine.ts"
import { pdf } from "../support/Documents.ts"
import { listAt, textAt } from "../support/Json.ts"
import { adminToken, type Tenant, useOwnService } from "../support/TestService.ts"

describe("old executions", () => {
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

  const usageOf = async (month: string, query = "") =>
    listAt((await service.it.admin("GET", `/usage?month=${month}${query}`)).body, "usage")
  const endedOn = (time: string, id: string) =>
    service.it.rows(
      `with charged as (update ledger set at = '${time}' where execution_id = '${id}')
       update executions set created_at = '${time}'::timestamptz - interval '1 minute', ended_at = '${time}' where id = '${id}'`
    )

  it("have the usage of their month said after outputs, an erasure and their removal too", async () => {
    const tenant = await service.it.tenant({ credits: 100 })
    const [expired, erased] = [await runOnce(tenant), await runOnce(tenant)]
    for (const [index, id] of [expired, erased].entries()) {
      await service.it.rows(
        `insert into model_answers (execution_id, request, value, input_tokens, output_tokens, model)
         values ('${id}', 'hash', '{}', ${100 + index}, 10, 'local')`
      )
      await endedOn("2026-03-31T23:59Z", id)
    }
    const whole = { organizationId: tenant.id, environment: "live", flowId: "invoice" }
    const used = [
      { ...whole, model: "", executions: 2, pages: 2, inputTokens: 0, outputTokens: 0 },
      { ...whole, model: "local", executions: 0, pages: 0, inputTokens: 201, outputTokens: 20 }
    ]
    const own = `&organizationId=${tenant.id}`
    const before = await usageOf("2026-03", own)
    expect(before).toMatchObject(used)
    await service.it.admin("DELETE", `/executions/${erased}`)
    expect(await usageOf("2026-03", own)).toEqual(before)
    await sweep()
    expect(await usageOf("2026-03", own)).toEqual(before)
    await sweep(90)
    assert.lengthOf(
      await service.it.rows(`select 1 from executions where id in ('${expired}', '${erased}')`),
      0
    )
    expect(await usageOf("2026-03")).toEqual(before)
    expect(await usageOf("2026-04", own)).toEqual([])

    // It is added up with the document, once, while the output is kept.
    const recent = await runOnce(tenant)
    const time = new Date(Date.now() - 2 * 86_400_000).toISOString()
    const month = time.slice(0, 7)
    await endedOn(time, recent)
    const once = await usageOf(month, own)
    expect(once).toMatchObject([{ ...whole, model: "", executions: 1 }])
    await sweep()
    const kept = `select 1 from executions where id = '${recent}' and is_added_up and output is not null`
    assert.lengthOf(await service.it.rows(kept), 1)
    expect(await usageOf(month, own)).toEqual(once)
    await service.it.admin("DELETE", `/executions/${recent}`)
    expect(await usageOf(month, own)).toEqual(once)
  })

  it("are all removed in one sweep that are due, however many are and however many older are kept", async () => {
    const tenant = await service.it.tenant({ credits: 3_000 })
    await service.it.rows(
      `with made as (
         insert into executions (id, organization_id, environment, flow_id, version, status, created_at, ended_at,
           document, variables, output, page_count, step_count, reserved, charged)
         select 'exec_many' || n, '${tenant.id}', 'live', 'text', '1.0.0', 'completed', at, at, '{}', '{}', '{}', 1, 2, 1, 1
         from (select n, now() - interval '40 days' + n * interval '1 ms' as at from generate_series(1, 2450) n) x
         returning id, organization_id, ended_at
       ), charged as (
         insert into ledger (organization_id, source, target, amount, execution_id, at)
         select organization_id, 'available', 'spent', 1, id, ended_at from made
       )
       update organizations set available = available - 2450 where id = '${tenant.id}'`
    )
    await service.it.rows(
      `insert into deliveries (execution_id, number, event, created_at)
       select 'exec_many' || n, 1, 'execution.completed', now() from generate_series(1, 2000) n`
    )
    await sweep()
    const left =
      "select 1 from executions where id like 'exec_many%' and (document is not null or output is not null)"
    assert.lengthOf(await service.it.rows(left), 0)
    const kept = () => service.it.rows("select 1 from executions where id like 'exec_many%'")
    const charges = () =>
      service.it.rows(
        `select count(*)::int as charges, sum(amount)::int as spent from ledger
         where organization_id = '${tenant.id}' and target = 'spent'`
      )
    await sweep(39)
    assert.lengthOf(await kept(), 2_000)
    assert.deepStrictEqual(await charges(), [{ charges: 2_001, spent: 2_450 }])
    await service.it.rows("update deliveries set status = 'failed' where execution_id like 'exec_many%'")
    await sweep(39)
    assert.lengthOf(await kept(), 0)
    assert.deepStrictEqual(await charges(), [{ charges: 1, spent: 2_450 }])
  })

  it("are exported and removed by month, with credits carried forward, unless a file is in the way", async () => {
    const tenant = await service.it.tenant({ credits: 100 })
    const [first, second, later] = [await runOnce(tenant), await runOnce(tenant), await runOnce(tenant)]
    await endedOn("2026-02-01T00:00Z", first)
    await endedOn("2026-02-28T23:59Z", second)
    await endedOn("2026-03-01T00:00Z", later)
    await service.it.rows(
      `insert into audit_log (at, action, actor, subject) values ('2026-02-10', 'execution.run', 'key', '${first}')`
    )
    const [credits, before] = [await service.it.credits(tenant.id), await usageOf("2026-02")]
    const folder = await mkdtemp(join(tmpdir(), "docflow-archive-"))
    const settings = { DOCFLOW_URL: service.it.address, DOCFLOW_ADMIN_TOKEN: adminToken }
    const archive = (month: string, ...more: ReadonlyArray<string>) =>
      runHere(settings, "archive", month, "--folder", folder, ...more)
    const rowsIn = async (name: string) =>
      (await readFile(join(folder, name), "utf8"))
        .split("\n")
        .flatMap((line) => (line === "" ? [] : [JSON.parse(line)]))
    const left = async () =>
      (
        await service.it.rows(
          `select id from executions where organization_id = '${tenant.id}' order by ended_at`
        )
      ).map((row) => textAt(row, "id"))

    // Nothing whose output is still kept.
    await archive("2026-02")
    expect(await rowsIn("2026-02.executions.jsonl")).toEqual([])
    await sweep()
    const refused = await archive("2026-02", "--remove")
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining("it exists already")])
    expect(await left()).toEqual([first, second, later])

    await rm(folder, { recursive: true })
    await mkdir(folder)
    expect((await archive("2026-02", "--remove")).out).toMatch(
      /executions\.jsonl: 2 exported, 2 removed\n.*audit\.jsonl: 1 exported, 1 removed/u
    )
    expect(await rowsIn("2026-02.executions.jsonl")).toMatchObject(
      [first, second].map((id) => ({
        id,
        charged: expect.any(Number),
        ledger: [{ execution_id: id, target: "spent" }]
      }))
    )
    expect(await rowsIn("2026-02.audit.jsonl")).toMatchObject([{ subject: first, action: "execution.run" }])
    expect(await left()).toEqual([later])
    expect(await service.it.credits(tenant.id)).toEqual(credits)
    expect(await usageOf("2026-02")).toEqual(before)
    const { body } = await service.it.admin("GET", `/organizations/${tenant.id}/ledger`)
    expect(listAt(body, "entries")).toMatchObject([
      {},
      { executionId: later },
      { reason: "Executions that were removed" }
    ])
    expect(listAt((await service.it.admin("GET", "/audit")).body, "entries")[0]).toMatchObject({
      action: "month.archived",
      subject: "2026-02 audit"
    })

    // What is of another month stays, as does the rest of the audit log.
    const answer = await service.it.admin("POST", "/archives/2026-02/executions", { ids: [later] })
    expect(answer.body).toEqual({ removed: 0 })
    await expect(service.it.rows("delete from audit_log")).rejects.toThrow()
    const month = new Date().toISOString().slice(0, 7)
    expect((await archive(month, "--remove")).error).toContain(`${month} is not over`)
    expect((await readdir(folder)).filter((name) => name.startsWith(month))).toEqual([])
    const { status } = await service.it.admin("GET", "/archives/2026-02/audit?after=exec_1")
    expect(status).toBe(422)
    await rm(folder, { recursive: true })
  })
})
