import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { hash } from "node:crypto"
import { check } from "../../../dsl/check/Check.ts"
import * as StepRegistry from "../../../dsl/model/StepRegistry.ts"
import { type Finished, takenOver } from "../../../src/services/replays/Reusable.ts"
import * as Transform from "../../../src/steps/Transform.ts"

const text = `
docflow: 1
id: f
version: 1.0.0
name: F
description: F.
document: { formats: [application/pdf] }
credits: { perPage: 1 }
steps:
  - { id: a, uses: transform, with: { value: 1 } }
  - { id: b, uses: transform, with: { value: 1 }, onError: continue }
  - id: c
    forEach: { in: [1, 2], steps: [{ id: x, uses: transform, with: { value: 1 } }] }
output: { value: {} }
`

const flow = Result.getOrThrow(
  check(text, {
    file: "f.yaml",
    registry: StepRegistry.make([Transform.transform]),
    sha256: (content) => hash("sha256", content)
  })
)

/** A record, written as its path and its status; with `!` its output is gone. */
const record = (written: string): Finished => {
  const [path = "", status = ""] = written.replace("!", "").split(" ")
  if (status !== "completed" && status !== "failed" && status !== "skipped") throw new Error(written)
  return { path, status, kept: !written.endsWith("!") }
}

const all = ["a", "b", "c"]

describe("what a replay takes over", () => {
  it.each([
    [[], undefined, [], []],
    [["a completed"], undefined, ["a"], ["a"]],
    [["a skipped", "b failed"], undefined, ["a", "b"], ["a", "b"]],
    // Only a step that may fail is finished when it has failed, and not when the execution failed with it.
    [["a failed"], "a", [], []],
    [["a completed", "b failed"], "b.onError.z", ["a"], ["a"]],
    // A step without its result ends the prefix.
    [["a completed!", "b completed"], undefined, [], []],
    [["b completed"], undefined, [], []],
    // What had finished inside the first step that had not.
    [
      ["a completed", "b completed", "c.0.x completed", "c.1.x failed", "c failed"],
      "c.1.x",
      ["a", "b"],
      ["a", "b", "c.0.x"]
    ],
    [
      ["a completed", "b completed", "c.0.x completed!", "c.1.x completed"],
      undefined,
      ["a", "b"],
      ["a", "b", "c.1.x"]
    ],
    // Two that failed: who knows what went on without the other.
    [
      ["a completed", "b completed", "c.0.x failed", "c.1.x failed", "c failed"],
      "c.1.x",
      ["a", "b"],
      ["a", "b"]
    ],
    [
      ["a completed", "b completed", "c.0.x completed", "c completed"],
      undefined,
      all,
      ["a", "b", "c.0.x", "c"]
    ]
  ])("of %j that failed at %s", (journal, failedAt, steps, paths) => {
    assert.deepStrictEqual(takenOver(flow, all, journal.map(record), failedAt), { steps, paths })
  })
})
