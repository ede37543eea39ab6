import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pdf } from "../support/Documents.ts"
import { type Proxy, startProxy } from "../support/Proxy.ts"
import { until } from "../support/Until.ts"
import { type Postgres, startPostgres } from "./Postgres.ts"
import { lockTables, rowsOf } from "./Rows.ts"
import { adminTokenOfProcess, ServiceProcess, type Tenant } from "./ServiceProcess.ts"

const twoSteps = `
docflow: 1
id: two
version: 1.0.0
name: Two steps
document: { formats: [application/pdf] }
credits: { perPage: 1 }
steps:
  - { id: one, uses: transform, with: { value: 1 } }
  - { id: two, uses: transform, with: { value: "\${{ steps.one + 1 }}" } }
output: { value: { it: "\${{ steps.two }}" } }
`

/** The statements in the server's log, in order, those that begin and end transactions included. */
const statementsOf = (log: string): ReadonlyArray<string> =>
  log
    .split(/^(?=.*(?:LOG|DETAIL|ERROR|STATEMENT|HINT): )/mu)
    .flatMap((entry) => /LOG: +(?:statement|execute [^:]+): ([^]*)$/u.exec(entry)?.[1] ?? [])
    .map((statement) => statement.replaceAll(/\s+/gu, " ").trim())

