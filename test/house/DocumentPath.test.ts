import { existsSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { read } from "./Files.ts"

const links = [...read("docs/dev/execution.md").matchAll(/^\d+\. \[([^\]]+)\]\(([^)]+)\): /gmu)].map(
  ([, name, target]) => ({
    name,
    target
  })
)

describe("the path of a document in docs/dev/execution.md", () => {
  it("leads through files that exist", () => {
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter(({ name = "", target }) => target !== `../../${name}` || !existsSync(name))).toEqual(
      []
    )
  })

  it("is at most 40 files long", () => {
    expect(links.length).toBeLessThanOrEqual(40)
  })
})
