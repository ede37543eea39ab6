import { spawn } from "node:child_process"
import { once } from "node:events"
import { copyFile, mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docflow-stopped-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it("a command that is stopped before it is done says so, and ends with 130", async () => {
  for (let i = 0; i < 60; i++) await copyFile("examples/invoice.pdf", join(folder, `${i}.pdf`))
  const child = spawn(process.execPath, ["src/cli/Main.ts", "run", "invoice", folder, "--json"], {
    stdio: ["ignore", "pipe", "pipe"]
  })
  let said = ""
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()))
  child.stdout.once("data", () => child.kill("SIGINT"))
  const [code]: Array<unknown> = await once(child, "close")
  expect(code).toBe(130)
  expect(said).toContain("Stopped before it was done")
})
