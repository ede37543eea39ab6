import { Effect } from "effect"
import { Retention } from "../src/services/retention/Retention.ts"
import { signedIn } from "../test/dashboard/SignIn.ts"
import { startPostgres } from "../test/durability/Postgres.ts"
import { rowsOf } from "../test/durability/Rows.ts"
import { pdf } from "../test/support/Documents.ts"
import { textAt } from "../test/support/Json.ts"
import { type Answer, TestService, type Tenant } from "../test/support/TestService.ts"
import { medianOf, rateOf } from "./SideBySide.ts"

/**
 * What a year of use does to the service: lists, runs and sweeps on an empty database and on one that a year has filled,
 * the bytes that an execution leaves, and the statements that read a whole table. A few real executions with webhooks
 * are copied over a year and 51 organizations, in the database.
 *
 * `node bench/year.ts [executions, 200,000 if left out]`
 */

const size = Number(process.argv[2] ?? 200_000)
const seeds = 200
const days = 365
const outputDays = 30
/** The tables that grow with every execution, and their column with its id. */
const grown = {
  executions: "id",
  execution_events: "execution_id",
  step_results: "execution_id",
  ledger: "execution_id",
  deliveries: "execution_id",
  audit_log: "subject",
  blob_uses: "execution_id"
}

let log = ""
const postgres = await startPostgres({
  settings: [
    "shared_preload_libraries=auto_explain",
    "auto_explain.log_nested_statements=on",
    "shared_buffers=256MB",
    "max_wal_size=4GB"
  ],
  onLog: (message) => {
    log += message
  }
})
const service = await TestService.start({ DATABASE_URL: postgres.url, DOCFLOW_BLOBS: "database" })
/** Not over the connections of the service, whose statements have a time limit. */
const rows = (statement: string) => rowsOf(postgres.url, statement)
const set = async (setting: string, value: number | "on"): Promise<void> => {
  await rows(`alter system set auto_explain.${setting} = ${value}`)
  await rows("select pg_reload_conf()")
}
const explain = (isOn: boolean) => set("log_min_duration", isOn ? 0 : -1)

const base64 = await pdf()
const send = async ({ live }: Tenant, flow: string, extra: object = {}): Promise<Answer> => {
  const body = { wait: true, input: { document: { base64 } }, ...extra }
  const answer = await service.call("POST", `/flows/${flow}/run`, { key: live, body })
  if (answer.status >= 300) throw new Error(`a run was answered with ${answer.status}: ${answer.text}`)
  return answer
}

const owner = await service.tenant({ requestsPerMinute: 10_000_000, credits: 100_000_000 })
const others = await Promise.all(Array.from({ length: 50 }, () => service.tenant({ credits: 100_000_000 })))
const webhook = {
  webhookUrl: "https://hooks.example.com/docflow/results",
  webhookSecret: "a secret of 32 letters or so on"
}
let made = 0
const seedOne = () => send(owner, "greet", { ...webhook, metadata: { customer: `c-${made++ % 50}` } })
await send(owner, "half", { wait: false, input: { document: { base64 }, variables: { gate: "never" } } })
await rateOf(seedOne, seeds, 8)
const people = await signedIn(service)
const call = (path: string) => service.call("GET", path, { key: owner.live })
const admin = (path: string) => service.admin("GET", `/organizations/${owner.id}/${path}`)
const someId = textAt((await seedOne()).body, "id")
const lists: ReadonlyArray<readonly [name: string, ask: () => Promise<Answer>]> = [
  ["GET /runs", () => call("/runs")],
  ["GET /runs?metadata without a match", () => call("/runs?metadata.customer=nobody")],
  ["GET /runs?metadata with many matches", () => call("/runs?metadata.customer=c-7")],
  ["GET /runs?flowId, run once", () => call("/runs?flowId=half")],
  ["GET /runs?flowId, never run", () => call("/runs?flowId=never")],
  ["GET /runs?status=failed", () => call("/runs?status=failed")],
  ["GET /runs?createdBefore, months ago", () => call("/runs?createdBefore=2026-03-01")],
  ["GET /runs/{id}", () => call(`/runs/${someId}?include=artifacts`)],
  ["admin: executions", () => admin("executions")],
  ["admin: executions, page 20", () => admin("executions?offset=1000")],
  ["admin: ledger", () => admin("ledger")],
  ["admin: audit of an organization", () => service.admin("GET", `/audit?organizationId=${owner.id}`)],
  ["admin: audit", () => service.admin("GET", "/audit")],
  ["admin: organizations", () => service.admin("GET", "/organizations")],
  ["admin: deliveries", () => service.admin("GET", `/executions/${someId}/deliveries`)],
  ["admin: search of an id", () => admin(`executions?search=${someId}`)],
  ["admin: search of a name", () => admin("executions?search=nothing")],
  ["dashboard: usage of an organization", () => people("GET", `/usage?organizationId=${owner.id}`)],
  ["dashboard: usage of all", () => people("GET", "/usage")]
]