describe("the statements of an execution of two steps", () => {
  let folder = ""
  let base64 = ""
  let log = ""
  let postgres: Postgres | undefined
  let proxy: Proxy | undefined
  let started: ServiceProcess | undefined

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docflow-statements-"))
    await mkdir(join(folder, "flows/two"), { recursive: true })
    await writeFile(join(folder, "flows/two/1.0.0.yaml"), twoSteps)
    base64 = await pdf()
    postgres = await startPostgres({
      settings: ["log_statement=all", "log_parameter_max_length=100"],
      onLog: (message) => {
        log += message
      }
    })
    const url = new URL(postgres.url)
    proxy = await startProxy(Number(url.port))
    url.port = String(proxy.port)
    started = await ServiceProcess.start({
      DATABASE_URL: url.href,
      DOCFLOW_DATA_DIR: join(folder, "data"),
      DOCFLOW_FLOWS_DIR: join(folder, "flows"),
      DOCFLOW_READERS: "1"
    })
  })

  afterAll(async () => {
    await started?.end("SIGKILL")
    await proxy?.close()
    await postgres?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  const service = (): ServiceProcess => {
    if (started === undefined) throw new Error("the service did not start")
    return started
  }

  const run = async ({ key }: Tenant) => {
    const { body } = await service().call("POST", "/api/v1/flows/two/run", {
      key,
      body: { wait: true, input: { document: { base64 } } }
    })
    assert.strictEqual(body.status, "completed")
  }

  /** Everything that the server has logged up to now. */
  const logUpToNow = async (mark: string): Promise<string> => {
    await service().call("GET", `/api/admin/v1/organizations/${mark}`)
    return until(`${mark} in the log`, async () => (log.includes(mark) ? log : undefined))
  }

  it("are at most 8, with a key that is looked up for the first time", async () => {
    const tenants = await Promise.all(Array.from({ length: 20 }, () => service().makeOrganization()))
    const before = statementsOf(await logUpToNow("mark-before")).length
    for (const tenant of tenants) await run(tenant)
    const sent = statementsOf(await logUpToNow("mark-after")).slice(before)
    const counts = new Map<string, number>()
    for (const statement of sent) counts.set(statement, (counts.get(statement) ?? 0) + 1)
    // What the service asks for from time to time comes less often than once a run.
    const perRun = [...counts].flatMap(([statement, count]) =>
      Array.from({ length: Math.floor(count / tenants.length) }, () => statement)
    )
    assert.isTrue(perRun.some((statement) => statement.includes("apply_writes")))
    assert.isAtMost(perRun.length, 8, perRun.join("\n"))
  })

  it("compress outputs with LZ4 if the server has it, and as before if not", async () => {
    const found = await rowsOf(
      postgres?.url ?? "",
      `select attstorage = 'x' as compressed, (attcompression = 'l') = ('lz4' = any (enumvals)) as as_it_can
       from pg_attribute, pg_settings
       where attrelid in ('step_results'::regclass, 'executions'::regclass) and attname = 'output'
         and name = 'default_toast_compression'`
    )
    const best = { compressed: true, as_it_can: true }
    assert.deepStrictEqual(found, [best, best])
  })

  /** Status, method and path of a request; `0` if it is not answered in time. */
  const send = async (method: string, path: string, authorization: string, body?: unknown) => {
    const response = await fetch(service().address + path, {
      method,
      headers: { authorization: `Bearer ${authorization}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(15_000)
    }).catch(() => undefined)
    await response?.body?.cancel()
    return `${response?.status ?? 0} ${method} ${path}`
  }

  /** What the service answers to a request of each kind. */
  const answers = ({ key, organizationId }: Tenant) => {
    const input = { document: { base64 } }
    return Promise.all([
      send("POST", "/api/v1/flows/two/run", key, { input }),
      send("GET", "/api/v1/runs", key),
      send("GET", "/api/v1/runs/exe_01ARZ3NDEKTSV4RRFFQ69G5FAV", key),
      send("GET", "/api/admin/v1/organizations", adminTokenOfProcess),
      send("GET", `/api/admin/v1/organizations/${organizationId}/executions`, adminTokenOfProcess)
    ])
  }
  const health = async (): Promise<unknown> =>
    fetch(`${service().address}/health/ready`, { signal: AbortSignal.timeout(5_000) })
      .then((response) => response.json())
      .catch(String)
  const isReady = async () => (JSON.stringify(await health()).includes('"ready"') ? true : undefined)

  it("fail in time while tables are locked, and the health says so", async () => {
    const tenant = await service().makeOrganization()
    await run(tenant)
    const unlock = await lockTables(postgres?.url ?? "", "executions, organizations", "access exclusive")
    const given = await answers(tenant)
    assert.deepStrictEqual(await health(), { status: "not ready", reason: "the database does not answer" })
    await unlock()
    assert.deepStrictEqual(
      given.filter((answer) => !answer.startsWith("503")),
      []
    )
    await until("the service to be ready", isReady)
    await run(tenant)
  })

  it("of readers that take too long take no connection from runs, and do not make the process not ready", async () => {
    const [tenant, slow] = await Promise.all([service().makeOrganization(), service().makeOrganization()])
    const key = await service().call("POST", `/api/admin/v1/organizations/${tenant.organizationId}/keys`, {
      body: { name: "free", environment: "test", scopes: ["flows:execute"] }
    })
    const unlock = await lockTables(postgres?.url ?? "", "ledger", "access exclusive")
    const ledger = `/api/admin/v1/organizations/${slow.organizationId}/ledger`
    const reading = Promise.all(Array.from({ length: 30 }, () => send("GET", ledger, adminTokenOfProcess)))
    await until("two to be read", async () => {
      const locks = await rowsOf(postgres?.url ?? "", "select 1 from pg_locks where not granted")
      return locks.length === 2 || undefined
    })
    // A run that costs nothing writes nothing to the ledger.
    await run({ ...tenant, key: key.body.key })
    assert.deepStrictEqual(new Set(await reading), new Set([`503 GET ${ledger}`]))
    assert.strictEqual(await isReady(), true)
    await unlock()
  })

  it("fail in time over connections that have fallen silent, which are replaced", async () => {
    const tenant = await service().makeOrganization()
    await Promise.all(Array.from({ length: 8 }, () => run(tenant)))
    proxy?.fallSilent(false)
    const given = await answers(tenant)
    assert.deepStrictEqual(
      given.filter((answer) => answer.startsWith("0")),
      []
    )
    await until("the service to be ready", isReady)
    await run(tenant)
    // The connection that listens is replaced as well.
    await until("the signals to break off", async () => service().logs.includes("fell silent") || undefined)
  })
})
