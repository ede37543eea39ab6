import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docflow-first-start-"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const listening = async (): Promise<{ readonly server: Server; readonly port: number }> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return { server, port: typeof address === "object" && address !== null ? address.port : 0 }
}

/** Starts the service on a port, and stops it once it has said what it says; everything that it printed. */
const printedOn = async (port: number, last: string): Promise<string> => {
  const child = spawn(process.execPath, ["src/main.ts"], {
    env: { ...process.env, DOCFLOW_PORT: String(port), DOCFLOW_DATA_DIR: folder },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let printed = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes(last)) child.kill("SIGTERM")
    })
  await once(child, "close")
  return printed
}

const asked = async (flag: string) => {
  const child = spawn(process.execPath, ["src/main.ts", flag], {
    env: { ...process.env, DOCFLOW_PORT: "0", DOCFLOW_DATA_DIR: join(folder, "none") },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let printed = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes("docflow is ready")) child.kill("SIGTERM")
    })
  const [code] = await once(child, "close")
  return { code, printed }
}

describe("npm start", () => {
  it("takes the flags of `docflow serve`", async () => {
    const help = await asked("--help")
    expect(help).toMatchObject({ code: 0, printed: expect.stringContaining("DOCFLOW_PORT") })
    expect(help.printed).not.toContain("docflow is ready")
  })
})

describe("the first start", () => {
  it("shows its keys although a start before it failed, because another program listened on its port", async () => {
    const { port, server } = await listening()
    expect(await printedOn(port, "EADDRINUSE")).not.toContain("live key")
    server.close()
    await once(server, "close")
    const printed = await printedOn(port, "curl -s")
    expect(printed).toMatch(/live key {2}\S{20,}/u)
    expect(printed).toContain("/dashboard#")
    expect(await printedOn(port, "docflow is ready")).not.toContain("live key")
  })
})
