import { readFileSync, writeFileSync } from "node:fs"
import { createSocket } from "node:dgram"
import { lookup } from "node:dns/promises"
import { connect, createServer } from "node:net"
import { spawnSync } from "node:child_process"

/** What a program in the sandbox is told of the service that it attacks. */
export interface Targets {
  /** The process id of the service. */
  readonly pid: number
  /** A port of the loopback on which the service listens. */
  readonly port: number
  /** A file of the data folder. */
  readonly secret: string
  /** A file that the program would like to write. */
  readonly loot: string
}

const succeeds = async (attack: () => unknown): Promise<boolean> => {
  try {
    await attack()
    return true
  } catch {
    return false
  }
}

const attacks = ({ loot, pid, port, secret }: Targets): Record<string, () => unknown> => ({
  "reads the environment of the service": () => readFileSync(`/proc/${pid}/environ`),
  "reads a file of the data folder": () => readFileSync(secret),
  "writes a file": () => writeFileSync(loot, "loot"),
  "writes a file through SQLite": async () => {
    const { DatabaseSync } = await import("node:sqlite")
    new DatabaseSync(loot).exec("create table loot (id int)")
  },
  "starts a process": () => {
    const { error } = spawnSync("/bin/true")
    if (error !== undefined) throw error
  },
  "evaluates a string": () => Reflect.construct(Function, ["return 1"]),
  "signals the service": () => process.kill(pid, 0),
  "signals the service by an inner function": () => {
    const send: unknown = Reflect.get(process, "_kill")
    if (typeof send !== "function" || send(pid, 0) !== 0) throw new Error("it cannot")
  },
  "opens the inspector of the service": () => {
    const open: unknown = Reflect.get(process, "_debugProcess")
    if (typeof open !== "function") throw new Error("it cannot")
    // An own process instead: that of the test must not stop at its inspector.
    open(process.pid)
  },
  "changes the program of signals": () => Reflect.get(process, "binding")("process_methods"),
  "connects to the service": () =>
    new Promise((resolve, reject) => connect(port, "127.0.0.1").on("connect", resolve).on("error", reject)),
  "fetches from the service": () => fetch(`http://127.0.0.1:${port}`),
  "sends to the service": () =>
    new Promise((resolve, reject) =>
      createSocket("udp4").send("x", port, "127.0.0.1", (failed) =>
        failed === null ? resolve(0) : reject(failed)
      )
    ),
  listens: () =>
    new Promise((resolve, reject) =>
      createServer()
        .on("error", reject)
        .listen(0, () => resolve(0))
    ),
  "asks for the address of a name": () => lookup("localhost"),
  "sees settings of the service": () => {
    // The shell and bwrap set the first ones, docflow those of the allocator.
    const ofAllocator = ["MALLOC_ARENA_MAX", "MALLOC_MMAP_THRESHOLD_", "MALLOC_TRIM_THRESHOLD_"]
    const harmless = new Set(["PWD", "OLDPWD", "SHLVL", "_", ...ofAllocator])
    if (Object.keys(process.env).every((name) => harmless.has(name))) throw new Error("it sees none")
  }
})

process.on("message", (targets: Targets) => {
  const tried = Object.entries(attacks(targets)).map(
    async ([name, attack]) => [name, await succeeds(attack)] as const
  )
  void Promise.all(tried).then((results) =>
    process.send?.(results.filter(([, succeeded]) => succeeded).map(([name]) => name))
  )
})
