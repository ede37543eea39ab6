import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { TestProject } from "vitest/node"
import { emptyStoreFolder, exists } from "./EmptyStoreFolder.ts"

declare module "vitest" {
  interface ProvidedContext {
    /** A folder for what outlives a test file; removed when all tests have ended. */
    readonly folder: string
  }
}

/** Makes the folder of this run of the tests; the function it gives back removes it. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const folder = await mkdtemp(join(tmpdir(), "docflow-run-"))
  project.provide("folder", folder)
  // Every process that a test starts loads the same modules: compiled once, they are loaded in half the time.
  process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(
    new URL("../../node_modules/.cache/docflow-tests", import.meta.url)
  )
  // Otherwise each worker would make one, which takes seconds.
  if (!(await exists(await emptyStoreFolder()))) await (await import("./EmptyStore.ts")).makeEmptyStore()
  return () => rm(folder, { recursive: true, force: true })
}
