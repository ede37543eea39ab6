import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, readFile, rename, rm, symlink, unlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runOf } from "../support/Documents.ts"
import { textAt } from "../support/Json.ts"
import { type Tenant, TestService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

const flow = (id: string, version: string, said = "hello", rest = "") => `docflow: 1
id: ${id}
version: ${version}
name: ${id}
document: { formats: [application/pdf] }
${rest}steps:
  - { id: say, uses: transform, with: { value: ${said} } }
output: { value: { said: "\${{ steps.say }}" } }
`

const waiting = (version: string) => `docflow: 1
id: slow
version: ${version}
name: slow
document: { formats: [application/pdf] }
steps:
  - { id: wait, uses: hold, with: { gate: g } }
output: { value: { version: "${version}" } }
`

describe("the flows folder", () => {
  let folder: string
  let service: TestService
  let tenant: Tenant

  const write = async (id: string, version: string, text: string) => {
    await mkdir(join(folder, id), { recursive: true })
    await writeFile(join(folder, id, `${version}.yaml`), text)
  }
  const answer = (id: string, version?: string) =>
    service.call("GET", `/flows/${id}${version === undefined ? "" : `?version=${version}`}`, {
      key: tenant.live
    })
  const serves = (id: string, version: string) =>
    until(`${id} ${version} to be served`, async () => {
      const { body, status } = await answer(id, version)
      return status === 200 && textAt(body, "version") === version ? true : undefined
    })
  const said = (text: string) =>
    until(`the log to say ${text}`, async () => service.logs.find((line) => line.includes(text)))

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docflow-flows-"))
    await write("first", "1.0.0", flow("first", "1.0.0"))
    service = await TestService.start({ DOCFLOW_FLOWS_DIR: folder })
    tenant = await service.tenant()
  })
  afterAll(async () => {
    await service.checkBooks()
    await service.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it("serves a new file", async () => {
    await write("second", "1.0.0", flow("second", "1.0.0"))
    await serves("second", "1.0.0")
  })

  it("takes a new version, written the way editors write", async () => {
    const temporary = join(folder, "first", ".2.0.0.yaml.tmp")
    await writeFile(temporary, flow("first", "2.0.0"))
    await writeFile(join(folder, "first", ".#2.0.0.yaml"), "lock")
    await rename(temporary, join(folder, "first", "2.0.0.yaml"))
    await serves("first", "2.0.0")
    expect(textAt((await answer("first")).body, "version")).toBe("2.0.0")
  })

  it("reports a broken file, line by line, and goes on with what was served", async () => {
    await write("first", "2.0.0", flow("first", "2.0.0").replace("steps.say", "steps.sya"))
    await write("broken", "1.0.0", "docflow: 1\nid: [\n")
    await said("Did you mean")
    expect(service.logs.find((line) => line.includes("sya"))).toContain("2.0.0.yaml:8:")
    expect((await answer("first", "2.0.0")).status).toBe(200)
    expect((await answer("second")).status).toBe(200)
    expect((await answer("broken")).status).toBe(404)
    await write("broken", "1.0.0", flow("broken", "1.0.0"))
    await serves("broken", "1.0.0")
  })

  it("keeps a published version as it was published", async () => {
    await write("second", "1.0.0", flow("second", "1.0.0", "changed"))
    await said(
      "with different content, and a published version never changes. The published content is served"
    )
    const run = await service.call("POST", "/flows/second/run", {
      key: tenant.live,
      body: await runOf({ wait: true })
    })
    expect(run.body).toMatchObject({ status: "completed", output: { said: "hello" } })
  })

  it("knows a version again that an older docflow published under another hash", async () => {
    await service.rows("update flow_versions set hash = 'older' where flow_id = 'broken'")
    await write("broken", "1.0.0", `${flow("broken", "1.0.0")}# the same\n`)
    await said("read again")
    await write("after", "1.0.0", flow("after", "1.0.0"))
    await serves("after", "1.0.0")
    expect(service.logs.filter((line) => line.includes("Version 1.0.0 of broken"))).toEqual([])
    expect((await answer("broken")).status).toBe(200)
  })

  it("says that a published version is not served once its content is no longer valid", async () => {
    await write("older", "1.0.0", flow("older", "1.0.0"))
    await serves("older", "1.0.0")
    const source = flow("older", "1.0.0").replace("steps.say", "steps.sya").replaceAll("'", "''")
    await service.rows(
      `update flow_versions set hash = 'older', source = '${source}' where flow_id = 'older'`
    )
    await write("older", "1.0.0", flow("older", "1.0.0", "changed"))
    await said("The published content is no longer valid, so this version is not served.")
    expect((await answer("older")).status).toBe(404)
  })

  it("serves what was published before, and says what of it is no longer valid", async () => {
    const valid = flow("restored", "1.0.0")
    const faulty = flow("restored", "1.1.0").replace("steps.say", "steps.sya")
    for (const [version, text] of Object.entries({ "1.0.0": valid, "1.1.0": faulty })) {
      await service.rows(
        `insert into flow_versions (flow_id, version, hash, name, description, source)
         values ('restored', '${version}', 'earlier', 'restored', '', '${text}')`
      )
      await write("restored", version, text)
    }
    await serves("restored", "1.0.0")
    expect(await said("restored/1.1.0.yaml:8:")).toContain("sya")
    const { body } = await service.call("GET", "/flows?limit=100", { key: tenant.live })
    expect(JSON.stringify(body)).toMatch(/"id":"restored"[^}]*"version":"1\.0\.0"/u)
    expect(textAt((await answer("restored")).body, "version")).toBe("1.0.0")
    expect((await answer("restored", "1.1.0")).status).toBe(404)
  })

  it("forgets a deleted file; what runs goes on with its version", async () => {
    await write("slow", "1.0.0", waiting("1.0.0"))
    await serves("slow", "1.0.0")
    const started = await service.call("POST", "/flows/slow/run", {
      key: tenant.live,
      body: await runOf()
    })
    const id = textAt(started.body, "id")
    await until("the execution to wait", async () => (service.gates.waitingAt("g") > 0 ? true : undefined))
    await write("slow", "1.1.0", waiting("1.1.0"))
    await serves("slow", "1.1.0")
    await unlink(join(folder, "slow", "1.0.0.yaml"))
    await until("1.0.0 to be gone", async () =>
      (await answer("slow", "1.0.0")).status === 404 ? true : undefined
    )
    service.gates.open("g")
    expect(await service.awaitStatus(tenant.live, id, "completed")).toMatchObject({
      version: "1.0.0",
      output: { version: "1.0.0" }
    })
  })

  it("skips what is not a file, and says so", async () => {
    for (const name of ["pipe", "loop", "device"]) await mkdir(join(folder, name))
    execFileSync("mkfifo", [join(folder, "pipe/1.0.0.yaml")])
    await symlink(join(folder, "loop/1.0.0.yaml"), join(folder, "loop/1.0.0.yaml"))
    await symlink("/dev/zero", join(folder, "device/1.0.0.yaml"))
    await symlink(folder, join(folder, "device/folder"))
    for (const reason of ["it is a named pipe", "its links lead in a circle", "it is a device"])
      await said(`1.0.0.yaml is skipped: ${reason}`)
  })

  it("takes many files at once", async () => {
    const ids = Array.from({ length: 12 }, (_, index) => `many${index}`)
    await Promise.all(ids.map((id) => write(id, "1.0.0", flow(id, "1.0.0"))))
    for (const id of ids) await serves(id, "1.0.0")
    expect(await readFile(join(folder, "many0/1.0.0.yaml"), "utf8")).toContain("many0")
  })
})
