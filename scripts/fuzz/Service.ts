import { UndefinedOr } from "effect"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ServiceProcess } from "../../test/durability/ServiceProcess.ts"
import { listAt, textAt } from "../../test/support/Json.ts"
import { placeEmptyStore } from "../../test/support/EmptyStore.ts"
import { testFlows } from "../../test/support/TestFlows.ts"
import { until } from "../../test/support/Until.ts"
import { password, pdf } from "./Hints.ts"
import { Known } from "./Known.ts"
import type { callers } from "./Requests.ts"
import { allScopes, type Scope } from "../../src/domain/ApiKey.ts"
import { defined } from "../../src/support/Defined.ts"

const adminToken = "the-admin-token-of-the-fuzzer"
const testKinds = new Set(["hold", "boom"])

/** A service to be fuzzed, in a process of its own. */
export interface FuzzedService extends AsyncDisposable {
  readonly address: string
  readonly known: Known
  /** The credential of a caller for the API or the administration API; undefined for none. */
  readonly credential: (caller: (typeof callers)[number], isAdmin: boolean) => string | undefined
  /** Log lines of requests that died. */
  readonly defects: () => ReadonlyArray<string>
  /** What `/openapi.json` serves. */
  readonly openApi: unknown
}

/** Starts the service with flows that end at once, organizations and keys of every kind. */
export const startService = async (): Promise<FuzzedService> => {
  const folder = await mkdtemp(join(tmpdir(), "docflow-fuzz-"))
  const known = new Known()
  for (const flow of testFlows.filter(({ steps }) => steps.every(({ uses }) => !testKinds.has(uses ?? "")))) {
    await mkdir(join(folder, "flows", flow.id), { recursive: true })
    await writeFile(join(folder, "flows", flow.id, `${flow.version}.yaml`), JSON.stringify(flow))
    known.add("flows", flow.id)
  }
  await placeEmptyStore(join(folder, "data/database"))
  const service = await ServiceProcess.start({
    DOCFLOW_DATA_DIR: join(folder, "data"),
    DOCFLOW_FLOWS_DIR: join(folder, "flows"),
    DOCFLOW_ADMIN_TOKEN: adminToken,
    DOCFLOW_TRUSTED_PROXIES: "127.0.0.1"
  })
  const admin = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${service.address}/api/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      ...defined({ body: UndefinedOr.map(body, (value) => JSON.stringify(value)) })
    })
    return answer.json()
  }
  const organization = async () => {
    const made = await admin("POST", "/organizations", {
      name: "fuzz",
      plan: "enterprise",
      credits: 1e9,
      requestsPerMinute: 1e9,
      concurrentExecutions: 1e9
    })
    return textAt(made, "id")
  }
  const key = (id: string, environment = "live", some: ReadonlyArray<Scope> = allScopes) =>
    admin("POST", `/organizations/${id}/keys`, { name: "fuzz", environment, scopes: some })
  const [own, other] = [await organization(), await organization()]
  const keys = {
    good: await key(own),
    test: await key(own, "test"),
    foreign: await key(other),
    limited: await key(own, "live", ["executions:cancel"]),
    revoked: await key(own)
  }
  await admin("DELETE", `/keys/${textAt(keys.revoked, "id")}`)
  known.keep(own, other, ...Object.values(keys).map((made) => textAt(made, "id")))

  const user = (name: string) => admin("POST", "/users", { name, role: "viewer", password })
  known.keep(textAt(await user("fuzzer"), "id"))
  known.learn(await user("changed"))

  const call = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    const answer = await fetch(`${service.address}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${textAt(keys.good, "key")}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    return answer.json()
  }
  const input = { document: { base64: pdf } }
  const completed = async (flow: string, rest: object = {}): Promise<unknown> => {
    const id = textAt(await call("POST", `/flows/${flow}/run`, { ...rest, input }), "id")
    return until(`the end of ${flow}`, async () => {
      const execution = await call("GET", `/runs/${id}`)
      return textAt(execution, "status") === "completed" ? execution : undefined
    })
  }
  const execution = await completed("greet", { webhookUrl: "https://receiver.invalid/hook" })
  known.learn(execution)
  const corrected = textAt(await completed("learner"), "id")
  await call("PUT", `/runs/${corrected}/corrections`, {
    ifMatch: 0,
    values: [{ path: "/caseCode", value: "KX 7" }]
  })
  known.add("corrected", corrected)
  known.keep(corrected)
  const executionId = textAt(execution, "id")
  known.learn(
    await until("a delivery", async () => {
      const found = await admin("GET", `/executions/${executionId}/deliveries`)
      return listAt(found, "deliveries").length === 0 ? undefined : found
    })
  )

  const taught = Array.from({ length: 100 }, (_, index) => ({
    flowId: "greet",
    step: "fields",
    environment: "live",
    createdAt: "2026-11-20T09:30:00.000Z",
    words: [{ text: `word${index}`, x: index, y: 0 }],
    fields: {}
  }))
  await admin("POST", `/organizations/${own}/examples/import`, { examples: taught })
  const examples = listAt(await admin("GET", `/organizations/${own}/examples?limit=100`), "examples")
  for (const example of examples) known.add("examples", textAt(example, "id"))

  const credential: FuzzedService["credential"] = (caller, isAdmin) => {
    if (caller === "none") return undefined
    if (caller === "wrong") return "wrong"
    if (caller === "unknown") return isAdmin ? textAt(keys.good, "key") : adminToken
    if (isAdmin) return caller === "good" ? adminToken : `${caller}-token-of-nobody`
    return textAt(keys[caller], "key")
  }
  const openApi: unknown = await (await fetch(`${service.address}/openapi.json`)).json()
  return {
    address: service.address,
    known,
    credential,
    openApi,
    defects: () => service.logs.split("\n").filter((line) => line.includes("A request died")),
    [Symbol.asyncDispose]: async () => {
      await service.end("SIGTERM")
      await rm(folder, { recursive: true, force: true })
    }
  }
}
