import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { Retention } from "../../src/services/retention/Retention.ts"
import { UsageOfDays } from "../../src/services/organizations/UsageOfDays.ts"
import { pdf } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import { TestService } from "../support/TestService.ts"
import { wholeReads } from "./WholeReads.ts"

const organizations = 50
/** The planner chooses alike for thousands as for a million, which take minutes to fill in. */
const isLong = process.env["DOCFLOW_TEST_LONG"] === "1"
const executions = isLong ? 1_000_000 : 8_000
const examples = Math.min(10_000, executions / 4)

/** Tables that grow with every execution. */
const big = [
  "executions",
  "execution_events",
  "step_results",
  "ledger",
  "blob_uses",
  "deliveries",
  "audit_log",
  "idempotency_keys",
  "examples",
  "example_keys"
]

/** The time between two executions. */
const each = `interval '140 days' / ${executions}`

/** Months of executions: nearly all have ended, few still have their document, a fifth their output. */
const fill = [
  `insert into organizations (id, name, plan)
   select 'org_' || n, 'organization', 'pro' from generate_series(1, ${organizations}) n`,
  `insert into executions (id, organization_id, environment, flow_id, version, status, created_at, ended_at, document,
     is_added_up, variables, page_count, step_count, webhook_url, output_expired_at)
   select 'exec_' || n, 'org_' || n % ${organizations} + 1, 'live', 'text', '1.0.0',
     case when n % ${executions / 20} = 0 then 'pending' else 'completed' end, now() - n * ${each},
     case when n % ${executions / 20} <> 0 then now() - n * ${each} end,
     case when n * ${each} < interval '25 hours' then '{}'::json end, n * ${each} > interval '30 days',
     '{}', 1, 2, 'https://example.com', case when n * ${each} > interval '30 days' then now() end
   from generate_series(1, ${executions}) n`,
  `insert into execution_events (execution_id, seq, at, kind)
   select id, s, created_at, 'step.started' from executions, generate_series(101, 103) s`,
  `insert into step_results (execution_id, path, kind, status, started_at, duration_ms, attempts)
   select id, 's' || s, 'parse', 'completed', created_at, 1, 1 from executions, generate_series(1, 2) s
   on conflict do nothing`,
  `insert into ledger (organization_id, source, target, amount, execution_id, at)
   select organization_id, 'available', 'spent', 1, id, created_at from executions`,
  `insert into blob_uses (blob, execution_id, purpose)
   select 'b' || id, id, 'document' from executions on conflict do nothing`,
  `insert into deliveries (execution_id, number, event, status, created_at)
   select id, 1, 'execution.completed', 'delivered', created_at from executions
   where webhook_url is not null on conflict do nothing`,
  `insert into audit_log (at, action, actor, organization_id)
   select created_at, 'execution.run', 'key', organization_id from executions`,
  `insert into idempotency_keys (organization_id, environment, key, fingerprint, execution_id, created_at)
   select organization_id, environment, id, '', id, now() - interval '1 hour' from executions`,
  `insert into examples (id, organization_id, environment, step, flow_id, created_at, keys, words, fields)
   select 'ex_' || n, 'org_' || n % ${organizations} + 1, 'live', 'fields', 'learner', now(),
     array(select 'org_' || n % ${organizations} + 1 || ' live ' || band || ':' || n % (band * 10)
       from generate_series(1, 12) band), '[]', '{}'
   from generate_series(1, ${examples}) n`,
  "analyze",
  // A statement with parameters can only be explained as a string.
  `create function explained(statement text) returns setof text language plpgsql as
   $$ begin return query execute 'explain (generic_plan, costs off) ' || statement; end $$`
]

/** What the functions of the database ask for themselves: their plans are not shown from outside. */
const insideFunctions = [
  `select 1 from executions e where e.organization_id = $1 and e.environment = $2
     and e.status in ('pending', 'running') limit $3`,
  `select fingerprint, execution_id from idempotency_keys k
     where k.organization_id = $1 and k.environment = $2 and k.key = $3 and k.created_at > $4`,
  `select count(*) from step_results r where r.execution_id = $1 and r.status = 'completed'
     and r.reused_from is null and position('.' in r.path) = 0`
]

