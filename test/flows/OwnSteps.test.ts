import { spawn } from "node:child_process"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runHere } from "../support/CommandLine.ts"
import { placeEmptyStore } from "../support/EmptyStore.ts"

const plugin = "test/fixtures/plugins/Shout.ts"
const flow = (text: string) => `docflow: 1
id: loud
version: 1.0.0
name: Loud
document: { formats: [application/pdf] }
steps: [{ id: a, uses: shout, with: { text: "\${{ ${text} }}" } }]
output: { value: { said: "\${{ steps.a.text }}" } }
`
let folder: string

const docflow = (...words: ReadonlyArray<string>) => runHere({}, ...words)
const write = async (name: string, text: string) => {
  const file = join(folder, name)
  await mkdir(join(file, ".."), { recursive: true })
  await writeFile(file, text)
  return file
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docflow-own-steps-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("--steps", () => {
  it("lets flows use them, typed", async () => {
    const file = await write("flows/loud/1.0.0.yaml", flow("input.document.mimeType"))
    expect((await docflow("check", file)).out).toContain('Unknown step kind "shout"')
    expect((await docflow("check", "--steps", plugin, file)).out).toContain("has no problems")
    expect((await docflow("--steps", plugin, "graph", file)).out).toContain("shout")
    const wrong = await write("wrong.yaml", flow("input.document.size"))
    expect((await docflow("check", "--steps", plugin, wrong)).out).toContain(
      "Expected a string, found an integer"
    )
    const run = await docflow("run", "--steps", plugin, file, "examples/invoice.pdf", "--json")
    expect(JSON.parse(run.out)).toMatchObject({ status: "completed", output: { said: "APPLICATION/PDF" } })
  })

  it("lists them in the reference and in the schema for editors", async () => {
    const reference = await docflow("reference", "--steps", plugin)
    expect(reference.out).toContain("### shout\n\nWrites a text in capitals.")
    expect(reference.out).toContain("- `text` (string, required): What is shouted.")
    const { out } = await docflow("reference", "--schema", "--steps", plugin)
    expect(JSON.parse(out).$defs.Step.properties.uses.oneOf).toContainEqual({
      const: "shout",
      description: "Writes a text in capitals."
    })
  })

  it.each([
    ["no-module.ts", undefined, "cannot be read: it does not exist"],
    ["broken.ts", "export const steps = [", "cannot be loaded"],
    ["nothing.ts", "export const other = 1", "does not export an array `steps`"],
    ["no-kind.ts", "export const steps = [{ name: 'a' }]", "steps[0] was not made by StepKind.make"]
  ])("says what is wrong with %s", async (name, text, message) => {
    const file = text === undefined ? join(folder, name) : await write(name, text)
    const { code, error } = await docflow("reference", "--steps", file)
    expect({ code, error }).toEqual({ code: 1, error: expect.stringContaining(message) })
  })

  it("refuses a name that is taken", async () => {
    const copy = `import { steps as shouts } from ${JSON.stringify(join(process.cwd(), plugin))}\n`
    const parse = await write("parse.ts", `${copy}export const steps = [{ ...shouts[0], name: "parse" }]`)
    expect((await docflow("reference", "--steps", parse)).error).toContain(
      'The step kind "parse" is built in'
    )
    const twice = await write("twice.ts", `${copy}export const steps = [...shouts, ...shouts]`)
    expect((await docflow("reference", "--steps", twice)).error).toContain('Duplicate step kind "shout"')
  })

  it("serves flows that use them, and stops as a service with options before its name", async () => {
    await write("flows/loud/1.0.0.yaml", flow("input.document.mimeType"))
    await placeEmptyStore(join(folder, "data/database"))
    const env = {
      ...process.env,
      DOCFLOW_PORT: "0",
      DOCFLOW_DATA_DIR: join(folder, "data"),
      DOCFLOW_FLOWS_DIR: join(folder, "flows")
    }
    const words = ["--log-level", "info", "--steps", plugin, "serve"]
    const service = spawn(process.execPath, ["src/cli/Main.ts", ...words], { env })
    const ended = new Promise((resolve) => service.once("close", resolve))
    let said = ""
    const ready = new Promise<void>((resolve, reject) => {
      service.stdout.on("data", (chunk: Buffer) => {
        said += chunk.toString()
        if (/ready on[^]*\ncurl [^\n]*\n/u.test(said)) resolve()
      })
      service.once("close", () => reject(new Error(`it did not start: ${said}`)))
    })
    await ready
    const address = /ready on (\S+)/u.exec(said)?.[1]
    const key = /live key\s+(\S+)/u.exec(said)?.[1]
    const response = await fetch(`${address}/flows/loud`, { headers: { Authorization: `Bearer ${key}` } })
    expect(await response.json()).toMatchObject({ id: "loud", version: "1.0.0" })
    // The flow invoice, which the first start proposes otherwise, is not served here.
    expect(said).toContain(`curl -s ${address}/flows/loud/run`)
    service.kill("SIGTERM")
    expect(await ended).toBe(0)
  })
})
