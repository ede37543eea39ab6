import { existsSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { read } from "./Files.ts"

const section = /^## The way of one document\n([^]*?)^## /mu.exec(read("CONTRIBUTING.md"))?.[1] ?? ""
const links = [...section.matchAll(/^\d+\. \[([^\]]+)\]\(([^)]+)\): /gmu)].map(([, name, target]) => ({
  name,
  target
}))

describe("the way of one document in CONTRIBUTING.md", () => {
  it("leads through files that exist", () => {
    expect(links.length).toBeGreaterThan(20)
    expect(links.filter(({ name, target = "" }) => name !== target || !existsSync(target))).toEqual([])
  })

  it("is at most 40 files long", () => {
    expect(links.length).toBeLessThanOrEqual(40)
  })
})
