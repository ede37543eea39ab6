import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { getPriority } from "node:os"
import { pathToFileURL } from "node:url"
import { Worker } from "node:worker_threads"
import { programOf, startReaderProcess } from "../../src/document/process/ReaderProcess.ts"
import { Sandbox } from "../../src/sandbox/Sandbox.ts"

const threadModule = pathToFileURL("src/sandbox/BackgroundPriority.ts").href

/** The priority of a thread that runs in the background. */
const priorityInThread = () =>
  new Promise<unknown>((resolve, reject) => {
    const program = `
      import { getPriority } from "node:os"
      import { parentPort } from "node:worker_threads"
      import { runThreadInBackground } from ${JSON.stringify(threadModule)}
      runThreadInBackground()
      parentPort.postMessage(getPriority())`
    const url = new URL(`data:text/javascript,${encodeURIComponent(program)}`)
    new Worker(url).on("message", resolve).on("error", reject)
  })

describe.skipIf(process.platform !== "linux")("what reads documents", () => {
  it.live("runs behind the process that answers requests", () =>
    Effect.gen(function* () {
      const own = getPriority()
      const reader = yield* startReaderProcess(yield* Sandbox, 512)
      const pid = programOf(reader.process.pid ?? 0)
      assert.strictEqual(getPriority(pid), 10)
      assert.strictEqual(getPriority(), own)
    }).pipe(Effect.scoped, Effect.provide(Sandbox.layer))
  )

  it.live("runs in threads behind the thread that answers requests", () =>
    Effect.gen(function* () {
      const own = getPriority()
      assert.strictEqual(yield* Effect.promise(priorityInThread), 10)
      assert.strictEqual(getPriority(), own)
    })
  )
})
