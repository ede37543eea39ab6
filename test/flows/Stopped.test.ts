import { spawn } from "node:child_process"
import { once } from "node:events"
import { copyFile, mkdir, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, it } from "vitest"
import { commandName } from "../../src/cli/CommandName.ts"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docflow-stopped-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

it("a command that is stopped before it is done says so, writes the tables of what is done, and ends with 130", async () => {
  const inbox = join(folder, "in")
  await mkdir(inbox)
  for (let i = 0; i < 60; i++) await copyFile("examples/invoice.pdf", join(inbox, `${i}.pdf`))
  const [csv, jsonl] = [join(folder, "all.csv"), join(folder, "all.jsonl")]
  const words = ["run", "invoice", inbox, "--json", "--csv", csv, "--jsonl", jsonl]
  const child = spawn(process.execPath, ["src/cli/Main.ts", ...words], { stdio: ["ignore", "pipe", "pipe"] })
  let [said, printed] = ["", ""]
  child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()))
  child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()))
  child.stdout.once("data", () => child.kill("SIGINT"))
  const [code]: Array<unknown> = await once(child, "close")
  expect(code).toBe(130)
  expect(said).toContain("Stopped before it was done")
  const kept = await readFile(jsonl, "utf8")
  expect(kept.startsWith(printed)).toBe(true)
  expect((await readFile(csv, "utf8")).split("\r\n").length).toBe(kept.split("\n").length + 1)
})

it("finds the command after the options that apply to all commands", () => {
  expect(commandName(["serve", "--steps", "mine.ts"])).toBe("serve")
  expect(commandName(["--log-level", "info", "serve"])).toBe("serve")
  expect(commandName(["--log-level=info", "--steps", "serve", "mcp"])).toBe("mcp")
  expect(commandName(["--help"])).toBeUndefined()
  expect(commandName([])).toBeUndefined()
})
