import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { defined } from "../../src/support/Defined.ts"

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

/** Starts the service, and signals it once it has said something; everything that it printed, and how it ended. */
const run = async (
  settings: Record<string, string>,
  {
    flags = [],
    last,
    signals = ["SIGTERM"]
  }: { flags?: Array<string>; last: string; signals?: Array<NodeJS.Signals> }
) => {
  const child = spawn(process.execPath, ["src/main.ts", ...flags], {
    env: { ...process.env, DOCFLOW_PORT: "0", ...settings },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let printed = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes(last)) for (const signal of signals.splice(0)) child.kill(signal)
    })
  const [code, signal] = await once(child, "close")
  return { code, signal, printed }
}

/** Starts the service on a port, and stops it once it has said what it says; everything that it printed. */
const printedOn = async (
  port: number,
  last: string,
  signals?: Array<NodeJS.Signals>,
  settings: Record<string, string> = {}
): Promise<string> =>
  (
    await run(
      { DOCFLOW_PORT: String(port), DOCFLOW_DATA_DIR: folder, ...settings },
      defined({ last, signals })
    )
  ).printed

/** The environment of a service of systemd, whose program `systemd-notify` writes what it is told to a file. */
const underSystemd = async (told: string): Promise<Record<string, string>> => {
  const bin = join(folder, "bin")
  await mkdir(bin)
  await writeFile(join(bin, "systemd-notify"), `#!/bin/sh\necho "$@" >> ${told}\n`, { mode: 0o755 })
  return {
    NOTIFY_SOCKET: "/run/systemd/notify",
    PATH: `${bin}:${process.env["PATH"]}`,
    WATCHDOG_USEC: "200000"
  }
}

describe("npm start", () => {
  it("takes the flags of `docflow serve`", async () => {
    const help = await run(
      { DOCFLOW_DATA_DIR: join(folder, "none") },
      { flags: ["--help"], last: "docflow is ready" }
    )
    expect(help).toMatchObject({ code: 0, printed: expect.stringContaining("DOCFLOW_PORT") })
    expect(help.printed).not.toContain("docflow is ready")
  })
})

describe("the first start", () => {
  it("shows its keys although a start before it failed, because another program listened on its port", async () => {
    // What a start that was killed while it made the database left.
    await mkdir(join(folder, "database/pg_wal"), { recursive: true })
    await writeFile(join(folder, "database.incomplete"), "")
    const { port, server } = await listening()
    expect(await printedOn(port, "EADDRINUSE")).not.toContain("live key")
    server.close()
    await once(server, "close")
    const small = `data:text/javascript,${encodeURIComponent("process.constrainedMemory = () => 700 * 1024 ** 2")}`
    const printed = await printedOn(port, "curl -s", undefined, { NODE_OPTIONS: `--import=${small}` })
    expect(printed).toContain("the embedded database needs 1280 MB of memory and has 700 MB")
    expect(printed).toMatch(/live key {2}\S{20,}/u)
    expect(printed).toContain("/dashboard#")
    const told = join(folder, "told")
    const later = await printedOn(port, "docflow is ready", ["SIGUSR1", "SIGTERM"], await underSystemd(told))
    expect(later).not.toContain("live key")
    expect(later).not.toContain("MB of memory")
    // The signal opens no inspector.
    expect(later).not.toContain("Debugger")
    // What systemd was told, in order.
    expect(await readFile(told, "utf8")).toMatch(/^READY=1\n(?:WATCHDOG=1\n)*STOPPING=1\n$/u)
  })
})

const exited = async (work: string) => {
  const script = `import { readFile } from "node:fs"
    import { exitProcess } from "./src/app/StopDeadline.ts"
    ${work}
    exitProcess(3)`
  return once(spawn(process.execPath, ["--input-type=module", "--eval", script]), "exit")
}

describe("the exit of a process", () => {
  it("does not wait for what never ends, such as reading a named pipe", async () => {
    const pipe = join(folder, "pipe")
    execFileSync("mkfifo", [pipe])
    expect(await exited(`readFile(${JSON.stringify(pipe)}, () => {})`)).toEqual([null, "SIGKILL"])
  })

  it("waits for what ends", async () => {
    expect(await exited(`readFile("package.json", () => {})`)).toEqual([3, null])
  })
})