describe("on big tables", () => {
  // Its books are not checked in the end: the rows below come from nowhere.
  let service: TestService
  beforeAll(async () => {
    service = await TestService.start({ DOCFLOW_EXECUTION_DAYS: "10000" })
  })
  afterAll(() => service.stop())

  it("no statement of the way of a document, and of what callers ask for, reads a table from end to end", async () => {
    const tenant = await service.tenant()
    const key = tenant.live
    // Without one, no examples are looked up.
    await service.rows(
      `insert into examples (id, organization_id, environment, step, flow_id, created_at, keys, words, fields)
       values ('ex', '${tenant.id}', 'live', 'fields', 'learner', now(), '{}', '[]', '{}')`
    )
    const body = { wait: true, idempotencyKey: "once", input: { document: { base64: await pdf() } } }
    const made = await service.call("POST", "/flows/greet/run", { key, body })
    const id = textAt(made.body, "id")
    await service.call("POST", "/flows/learner/run", { key, body: { ...body, idempotencyKey: "learner" } })
    await service.call("GET", `/runs/${id}?include=artifacts,metrics`, { key })
    await service.call("POST", `/runs/${id}/cancel`, { key })
    await service.call("GET", `/runs/${id}/events`, { key })
    await service.call("POST", `/runs/${id}/replay`, { key })
    for (const query of [
      "",
      "?status=failed&flowId=greet",
      "?status=pending",
      "?createdAfter=2026-01-01&metadata.a=b"
    ])
      await service.call("GET", `/runs${query}`, { key })
    await service.call("GET", "/runs?limit=1&metadata.a=b&metadata.c=d", { key })
    await service.admin("GET", `/organizations/${tenant.id}/executions?status=completed`)
    await service.admin("GET", `/executions/${id}/deliveries`)
    await service.admin("DELETE", `/executions/${id}`)
    await service.run(
      Effect.flatMap(UsageOfDays, (usage) => Effect.all([usage.ofOrganization(tenant.id), usage.ofAll]))
    )
    for (const statement of fill) await service.rows(statement)

    // There is one connection, and it names every statement that it has prepared.
    const prepared = await service.rows("select statement from pg_prepared_statements")
    const statements = [...prepared.map((row) => textAt(row, "statement")), ...insideFunctions].filter(
      (statement) =>
        /^\s*(?:select|with|insert|update|delete)\b/u.test(statement) && !fill.includes(statement)
    )
    assert.isAbove(statements.length, 15)
    assert.isTrue(statements.some((statement) => statement.includes("from example_keys")))
    assert.isTrue(statements.some((statement) => statement.includes("output_expired_at is not null")))
    assert.isTrue(statements.some((statement) => statement.includes("from usage_of_executions where id")))
    const slow: Array<string> = []
    for (const statement of statements) {
      const plan = await service.run(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql<{ line: string }>`select line from explained(${statement}) as line`
        )
      )
      const scanned = wholeReads(
        plan.map(({ line }) => line),
        (name) => big.some((table) => name.startsWith(table))
      )
      // A filter that nothing matches must not read all that an organization has, but some of the newest.
      if (
        statement.includes("metadata ->>") &&
        !statement.includes(") as newest") &&
        !plan.some(({ line }) => line.includes("executions_by_metadata"))
      )
        slow.push(`all metadata: ${statement.replaceAll(/\s+/gu, " ")}`)
      if (scanned.length > 0) slow.push(`${scanned.join(", ")}: ${statement.replaceAll(/\s+/gu, " ")}`)
    }
    assert.deepStrictEqual(slow, [])
  }, 1_800_000)

  it("a sweep removes in smaller batches what takes too long at once", async () => {
    await service.rows(`create function take_too_long() returns trigger language plpgsql as $$ begin
      if (select count(*) from gone) > 99 then raise exception 'too long' using errcode = '57014'; end if;
      return null; end $$`)
    await service.rows(`create trigger slow after delete on executions referencing old table as gone
      for each statement execute function take_too_long()`)
    const due = `from executions where ended_at < now() - interval '130 days' and organization_id = 'org_7'`
    assert.isAbove((await service.rows(`select 1 ${due}`)).length, 0)
    await service.rows(
      `insert into executions (id, organization_id, environment, flow_id, version, status, created_at, ended_at,
         variables, page_count, step_count, output_expired_at)
       select 'exec_more' || n, 'org_7', 'live', 'text', '1.0.0', 'completed', now() - interval '139 days',
         now() - interval '139 days', '{}', 1, 2, now() from generate_series(1, 200) n`
    )
    await service.run(
      Effect.provide(
        Effect.flatMap(Retention, ({ sweep }) => sweep),
        Retention.layer(130)
      )
    )
    assert.lengthOf(await service.rows(`select 1 ${due}`), 0)
  })
})
