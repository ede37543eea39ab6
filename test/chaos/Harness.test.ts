import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { join } from "node:path"
import { fence, fenceInSql, freezing, takeover, toLoopback } from "./Mutations.ts"

/** What the chaos program prints with these options, and its exit code. */
const chaos = (...options: ReadonlyArray<string>) =>
  new Promise<{ readonly code: number | string | null | undefined; readonly said: string }>((resolve) => {
    execFile(process.execPath, ["test/chaos/Main.ts", ...options], (error, said) =>
      resolve({ code: error === null ? 0 : error.code, said })
    )
  })

/** The folder of a file that is named by its end. */
const folders: Readonly<Record<string, string>> = {
  "outbound/TargetPolicy.ts": "src/providers"
}

describe("what the chaos program breaks", () => {
  const parts = [...toLoopback, freezing, fence, takeover].map(([file, text]) => [file, text] as const)
  it.each([...parts, ["sql/schema/writes.sql", fenceInSql] as const])(
    "is in the service: %s",
    async (file, text) => {
      const source = await readFile(join(folders[file] ?? "src", file), "utf8")
      assert.strictEqual(source.split(text).length, 2, `${file} has it once`)
    }
  )
})

describe.skipIf(process.env.DOCFLOW_TEST_LONG === undefined)(
  "the chaos program (long: DOCFLOW_TEST_LONG)",
  { timeout: 600_000 },
  () => {
    it("finds nothing wrong with a process that wakes up to end an execution that another one has ended", async () => {
      const { code, said } = await chaos("--form", "stale")
      assert.include(said, "nothing is wrong")
      assert.strictEqual(code, 0, said)
    })

    it("notices that the fence is missing", async () => {
      const { code, said } = await chaos("--without", "fence")
      assert.include(said, "an execution was charged twice")
      assert.include(said, "2 webhook ids were received")
      assert.strictEqual(code, 0, said)
    })

    it("notices that nobody takes executions over", async () => {
      const { code, said } = await chaos("--without", "takeover")
      assert.include(said, "not completed")
      assert.strictEqual(code, 0, said)
    })
  }
)
