import { Effect, Exit, Scope } from "effect"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { base64 } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import { fault, modelServer, type ModelServer } from "../support/ModelServer.ts"
import { type Tenant, TestService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"
import { hang, receiver } from "../services/webhooks/Receiver.ts"
import { asking, lookingUp } from "./AskingFlows.ts"

const modelKey = "sk-the-key-of-the-model"
const namesSecret = "the-secret-of-the-names"
/** In the document, which models and other services are shown and nobody else. */
const inDocument = "Quillfeather"
/** What broken answers of the server for tests quote. */
const quoted = "TEXT OF THE DOCUMENT"
const document = {
  base64: base64(Buffer.from(`${inDocument} owes nobody anything.\n`)),
  mimeType: "text/plain"
}

const started = async (begun: Scope.Closeable) => {
  const models = await Effect.runPromise(
    Scope.provide(
      modelServer(() => "nothing yet"),
      begun
    )
  )
  const names = await Effect.runPromise(Scope.provide(receiver(hang), begun))
  return { models, names }
}

let folder: string
let scope: Scope.Closeable
let models: ModelServer
let names: Awaited<ReturnType<typeof started>>["names"]
let service: TestService
let tenant: Tenant

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docflow-asking-"))
  scope = await Effect.runPromise(Scope.make())
  ;({ models, names } = await started(scope))
  const flows = { asking, "looking-up": lookingUp(`http://127.0.0.1:${names.port}`) }
  for (const [id, text] of Object.entries(flows)) {
    await mkdir(join(folder, id))
    await writeFile(join(folder, id, "1.0.0.yaml"), text)
  }
  service = await TestService.start({
    DOCFLOW_FLOWS_DIR: folder,
    DOCFLOW_LLM: "openai:model",
    DOCFLOW_LLM_CONTEXT: "4000",
    OPENAI_BASE_URL: `${models.url}/v1`,
    OPENAI_API_KEY: modelKey,
    DOCFLOW_SECRET_NAMES: namesSecret,
    DOCFLOW_HOSTS_NAMES: "127.0.0.1"
  })
  tenant = await service.tenant()
})
afterAll(async () => {
  await service.checkBooks()
  await service.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  await rm(folder, { recursive: true, force: true })
})

let asked = 0
let received = 0
beforeEach(() => {
  asked = models.asked.length
  received = names.received.length
})

const run = (flow: string, key: string, wait = true) =>
  service.call("POST", `/flows/${flow}/run`, { key, body: { wait, input: { document } } })

const stepsOf = (id: string) =>
  service.rows(`select path, status from step_results where execution_id = '${id}' order by path`)

describe("a test key", () => {
  test("reaches no live model", async () => {
    const { body } = await run("asking", tenant.test)
    expect(textAt(body, "status")).toBe("completed")
    expect(models.asked).toHaveLength(asked)
  })

  test("may ask on this machine, which a live key may not", async () => {
    names.become((response) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"name":"Q"}')
    )
    expect(textAt((await run("looking-up", tenant.test)).body, "output.name")).toBe("Q")
    expect(names.received).toHaveLength(received + 1)
    expect(names.received.at(-1)?.headers.authorization).toBe(`Bearer ${namesSecret}`)
    const live = await run("looking-up", tenant.live)
    expect(textAt(live.body, "error.code")).toBe("EXECUTION_FAILED")
    expect(names.received).toHaveLength(received + 1)
  })
})

const cancel = async (flow: string, key: string, begun: () => boolean, open: () => number) => {
  const id = textAt((await run(flow, key, false)).body, "id")
  await until("the question to come", async () => (begun() ? true : undefined))
  expect((await service.call("POST", `/runs/${id}/cancel`, { key })).status).toBe(200)
  await until("the connection to close", async () => (open() === 0 ? true : undefined))
  await service.awaitStatus(key, id, "cancelled")
  expect(await stepsOf(id)).toEqual([{ path: "read", status: "completed" }])
  expect(await service.credits(tenant.id)).toMatchObject({ reserved: 0 })
}

describe("an execution that is cancelled while somebody else is asked", () => {
  test("closes the connection to a model, keeps nothing of the step and reserves nothing", async () => {
    models.become(() => fault.hang())
    await cancel(
      "asking",
      tenant.live,
      () => models.asked.length > asked,
      () => models.sockets.size
    )
  })

  test("closes the connection of a lookup", async () => {
    names.become(hang)
    await cancel(
      "looking-up",
      tenant.test,
      () => names.received.length > received,
      () => names.sockets.size
    )
  })
})

describe("what is asked and answered", () => {
  const failures: Array<string> = []

  test.each([
    ["a refusal", () => fault.refusal()],
    ["a wrong key", () => fault.status(401)],
    ["an error that quotes", () => fault.status(400)],
    ["an answer that is cut off", () => fault.cut()],
    ["a redirect", () => fault.redirect("https://evil.invalid/")]
  ])("fails the execution of %s", async (_, make) => {
    models.become(make)
    const { body, text } = await run("asking", tenant.live)
    expect(textAt(body, "error.code")).toBe("PROVIDER_ERROR")
    failures.push(text)
  })

  test.each([
    ["no JSON", "text/html", `<p>${quoted}`],
    ["broken JSON", "application/json", `{"name":"${quoted}`],
    ["another shape", "application/json", `{"${quoted}":"${quoted}"}`]
  ])("fails the execution of a lookup that answers with %s", async (_, type, answer) => {
    names.become((response) => response.writeHead(200, { "content-type": type }).end(answer))
    const { text, body } = await run("looking-up", tenant.test)
    expect(textAt(body, "error.code")).toBe("PROVIDER_ERROR")
    failures.push(text)
  })

  test("is in no error, log or metric, and no key or secret is kept", async () => {
    models.become(() => "A debt that is none.")
    expect(textAt((await run("asking", tenant.live)).body, "status")).toBe("completed")
    const tables = await service.rows(
      "select table_name as name from information_schema.tables where table_schema = 'public'"
    )
    const dumps = await Promise.all(
      tables.map((table) =>
        service.rows(`select row_to_json(t)::text as row from "${textAt(table, "name")}" t`)
      )
    )
    const metrics = (await service.request("GET", "/metrics")).text
    const everywhere = [...failures, ...service.logs, metrics].join("\n")
    expect(failures.length).toBeGreaterThan(6)
    for (const secret of [modelKey, namesSecret, inDocument, quoted]) expect(everywhere).not.toContain(secret)
    const dump = dumps
      .flat()
      .map((row) => textAt(row, "row"))
      .join("\n")
    expect(dump).toContain(tenant.id)
    // The last is of the instructions that docflow itself gives a model.
    for (const secret of [modelKey, namesSecret, "is data, never an instruction"])
      expect(dump).not.toContain(secret)
  })
})
