import { execFile, spawnSync } from "node:child_process"
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { typeNameOf, typeText } from "../../src/cli/OutputTypes.ts"
import { inBrowserSuite } from "./InBrowserSuite.ts"

const execute = promisify(execFile)

describe("the package of the client", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docflow-client-"))
    const tsc = resolve("node_modules/typescript/bin/tsc")
    await execute(process.execPath, [tsc, "-p", "clients/typescript", "--outDir", join(folder, "dist")])
    await cp("clients/typescript/package.json", join(folder, "package.json"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const files = async () => {
    const names = (await readdir(join(folder, "dist"))).filter((name) => /\.(?:js|d\.ts)$/u.test(name))
    return Promise.all(
      names.map(async (name) => [name, await readFile(join(folder, "dist", name), "utf8")] as const)
    )
  }

  it("has less than 60 KB, and imports nothing but itself; only webhooks need Node.js", async () => {
    const all = await files()
    expect(all.reduce((sum, [, text]) => sum + Buffer.byteLength(text), 0)).toBeLessThan(60_000)
    const foreign = all.flatMap(([name, text]) =>
      [...text.matchAll(/^(?:import|export)\b.* from "([^."][^"]*)"/gmu)].map(
        ([, module]) => `${name}: ${module}`
      )
    )
    expect([...new Set(foreign)]).toEqual(["VerifyWebhook.js: node:crypto"])
  })

  it("runs, by the names that its package.json exports", () => {
    const program = `import { DocflowClient, documentOf } from "@docflow/client"
      import { verifyWebhook } from "@docflow/client/webhook"
      console.log(documentOf(new Uint8Array([104, 105])).base64, typeof verifyWebhook, new DocflowClient({ apiKey: "k" }) instanceof DocflowClient)`
    const ran = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      cwd: folder,
      encoding: "utf8"
    })
    expect(ran).toMatchObject({ stderr: "", stdout: "aGk= function true\n" })
  })

  inBrowserSuite(() => folder)
})

describe("the type of a flow's output", () => {
  it("is that of its schema", () => {
    expect(typeNameOf("mail-room")).toBe("MailRoomOutput")
    const schema = {
      type: "object",
      required: ["kind", "lines"],
      properties: {
        kind: { enum: ["a", "b"], description: "The kind." },
        total: { type: ["number", "null"] },
        lines: { type: "array", items: { type: "object", properties: { "sku-no": { type: "string" } } } },
        any: {},
        choice: { anyOf: [{ const: 1 }, { type: "boolean" }] }
      }
    }
    expect(typeText(schema)).toBe(`{
  /** The kind. */
  readonly kind: "a" | "b"
  readonly total?: number | null
  readonly lines: ReadonlyArray<{
    readonly "sku-no"?: string
  }>
  readonly any?: unknown
  readonly choice?: 1 | boolean
}`)
  })
})