const timeOf = async (ask: () => Promise<Answer>): Promise<number> => {
  const times: Array<number> = []
  for (let round = 0; round < 12; round++) {
    const begun = performance.now()
    const { status, text } = await ask()
    if (status !== 200) throw new Error(`answered with ${status}: ${text}`)
    times.push(performance.now() - begun)
  }
  return medianOf(times.slice(2))
}

const measure = async (): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  for (const [, ask] of lists) times.push(await timeOf(ask))
  const rates: Array<number> = []
  for (let round = 0; round < 3; round++) rates.push(await rateOf(() => send(owner, "greet"), 300, 16))
  return [...times, medianOf(rates)]
}

/** Sizes of the tables in bytes, without free space. */
const sizes = async (): Promise<ReadonlyMap<string, number>> => {
  const found = await rows(
    `select relname as name, pg_total_relation_size(oid)::text as bytes from pg_class where relkind = 'r'
     and relname in (${Object.keys(grown)
       .map((table) => `'${table}'`)
       .join()})`
  )
  return new Map(found.map((row) => [textAt(row, "name"), Number(textAt(row, "bytes"))]))
}

/** Copies the rows of a table for the executions in `copies` from `first` to `last`; of each, what a sweep has left. */
const copy = async (table: keyof typeof grown, first: number, last: number): Promise<void> => {
  const key = grown[table]
  const columns = await rows(
    `select column_name as name, data_type as type from information_schema.columns where table_schema = current_schema
     and table_name = '${table}' and is_generated = 'NEVER' and is_identity = 'NO'`
  )
  const expression = (name: string, type: string): string => {
    if (name === key) return "c.id"
    if (name === "organization_id") return table === "deliveries" ? "null" : "c.organization"
    if (name === "blob") return "md5(c.id) || md5(c.id)"
    if (name === "document") return "case when c.age < interval '1 day' then s.document end"
    if (name === "output_expired_at") return `case when c.age > interval '${outputDays} days' then c.at end`
    if (table === "executions" && name === "output")
      return `case when c.age < interval '${outputDays} days' then s.output end`
    return type === "timestamp with time zone" ? `s.${name} + c.shift` : `s.${name}`
  }
  const named = columns.map((row) => [textAt(row, "name"), textAt(row, "type")] as const)
  const kept = {
    step_results: `c.age < interval '${outputDays} days'`,
    execution_events: `c.age < interval '${outputDays} days'`,
    blob_uses: "c.age < interval '1 day'"
  }
  await rows(
    `insert into ${table} (${named.map(([name]) => name).join()})
     select ${named.map(([name, type]) => expression(name, type)).join()}
     from copies c join ${table} s on s.${key} = c.seed
     where c.n between ${first} and ${last} and ${table in kept ? kept[table as keyof typeof kept] : "true"} order by c.n`
  )
}

const fill = async (): Promise<void> => {
  // As if the receiver had answered.
  await rows(
    `update deliveries set status = 'delivered', next_attempt_at = null, lease = null, organization_id = null, host = null,
       attempts = json_build_array(json_build_object('at', created_at, 'status', 200, 'durationMs', 12))`
  )
  const organizations = others.map(({ id }) => `'${id}'`).join()
  // Ids are in the order of time, as ULIDs are, and behind those that there are. Half are of the organization whose lists are measured.
  await rows(
    `create table copies as
     select n, 'exec_1' || lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0') || substr(md5(n::text), 1, 13) as id,
       seed, at, at - created_at as shift, now() - at as age,
       case n % 2 when 0 then '${owner.id}' else (array[${organizations}])[1 + n / 2 % ${others.length}] end as organization
     from (select n, now() - interval '${days} days' * (1 - n::float8 / ${size + 1}) as at from generate_series(1, ${size}) n) c
     join (select e.id as seed, e.created_at, row_number() over (order by e.id) - 1 as k
       from executions e join deliveries d on d.execution_id = e.id order by e.id limit ${seeds}) s on s.k = n % ${seeds}`
  )
  await rows("create index on copies (n)")
  await rows("analyze")
  const old = Math.floor((size * (days - outputDays)) / days)
  const before = await sizes()
  const tables = Object.keys(grown) as Array<keyof typeof grown>
  for (const table of tables) await copy(table, 1, old)
  const after = await sizes()
  console.log("\nbytes that an execution leaves")
  const left = [...after].map(([table, bytes]) => [table, (bytes - (before.get(table) ?? 0)) / old] as const)
  const all = left.reduce((sum, [, bytes]) => sum + bytes, 0)
  for (const [name, bytes] of [...left, ["all", all] as const])
    console.log(`  ${name.padEnd(42)}${bytes.toFixed(0).padStart(12)}`)
  for (const table of tables) await copy(table, old + 1, size)
  await rows("drop table copies")
  await rows("vacuum analyze")
}

