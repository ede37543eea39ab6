import { assert, describe, it } from "@effect/vitest"
import { restartChance } from "../../src/engine/placement/Recovery.ts"

describe("the chance of an execution without a runner to be started again", () => {
  it("is certain for one that was never started, and for the first two deaths", () => {
    assert.deepStrictEqual([0, 1, 2].map(restartChance), [1, 1, 1])
  })

  it("is halved by each further death, down to a sixteenth", () => {
    assert.deepStrictEqual([3, 4, 5, 6, 10].map(restartChance), [1 / 2, 1 / 4, 1 / 8, 1 / 16, 1 / 16])
  })
})
