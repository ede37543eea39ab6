import { Effect, Schema } from "effect"
import { ArchivePage } from "../src/domain/ArchivePage.ts"
import { Retention } from "../src/services/retention/Retention.ts"
import { signedIn } from "../test/dashboard/SignIn.ts"
import { startPostgres } from "../test/durability/Postgres.ts"
import { rowsOf } from "../test/durability/Rows.ts"
import { wholeReads } from "../test/durability/WholeReads.ts"
import { pdf } from "../test/support/Documents.ts"
import { textAt } from "../test/support/Json.ts"
import { type Answer, TestService, type Tenant } from "../test/support/TestService.ts"
import { days, fillYear, seeds } from "./FilledYear.ts"
import { medianOf, rateOf } from "./SideBySide.ts"

/**
 * What a year of use does to the service: lists, runs and sweeps on an empty database and on one that a year has filled,
 * the bytes that an execution leaves, and the statements that read a whole table. A few real executions with webhooks
 * are copied over a year and 51 organizations, in the database.
 *
 * `node bench/year.ts [executions, 200,000 if left out]`
 */

const size = Number(process.argv[2] ?? 200_000)
const readPage = Schema.decodeUnknownSync(ArchivePage)

/** What PostgreSQL logged, once each, without the ends of long statements. */
const entries = new Set<string>()
let unfinished = ""
const postgres = await startPostgres({
  settings: [
    "shared_preload_libraries=auto_explain",
    "auto_explain.log_nested_statements=on",
    "shared_buffers=256MB",
    "max_wal_size=4GB"
  ],
  onLog: (message) => {
    const parts = (unfinished + message).split(/^(?=\S.*LOG: )/mu)
    unfinished = parts.pop() ?? ""
    for (const part of parts)
      entries.add(part.replace(/Query Text: [^]*?(?=\n\t\S[^\n]*cost=)/u, (text) => text.slice(0, 240)))
  }
})
const service = await TestService.start({ DATABASE_URL: postgres.url, DOCFLOW_BLOBS: "database" })
/** Not over the connections of the service, whose statements have a time limit; the mark tells them apart in its log. */
const ownMark = "/* bench */"
const rows = (statement: string) => rowsOf(postgres.url, `${ownMark} ${statement}`)
const set = async (setting: string, value: number | "on"): Promise<void> => {
  await rows(`alter system set auto_explain.${setting} = ${value}`)
  await rows("select pg_reload_conf()")
}
const explain = (isOn: boolean) => set("log_min_duration", isOn ? 0 : -1)

const base64 = await pdf()
const succeeded = (answer: Answer): Answer => {
  if (answer.status >= 300) throw new Error(`answered with ${answer.status}: ${answer.text}`)
  return answer
}
const send = async ({ live }: Tenant, flow: string, extra: object = {}): Promise<Answer> => {
  const body = { wait: true, input: { document: { base64 } }, ...extra }
  return succeeded(await service.call("POST", `/flows/${flow}/run`, { key: live, body }))
}

const owner = await service.tenant({ requestsPerMinute: 10_000_000, credits: 100_000_000 })
const others = await Promise.all(Array.from({ length: 50 }, () => service.tenant({ credits: 100_000_000 })))
const webhook = {
  webhookUrl: "https://hooks.example.com/docflow/results",
  webhookSecret: "a secret of 32 letters or so on"
}
let made = 0
const seedOne = () =>
  send(owner, "greet", { ...webhook, metadata: { customer: `c-${made++ % 50}`, source: "mail" } })
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
  ["GET /runs?metadata of all", () => call("/runs?metadata.source=mail")],
  ["GET /runs?flowId, run once", () => call("/runs?flowId=half")],
  ["GET /runs?flowId, never run", () => call("/runs?flowId=never")],
  ["GET /runs?status=failed", () => call("/runs?status=failed")],
  ["GET /runs?createdBefore, months ago", () => call("/runs?createdBefore=2026-03-01")],
  ["GET /runs/{id}", () => call(`/runs/${someId}?include=artifacts`)],
  ["admin: executions", () => admin("executions")],
  ["admin: executions, page 20", () => admin("executions?offset=1000")],
  ["admin: ledger", () => admin("ledger?limit=50")],
  ["admin: ledger, all entries", () => admin("ledger")],
  ["admin: audit of an organization", () => service.admin("GET", `/audit?organizationId=${owner.id}`)],
  ["admin: audit", () => service.admin("GET", "/audit")],
  ["admin: organizations", () => service.admin("GET", "/organizations")],
  ["admin: deliveries", () => service.admin("GET", `/executions/${someId}/deliveries`)],
  ["admin: search of an id", () => admin(`executions?search=${someId}`)],
  ["admin: search of a name", () => admin("executions?search=nothing")],
  ["dashboard: usage of an organization", () => people("GET", `/usage?organizationId=${owner.id}`)],
  ["dashboard: usage of all", () => people("GET", "/usage")],
  ["admin: usage of a month", () => service.admin("GET", "/usage?month=2026-03")],
  ["dashboard: reviews", () => people("GET", `/organizations/${owner.id}/reviews`)]
]

