import { hash } from "node:crypto"
import { watch } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { expect, test } from "vitest"
import { Settings } from "../../src/config/Config.ts"
import { manyPages } from "../fixtures/Pdfs.ts"
import { base64 } from "../support/Documents.ts"
import { expectError } from "../support/Expect.ts"
import { textAt } from "../support/Json.ts"
import { useService } from "../support/TestService.ts"
import { until } from "../support/Until.ts"

const service = useService()

/** Watches how often a document is written or removed: it is written to a file of its own, which is moved into place. */
const watchWrites = async (bytes: Uint8Array) => {
  const blob = hash("sha256", bytes)
  const { dataDir } = await service.it.run(Settings)
  const folder = join(dataDir, "blobs", blob.slice(0, 2))
  await mkdir(folder, { recursive: true })
  const writes: Array<string> = []
  const watcher = watch(folder, (event, name) => {
    if (event === "rename" && name === blob) writes.push(name)
  })
  return { writes, stop: () => watcher.close() }
}

test.each([
  ["for lack of credits", { credits: 1.5 }, 402, "INSUFFICIENT_CREDITS"],
  ["for too many others", { credits: 100, concurrentExecutions: 1 }, 429, "CONCURRENT_LIMIT"]
] as const)("a run that is refused %s stores nothing of its document", async (_, options, status, code) => {
  const { id, live: key } = await service.it.tenant({ plan: "enterprise", ...options })
  const page = await manyPages(1)
  const send = (bytes: Uint8Array) =>
    service.it.call("POST", "/flows/hold/run", {
      key,
      body: { input: { document: { base64: base64(bytes) }, variables: { gate: id } } }
    })
  const cancel = (executionId: string) => service.it.call("POST", `/runs/${executionId}/cancel`, { key })
  const held = textAt((await send(page)).body, "id")
  // Nobody else has a document that ends so.
  const bytes = Buffer.concat([page, Buffer.from(`\n% ${id}\n`)])
  const { stop, writes } = await watchWrites(bytes)
  expectError(await send(bytes), status, code)
  await cancel(held)
  const accepted = textAt((await send(bytes)).body, "id")
  // What is written is reported in order: a write for the refused run would be there by now.
  await until("the accepted run's document to be written", async () => writes.length > 0 || undefined)
  expect(writes).toHaveLength(1)
  stop()
  await cancel(accepted)
})
