import { assert, describe, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const corpus =
  process.env["DOCFLOW_CORPUS"] ?? fileURLToPath(new URL("../../../../shared/corpus/open/", import.meta.url))
const present = existsSync(`${corpus}manifest.json`)
const bench = fileURLToPath(new URL("../../../bench/extraction.ts", import.meta.url))

describe.skipIf(!present)(
  `corpus of invoices${present ? "" : " (skipped: ../shared/corpus is not here)"}`,
  () => {
    it("is read with at least 95 % of its fields right, on the half that no rule was made for", async () => {
      const { stdout } = await promisify(execFile)(process.execPath, [bench, "--half", "measure"])
      const accuracy = Number(/^all but tables\s+([\d.]+)/mu.exec(stdout)?.[1])
      assert.isAtLeast(accuracy, 0.95, stdout)
    })
  }
)