const entries = () => log.split(/^(?=\S.*LOG: )/mu)

/** The statements that read a table with at least a tenth of the executions from end to end. */
const wholeReads = async (): Promise<ReadonlyArray<string>> => {
  const big = (
    await rows(`select relname as name from pg_class where relkind = 'r' and reltuples > ${size / 10}`)
  ).map((row) => textAt(row, "name"))
  const found = entries().flatMap((entry) => {
    const [, text = "", plan = ""] = /Query Text: ([^]*?)\n\t(\S[^\n]*cost=[^]*)$/u.exec(entry) ?? []
    return big
      .filter((table) => plan.includes(`Seq Scan on ${table} `))
      .map((table) => `${table}: ${text.replaceAll(/\s+/gu, " ").slice(0, 200)}`)
  })
  return [...new Set(found)]
}

/** Removes the oldest executions while runs go on. */
const sweeps = async (): Promise<void> => {
  const count = "select count(*)::text as n from executions"
  const before = Number(textAt((await rows(count))[0], "n"))
  const sweeping = { isDone: false }
  const durations: Array<number> = []
  const runOn = async () => {
    while (!sweeping.isDone) {
      const begun = performance.now()
      await send(owner, "greet")
      durations.push(performance.now() - begun)
    }
  }
  const going = runOn()
  const begun = performance.now()
  await sweep(Math.floor(days * 0.9))
  const took = performance.now() - begun
  sweeping.isDone = true
  await going
  const removed = before - Number(textAt((await rows(count))[0], "n")) + durations.length
  const p99 = durations.toSorted((a, b) => a - b)[Math.floor(durations.length * 0.99)] ?? 0
  console.log(`\na sweep removed ${removed} executions, ${Math.round((removed / took) * 1000)} a second`)
  console.log(`runs meanwhile: p99 ${p99.toFixed(0)} ms of ${durations.length}`)
}

const sweepOnce = Effect.flatMap(Retention, (retention) => retention.sweep)
const sweep = (executionDays: number) =>
  service.run(Effect.provide(sweepOnce, Retention.layer(executionDays)))

/** The blocks that each statement of a sweep reads that finds nothing to remove. */
const idleSweep = async (): Promise<void> => {
  await sweep(days)
  log = ""
  await set("log_analyze", "on")
  await set("log_buffers", "on")
  await explain(true)
  await sweep(days)
  await explain(false)
  const blocks = entries().flatMap((entry) => {
    const [, text = "", hit = "0", read = "0"] =
      /Query Text: ([^]*?)\n\t\S[^]*?Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/u.exec(entry) ?? []
    const used = Number(hit) + Number(read)
    return used > 100 ? [`${used}: ${text.replaceAll(/\s+/gu, " ").slice(0, 160)}`] : []
  })
  console.log("\nblocks that a sweep reads with nothing to remove, statements of more than 100")
  for (const one of blocks) console.log(`  ${one}`)
}

const empty = await measure()
const filling = performance.now()
await fill()
console.log(`filled with ${size} executions in ${Math.round((performance.now() - filling) / 1000)} s\n`)
await explain(true)
for (const [, ask] of lists) await ask()
await explain(false)
const year = await measure()

const line = (name: string, ...cells: ReadonlyArray<string>) =>
  console.log(name.padEnd(44) + cells.map((cell) => cell.padStart(10)).join(""))
line("ms, median", "empty", "year", "ratio")
for (const [index, [name]] of lists.entries()) {
  const [a = 0, b = 0] = [empty[index], year[index]]
  line(name, a.toFixed(1), b.toFixed(1), (b / a).toFixed(1))
}
const rates = [empty.at(-1) ?? 0, year.at(-1) ?? 0] as const
line("runs a second", rates[0].toFixed(0), rates[1].toFixed(0), (rates[1] / rates[0]).toFixed(2))
await explain(true)
await sweeps()
await explain(false)
const whole = await wholeReads()
console.log(`\nstatements that read a whole table: ${whole.length}`)
for (const one of whole) console.log(`  ${one}`)
await rows(
  `update organizations set document_retention_hours = 0, output_retention_days = 0 where id = '${others[0]?.id}'`
)
await idleSweep()
await service.stop()
await postgres.stop()
