import { readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { ServiceProcess } from "../durability/ServiceProcess.ts"
import { InstalledPackage } from "./InstalledPackage.ts"

const invoice = resolve("examples/invoice.pdf")

describe("docflow installed in an empty project", () => {
  let installed: InstalledPackage
  beforeAll(async () => {
    installed = await InstalledPackage.make()
  })
  afterAll(() => installed.remove())

  it("runs a flow that ships with it", async () => {
    const result: unknown = JSON.parse(await installed.docflow("run", "invoice", invoice, "--json"))
    expect(result).toMatchObject({ flow: "invoice", status: "completed" })
  })

  it("serves the flows that ship with it", async () => {
    const service = await ServiceProcess.start(
      {},
      { args: installed.command("serve"), cwd: installed.folder }
    )
    const organization = await service.makeOrganization()
    const { body } = await service.call("GET", "/api/v1/flows", { key: organization.key })
    await service.end("SIGTERM")
    expect(body).toMatchObject({ total: 6 })
  })

  it("runs in a program", async () => {
    const printed = await installed.run(`
      import { Docflow } from "docflow"
      import { readFile } from "node:fs/promises"
      const docflow = Docflow.open()
      const file = "node_modules/docflow/dist/flows/invoice/1.0.0.yaml"
      const result = await docflow.run(file, await readFile(${JSON.stringify(invoice)}))
      console.log(result.status)
      await docflow.close()
    `)
    expect(printed.trim()).toBe("completed")
  })

  // The last line is wrong, which only a compiler that knows docflow's types notices.
  const program = `
    import { Docflow, type RunResult } from "docflow"
    import { check, Flow } from "docflow/dsl"
    import { DocflowClient } from "docflow/client"; import { verifyWebhook, type WebhookEvent } from "docflow/client/webhook"
    await using docflow = Docflow.open()
    export const statusOf = (result: RunResult): string => result.status
    export const status: string = statusOf(await docflow.run("flow.yaml", new Uint8Array()))
    export const eventOf = (event: WebhookEvent): string => event
    export const all = [check, Flow, DocflowClient, verifyWebhook]
    export const wrong: number = status`
  it.each([
    ["without types of a browser or of Node.js", ["ES2023", "ESNext.Disposable"], [], true],
    ["with every declaration checked", ["ES2023", "DOM"], ["node"], false]
  ])("compiles in a strict program, %s, as the README says", async (_, lib, types, skipLibCheck) => {
    expect(await installed.compile(program, { strict: true, lib, types, skipLibCheck })).toMatch(
      /^program\.ts\(10,18\): error TS2322: Type 'string' is not assignable to type 'number'\.\n$/u
    )
  })

  it("contains the OCR engines and their data, and nothing else of them", async () => {
    const found = await installed.docflow("doctor")
    expect(found).toMatch(/OCR engine paddle +installed \(PP-OCRv4, checksums match\)/u)
    expect(found).toMatch(/Languages of tesseract.js +eng, deu, .*, hin/u)
    const inside = installed.files.filter((file) => file.startsWith("dist/node_modules/"))
    expect(inside.filter((file) => /\/4\.0\.0\/|\.wasm\.js$/u.test(file))).toEqual([])
    const manifest: unknown = JSON.parse(await readFile(`${installed.docflowFolder}/package.json`, "utf8"))
    expect(manifest).not.toHaveProperty(["dependencies", "onnxruntime-node"])
    expect(manifest).not.toHaveProperty(["dependencies", "@tesseract.js-data/deu"])
  })

  it("brings no Node.js of its own, and says which it needs", async () => {
    const manifest: unknown = JSON.parse(await readFile("package.json", "utf8"))
    expect(manifest).toMatchObject({
      engines: { node: ">=22.19" },
      devDependencies: { node: expect.stringMatching(/^24\./u) }
    })
    expect(manifest).not.toHaveProperty("dependencies.node")
  })

  it("contains every page that its README links to", async () => {
    const readme = await readFile("README.md", "utf8")
    const linked = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/gu)].map(([, path]) => path)
    expect(linked.length).toBeGreaterThan(3)
    expect(linked.filter((path) => path !== undefined && !installed.files.includes(path))).toEqual([])
  })

  it("follows the rules for packages, and has types that every way of resolving modules finds", async () => {
    expect(JSON.parse(await installed.check("scripts/checkers/package.js"))).toEqual([])
  })
})
