import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Retention } from "../../src/services/retention/Retention.ts"
import { BlobUses } from "../../src/engine/journal/BlobUses.ts"
import { StepCache } from "../../src/engine/program/StepCache.ts"
import { Blobs } from "../../src/providers/blobs/Blobs.ts"
import { pdf } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import { type Tenant, useOwnService } from "../support/TestService.ts"

const Entries = Schema.Struct({
  entries: Schema.Array(
    Schema.Struct({
      action: Schema.String,
      actor: Schema.String,
      subject: Schema.optionalKey(Schema.String),
      address: Schema.optionalKey(Schema.String),
      requestId: Schema.optionalKey(Schema.String)
    })
  )
})
const Ledger = Schema.Struct({
  entries: Schema.Array(
    Schema.Struct({
      kind: Schema.String,
      amount: Schema.Finite,
      executionId: Schema.optionalKey(Schema.String)
    })
  )
})
const readLedger = Schema.decodeUnknownSync(Ledger)
const readEntries = Schema.decodeUnknownSync(Entries)

describe("the audit log and retention", () => {
  const service = useOwnService()

  const runOnce = async (tenant: Tenant) => {
    const { body } = await service.it.call("POST", "/flows/invoice/run", {
      key: tenant.live,
      body: { wait: true, timeout: 60_000, input: { document: { base64: await pdf() } } }
    })
    assert.strictEqual(textAt(body, "status"), "completed")
    return textAt(body, "id")
  }

  const sweep = (executionDays?: number) =>
    service.it.run(
      Effect.flatMap(Retention, ({ sweep }) => sweep).pipe(Effect.provide(Retention.layer(executionDays)))
    )

  const age = (id: string, interval: string) =>
    service.it.rows(
      `with charged as (update ledger set at = at - interval '${interval}' where execution_id = '${id}')
       update executions set created_at = created_at - interval '${interval}', ended_at = ended_at - interval '${interval}'
       where id = '${id}'`
    )

  const correct = async ({ live: key }: Tenant, id: string, path: string, value: string) => {
    const body = { ifMatch: 0, values: [{ path, value }] }
    const { status, text } = await service.it.call("PUT", `/runs/${id}/corrections`, { key, body })
    assert.strictEqual(status, 200, text)
  }

  it("says who did what, from where and in which request", async () => {
    const tenant = await service.it.tenant()
    const id = await runOnce(tenant)
    await service.it.admin("DELETE", `/executions/${id}`)
    const { body } = await service.it.admin("GET", `/audit?organizationId=${tenant.id}`)
    const { entries } = readEntries(body)
    assert.deepStrictEqual(
      entries.map(({ action }) => action),
      ["execution.erased", "execution.run", "key.created", "key.created", "organization.created"]
    )
    const run = entries.find(({ action }) => action === "execution.run")
    assert.match(run?.actor ?? "", /^key key_/u)
    assert.strictEqual(run?.subject, id)
    assert.match(run?.address ?? "", /127\.0\.0\.1/u)
    assert.match(run?.requestId ?? "", /^req_/u)
    assert.strictEqual(entries[0]?.actor, "admin token")
  })

  it("cannot be changed, not even in the database", async () => {
    await service.it.tenant()
    for (const statement of [
      "update audit_log set actor = 'nobody'",
      "delete from audit_log",
      "truncate audit_log"
    ]) {
      const failure = await service.it.rows(statement).catch((error: unknown) => error)
      assert.instanceOf(failure, Error, statement)
    }
  })

  it("keeps a document for 24 hours after the end and no longer", async () => {
    const tenant = await service.it.tenant()
    const id = await runOnce(tenant)
    const held = `select 1 from blob_uses where execution_id = '${id}' and purpose = 'document'`
    await age(id, "23 hours 59 minutes")
    await sweep()
    assert.lengthOf(await service.it.rows(held), 1)
    await age(id, "2 minutes")
    await sweep()
    assert.lengthOf(await service.it.rows(held), 0)
    const { body } = await service.it.call("GET", `/runs/${id}`, { key: tenant.live })
    assert.property(body, "output")
  })

  it("keeps a document that another execution still has", async () => {
    const tenant = await service.it.tenant()
    const [old, young] = [await runOnce(tenant), await runOnce(tenant)]
    await age(old, "25 hours")
    await sweep()
    const held = await service.it.rows(
      `select blob, execution_id as of from blob_uses
       where execution_id in ('${old}', '${young}') and purpose = 'document'`
    )
    assert.deepStrictEqual(
      held.map((row) => textAt(row, "of")),
      [young]
    )
    const blob = textAt(held[0], "blob")
    assert.isTrue(await service.it.run(Effect.flatMap(Blobs, (store) => store.has(blob))))
  })

  it("keeps output and artifacts for 30 days after the end and no longer", async () => {
    const tenant = await service.it.tenant()
    const id = await runOnce(tenant)
    await age(id, "30 days 1 minute")
    await sweep()
    const { body } = await service.it.call("GET", `/runs/${id}?include=artifacts`, { key: tenant.live })
    assert.strictEqual(textAt(body, "status"), "completed")
    assert.notProperty(body, "output")
    assert.deepInclude(body, { artifacts: {} })
  })

  it("removes corrections with the output that they correct", async () => {
    const tenant = await service.it.tenant()
    const id = await runOnce(tenant)
    await correct(tenant, id, "/invoiceNumber", "CORRECTED-MARK-1")
    assert.deepStrictEqual(await tablesWith("CORRECTED-MARK-1"), ["corrections"])
    await age(id, "30 days 1 minute")
    await sweep()
    assert.deepStrictEqual(await tablesWith("CORRECTED-MARK-1"), [])
  })

  it("keeps a name that a person typed in the example that it teaches, until the execution is erased", async () => {
    const tenant = await service.it.tenant()
    const id = await runOnce(tenant)
    await correct(tenant, id, "/vendorName", "Typed Mark Ltd")
    await age(id, "30 days 1 minute")
    await sweep()
    assert.deepStrictEqual(await tablesWith("Typed Mark"), ["examples"])
    await service.it.admin("DELETE", `/executions/${id}`)
    assert.deepStrictEqual(await tablesWith("Typed Mark"), [])
  })

  it("keeps executions, unless a number of days is set: then what they cost stays in one entry", async () => {
    const tenant = await service.it.tenant({ credits: 100 })
    const [first, second, young] = [await runOnce(tenant), await runOnce(tenant), await runOnce(tenant)]
    const before = await service.it.credits(tenant.id)
    for (const id of [first, second]) await age(id, "91 days")
    await age(young, "89 days")
    await sweep()
    const read = (id: string) => service.it.call("GET", `/runs/${id}`, { key: tenant.live })
    const statuses = async () =>
      (await Promise.all([first, second, young].map(read))).map(({ status }) => status)
    assert.deepStrictEqual(await statuses(), [200, 200, 200])
    await sweep(90)
    assert.deepStrictEqual(await statuses(), [404, 404, 200])
    assert.deepStrictEqual(await tablesWith(first), ["audit_log"])
    assert.deepStrictEqual(await service.it.credits(tenant.id), before)
    const charges = async () => {
      const { body } = await service.it.admin("GET", `/organizations/${tenant.id}/ledger`)
      return readLedger(body).entries.filter(({ kind }) => kind === "charge")
    }
    const [left, ...others] = (await charges()).toSorted((a, b) => a.amount - b.amount)
    const named = others.map(({ executionId }) => executionId)
    const each = others[0]?.amount ?? 0
    assert.deepStrictEqual([left?.executionId, left?.amount, named], [undefined, 2 * each, [young]])
    // The entry of earlier ones is added up with the next ones.
    await age(young, "2 days")
    await sweep(90)
    assert.deepStrictEqual(
      (await charges()).map(({ amount }) => amount),
      [3 * each]
    )
    assert.deepStrictEqual(await service.it.credits(tenant.id), before)
  })

  it("removes a document at once for an organization that keeps none", async () => {
    const made = await service.it.admin("POST", "/organizations", {
      name: "forgetful",
      plan: "pro",
      credits: 10,
      documentRetentionHours: 0,
      outputRetentionDays: 0
    })
    const organization = textAt(made.body, "id")
    const key = await service.it.key(organization)
    const id = await runOnce({ id: organization, live: key, test: "" })
    await sweep()
    const left = await service.it.rows(
      `select 1 from executions where id = '${id}' and (document is not null or output is not null)`
    )
    assert.lengthOf(left, 0)
  })

  /** Every table whose text contains a value. */
  const tablesWith = async (value: string) => {
    const tables = await service.it.rows(
      "select tablename as name from pg_tables where schemaname = 'public'"
    )
    const found = await Promise.all(
      tables.map(async (table) => {
        const name = textAt(table, "name")
        const rows = await service.it.rows(
          `select 1 from "${name}" t where t::text like '%${value}%' limit 1`
        )
        return rows.length > 0 ? [name] : []
      })
    )
    return found.flat()
  }

  it("leaves nothing of an erased execution, in no table, no blob and no cache", async () => {
    const tenant = await service.it.tenant()
    const { body } = await service.it.call("POST", "/flows/invoice/run", {
      key: tenant.live,
      body: {
        wait: true,
        timeout: 60_000,
        metadata: { note: "ERASED-MARK" },
        idempotencyKey: "ERASED-MARK",
        input: { document: { base64: await pdf(7), filename: "ERASED-MARK.pdf" }, variables: {} }
      }
    })
    const id = textAt(body, "id")
    const blobs = await service.it.rows(`select distinct blob from blob_uses where execution_id = '${id}'`)
    assert.isNotEmpty(blobs)
    assert.sameMembers([...(await tablesWith("ERASED-MARK"))], ["executions", "idempotency_keys"])
    const cache = await service.it.run(
      Effect.gen(function* () {
        return yield* StepCache
      })
    )
    cache.keep("key", "ERASED-MARK", Number.MAX_SAFE_INTEGER)

    await service.it.admin("DELETE", `/executions/${id}`)
    assert.deepStrictEqual(await tablesWith("ERASED-MARK"), [])
    assert.isUndefined(cache.find("key", 0))
    const kept = await service.it.run(
      Effect.flatMap(Blobs, (store) => Effect.forEach(blobs, (row) => store.has(textAt(row, "blob"))))
    )
    assert.notInclude(kept, true)
  })

  it("releases what a process that was killed had forgotten but not released", async () => {
    const tenant = await service.it.tenant()
    const id = await runOnce(tenant)
    await service.it.rows(`update executions set document = null where id = '${id}'`)
    await service.it.rows(`update blob_uses set blob = '00' || substr(blob, 3) where execution_id = '${id}'`)
    await sweep()
    const held = `select 1 from blob_uses where execution_id = '${id}' and purpose = 'document'`
    assert.lengthOf(await service.it.rows(held), 0)
  })

  it("finds blobs that no execution uses, and removes only those", async () => {
    const tenant = await service.it.tenant()
    const id = await runOnce(tenant)
    const [row] = await service.it.rows(`select blob from blob_uses where execution_id = '${id}'`)
    const used = textAt(row, "blob")
    const state = await service.it.run(
      Effect.gen(function* () {
        const store = yield* Blobs
        const uses = yield* BlobUses
        const stray = yield* store.put(new TextEncoder().encode("a stray"))
        const found = yield* uses.unused(stray.slice(0, 2))
        yield* uses.dropUnused(stray)
        yield* uses.dropUnused(used)
        return [found.includes(stray), yield* store.has(stray), yield* store.has(used)]
      })
    )
    assert.deepStrictEqual(state, [true, false, true])
  })
})
