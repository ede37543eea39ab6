import { readdirSync, readFileSync } from "node:fs"
import { Result } from "effect"
import { describe, expect, it } from "vitest"
import { renderProblems } from "../../dsl/index.ts"
import { checkFlow } from "./Support.ts"

const folder = new URL("wrong/", import.meta.url)
const files = readdirSync(folder)
  .filter((name) => name.endsWith(".flow"))
  .sort()

/**
 * Each `wrong/<name>.flow` is next to `<name>.txt`, which is all that is said about it, to the letter. The files are YAML under
 * another name, so that no formatter puts them right.
 */
describe("wrong flows", () => {
  it("are many", () => {
    expect(files.length).toBeGreaterThanOrEqual(60)
  })

  it.each(files)("%s", async (file) => {
    const text = readFileSync(new URL(file, folder), "utf8")
    const result = checkFlow(text, file.replace(".flow", ".yaml"))
    const problems = Result.isFailure(result) ? result.failure : []
    expect(problems.length).toBeGreaterThan(0)
    await expect(`${renderProblems(problems, text)}\n`).toMatchFileSnapshot(
      `wrong/${file.replace(".flow", ".txt")}`
    )
  })
})