/** What callers and people do besides, once each: only for the plans of its statements. */
const acts = async (): Promise<void> => {
  const run = await send(owner, "learner", { idempotencyKey: `act-${made++}`, ...webhook })
  const id = textAt(run.body, "id")
  const user = (method: string, path: string, body?: object) =>
    service.call(method, path, { key: owner.live, ...(body === undefined ? {} : { body }) })
  const value = { path: "/caseCode", value: "Q-1" }
  const done = [
    await user("GET", `/runs/${id}/events`),
    await user("POST", `/runs/${id}/replay`),
    await user("GET", `/runs/${id}/diff/${id}`),
    await user("GET", `/runs/${id}/pages`),
    await user("PUT", `/runs/${id}/corrections`, { ifMatch: 0, values: [value] }),
    await user("GET", `/runs/${id}/corrections`),
    await user("GET", `/runs/${id}/test-set`),
    await user("POST", "/flows/learner/backtest"),
    await people("GET", `/executions/${id}`),
    await people("POST", `/organizations/${owner.id}/reviews/next`, { body: {} }),
    await admin("keys"),
    await admin("examples"),
    await admin("examples/export"),
    await service.admin("DELETE", `/organizations/${owner.id}/examples?flowId=learner`),
    await service.admin("POST", `/organizations/${owner.id}/credits`, { amount: 1, reason: "more" }),
    await service.admin("GET", "/users"),
    await service.admin("POST", `/deliveries/dlv_${id.slice(5)}_1/redeliver`),
    await service.admin("DELETE", `/executions/${id}`)
  ]
  for (const [index, { status, text }] of done.entries())
    if (status >= 400) console.log(`act ${index} was answered with ${status}: ${text.slice(0, 200)}`)
}

const timeOf = async (ask: () => Promise<Answer>): Promise<number> => {
  const times: Array<number> = []
  for (let round = 0; round < 12; round++) {
    const begun = performance.now()
    succeeded(await ask())
    times.push(performance.now() - begun)
  }
  return medianOf(times.slice(2))
}

const measure = async (): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  for (const [, ask] of lists) times.push(await timeOf(ask))
  const rates: Array<number> = []
  for (let round = 0; round < 3; round++)
    rates.push(await rateOf(() => send(owner, "greet", { metadata: { source: "mail" } }), 300, 16))
  return [...times, medianOf(rates)]
}

/** The statements that read a table with at least a tenth of the executions from end to end. */
const readWhole = async (): Promise<ReadonlyArray<string>> => {
  const grown = await rows(
    `select relname as name from pg_class where relkind in ('r', 'i') and reltuples > ${size / 10}`
  )
  const big = new Set(grown.map((row) => textAt(row, "name")))
  const found = [...entries].flatMap((entry) => {
    if (entry.includes(ownMark)) return []
    const [, text = "", plan = ""] = /Query Text: ([^]*?)\n\t(\S[^\n]*cost=[^]*)$/u.exec(entry) ?? []
    return wholeReads(plan.split("\n"), (name) => big.has(name)).map(
      (name) => `${name}: ${text.replaceAll(/\s+/gu, " ").slice(0, 200)}`
    )
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

/** Exports a month of the middle and removes it. */
const archive = async (): Promise<void> => {
  const month = new Date(Date.now() - (days / 2) * 86_400_000).toISOString().slice(0, 7)
  const begun = performance.now()
  let removed = 0
  for (const kind of ["executions", "audit"]) {
    let after: string | undefined
    do {
      const path = `/archives/${month}/${kind}`
      const { body } = succeeded(
        await service.admin("GET", after === undefined ? path : `${path}?after=${after}`)
      )
      const page = readPage(body)
      const ids = page.rows.map(({ id }) => id)
      if (ids.length > 0) succeeded(await service.admin("POST", path, { ids }))
      removed += ids.length
      after = page.next ?? undefined
    } while (after !== undefined)
  }
  const seconds = (performance.now() - begun) / 1000
  console.log(`archived ${month}: ${removed} rows removed, ${Math.round(removed / seconds)} a second`)
}

/** The blocks that each statement of a sweep reads that finds nothing to remove. */
const idleSweep = async (): Promise<void> => {
  await sweep(days)
  entries.clear()
  await set("log_analyze", "on")
  await set("log_buffers", "on")
  await explain(true)
  await sweep(days)
  await explain(false)
  const blocks = [...entries].flatMap((entry) => {
    const [, text = "", hit = "0", read = "0"] =
      /Query Text: ([^]*?)\n\t\S[^]*?Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?/u.exec(entry) ?? []
    const used = Number(hit) + Number(read)
    return used > 100 ? [`${used}: ${text.replaceAll(/\s+/gu, " ").slice(0, 160)}`] : []
  })
  console.log("\nblocks that a sweep reads with nothing to remove, statements of more than 100")
  for (const one of blocks) console.log(`  ${one}`)
}

// The first one warms the service up.
await measure()
const empty = await measure()
const filling = performance.now()
await fillYear(
  rows,
  size,
  owner.id,
  others.map(({ id }) => id)
)
console.log(`filled with ${size} executions in ${Math.round((performance.now() - filling) / 1000)} s\n`)
await explain(true)
for (const [, ask] of lists) await ask()
await acts()
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
await sweeps()
await explain(true)
await archive()
await sweep(Math.floor(days * 0.85))
await explain(false)
const whole = await readWhole()
console.log(`\nstatements that read a whole table: ${whole.length}`)
for (const one of whole) console.log(`  ${one}`)
await rows(
  `update organizations set document_retention_hours = 0, output_retention_days = 0 where id = '${others[0]?.id}'`
)
await idleSweep()
await service.stop()
await postgres.stop()
