import { mkdir, mkdtemp, rm, unlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runOf } from "../support/Documents.ts"
import { at, namesOf, textAt } from "../support/Json.ts"
import { type Tenant, TestService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

const head = (id: string, version: string, perPage: number) =>
  `docflow: 1\nid: ${id}\nversion: ${version}\nname: ${id}\ndocument: { formats: [application/pdf] }\ncredits: { perPage: ${perPage} }\n`
const inner = (version: string, perPage = 7) =>
  `${head("inner", version, perPage)}steps:\n  - { id: say, uses: transform, with: { value: "inner ${version}" } }\noutput: { value: { said: "\${{ steps.say }}" } }\n`
const outer = (version: string, range = "^1.0.0") =>
  `${head("outer", version, 1)}steps:
  - { id: wait, uses: hold, with: { gate: g } }
  - { id: call, uses: flow, with: { flow: inner, version: "${range}", document: "\${{ input.document }}" } }
output: { value: { said: "\${{ steps.call.said }}" } }
`

describe("flows that run flows", () => {
  let folder: string
  let service: TestService
  let tenant: Tenant

  const write = async (id: string, version: string, text: string) => {
    await mkdir(join(folder, id), { recursive: true })
    await writeFile(join(folder, id, `${version}.yaml`), text)
  }
  const status = async (id: string, version: string) =>
    (await service.call("GET", `/flows/${id}?version=${version}`, { key: tenant.live })).status
  const becomes = (id: string, version: string, wanted: number) =>
    until(`${id} ${version} to be answered ${wanted}`, async () =>
      (await status(id, version)) === wanted ? true : undefined
    )
  const said = (text: string) =>
    until(`the log to say ${text}`, async () => service.logs.find((line) => line.includes(text)))
  const run = async (version: string) => {
    const body = await runOf({ wait: true, version })
    return (await service.call("POST", "/flows/outer/run", { key: tenant.live, body })).body
  }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docflow-calls-"))
    await write("outer", "1.0.0", outer("1.0.0"))
    service = await TestService.start({ DOCFLOW_FLOWS_DIR: folder })
    tenant = await service.tenant()
  })
  afterAll(async () => {
    await service.checkBooks()
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it("are served once the flows that they run are there, and are whole", async () => {
    await said("Unknown flow")
    expect(await status("outer", "1.0.0")).toBe(404)
    await write("inner", "1.0.0", inner("1.0.0").replace("steps.say", "steps.sya"))
    await said("The flow inner 1.0.0 has problems")
    expect(await status("outer", "1.0.0")).toBe(404)
    await write("inner", "1.0.0", inner("1.0.0"))
    await becomes("outer", "1.0.0", 200)
  })

  it("keep the versions with which they were published, those that run and those that start later", async () => {
    const started = await service.call("POST", "/flows/outer/run", { key: tenant.live, body: await runOf() })
    const id = textAt(started.body, "id")
    await until("the execution to wait", async () => (service.gates.waitingAt("g") > 0 ? true : undefined))
    await write("inner", "1.1.0", inner("1.1.0"))
    await write("outer", "1.0.1", outer("1.0.1"))
    await becomes("outer", "1.0.1", 200)
    await unlink(join(folder, "inner", "1.0.0.yaml"))
    await becomes("inner", "1.0.0", 404)
    service.gates.openAll()
    expect(await service.awaitStatus(tenant.live, id, "completed")).toMatchObject({
      output: { said: "inner 1.0.0" }
    })
    expect(await run("1.0.0")).toMatchObject({ status: "completed", output: { said: "inner 1.0.0" } })
    expect(await run("1.0.1")).toMatchObject({ status: "completed", output: { said: "inner 1.1.0" } })
  })

  it("are charged for as themselves, and show the steps inside", async () => {
    const body = await run("1.0.1")
    expect(body).toMatchObject({ metrics: { pageCount: 1, creditsUsed: 1 } })
    const path = `/runs/${textAt(body, "id")}?include=artifacts`
    const { body: whole } = await service.call("GET", path, { key: tenant.live })
    expect(namesOf(at(whole, "artifacts"))).toEqual(expect.arrayContaining(["wait", "call", "call.say"]))
  })

  it("are replayed without running the flow inside again, unless it is another version", async () => {
    const id = textAt(await run("1.0.0"), "id")
    const replay = async (version: string) =>
      (
        await service.call("POST", `/runs/${id}/replay`, {
          key: tenant.live,
          body: { version, wait: true, timeout: 60_000 }
        })
      ).body
    const same = textAt(await replay("1.0.0"), "id")
    expect(await service.awaitStatus(tenant.live, same, "completed")).toMatchObject({
      reusedSteps: ["wait", "call"],
      output: { said: "inner 1.0.0" }
    })
    const other = textAt(await replay("1.0.1"), "id")
    expect(await service.awaitStatus(tenant.live, other, "completed")).toMatchObject({
      reusedSteps: ["wait"],
      output: { said: "inner 1.1.0" }
    })
  })
})
