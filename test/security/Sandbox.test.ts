import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Sandbox, workingModes } from "../../src/sandbox/Sandbox.ts"
import { listening } from "../support/Loopback.ts"
import type { Targets } from "./SandboxEscapes.ts"

const working = await Effect.runPromise(workingModes)
const [strongest] = working

/** A service to attack: it listens on the loopback, and has a file in its data folder. */
const targets = Effect.gen(function* () {
  const port = yield* listening(createServer((_, response) => response.end()))
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "docflow-sandbox-"))),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
  )
  const secret = join(folder, "admin-token")
  writeFileSync(secret, "the token")
  return { pid: process.pid, port, secret, loot: join(folder, "loot") } satisfies Targets
})

/** What hostile JavaScript achieves in a child. */
const escapesOfJavaScript = Effect.fnUntraced(function* (mode: (typeof working)[number]) {
  const sandbox = yield* Effect.provide(Sandbox, Sandbox.layerIn(mode))
  const child = yield* Effect.acquireRelease(
    Effect.sync(() =>
      sandbox.spawn({
        module: new URL("SandboxEscapes.ts", import.meta.url),
        memoryMiB: 256,
        readable: [new URL("SandboxEscapes.ts", import.meta.url).pathname]
      })
    ),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )
  const facing = yield* targets
  return yield* Effect.promise(
    () =>
      new Promise<unknown>((resolve, reject) => {
        child.once("message", resolve).once("exit", reject)
        child.send(facing)
      })
  )
})

/** Commands that succeed where a native decoder that was taken over would get out. */
const native = ({ loot, pid, port, secret }: Targets): Record<string, string> => ({
  "reads the environment of the service": `cat /proc/${pid}/environ`,
  "reads a file of the data folder": `cat ${secret}`,
  "writes a file": `touch ${loot}`,
  "writes somewhere": "touch /tmp/x || touch /var/tmp/x || touch /dev/x || touch /dev/shm/x || touch /x",
  "makes namespaces of its own": "unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none /usr'",
  "signals the service": `kill -0 ${pid}`,
  "connects to the service": `exec 3<>/dev/tcp/127.0.0.1/${port}`,
  "may gain privileges": "grep '^NoNewPrivs:.*0' /proc/self/status",
  "has capabilities": "grep '^CapEff:.*[1-9a-f]' /proc/self/status"
})

const escapesOfNativeCode = Effect.fnUntraced(function* (mode: (typeof working)[number]) {
  const sandbox = yield* Effect.provide(Sandbox, Sandbox.layerIn(mode))
  const attacks = Object.entries(native(yield* targets))
  const tried = yield* Effect.forEach(
    attacks,
    ([name, script]) =>
      Effect.promise(async () => {
        const command = ["/bin/bash", "-c", script] as const
        const child = sandbox.run({ command, memoryMiB: 256, readable: [], environment: {} })
        const [code] = await once(child, "close")
        return code === 0 ? name : undefined
      }),
    { concurrency: 4 }
  )
  return tried.filter((name) => name !== undefined)
})

/** What a mode does not keep native code from; JavaScript is kept from all of it everywhere. */
const nativeEscapes: Record<string, ReadonlyArray<string>> = {
  bwrap: [],
  "bwrap without --disable-userns": ["makes namespaces of its own"],
  "bwrap without /proc": [],
  unshare: ["reads a file of the data folder"]
}

describe(`the sandbox, with what this machine allows: ${working.map(([mode]) => mode).join(", ")}`, () => {
  for (const mode of working) {
    const weakest = mode[0] === "permissions"
    it.live(`${mode[0]}: hostile JavaScript does not get out`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* escapesOfJavaScript(mode), [])
      })
    )

    it.live.skipIf(weakest)(`${mode[0]}: hostile native code does not get out`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* escapesOfNativeCode(mode), nativeEscapes[mode[0]])
      })
    )
  }

  it("is the strongest mode that works", async () => {
    const sandbox = await Effect.runPromise(Effect.provide(Sandbox, Sandbox.layer))
    assert.strictEqual(sandbox.mode, strongest?.[0])
  })
})
