import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { documentOf, look, pageOf } from "./GroundingPages.ts"

// Without limits each of these takes minutes and more: the time limit of a test is what tells.
describe("a document that is made to be searched for ever", () => {
  it.effect("repeats the beginning of a value down a column", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 58 }, () => "ab")
      const pages = Array.from({ length: 40 }, (_, i) => pageOf([...rows, "zzzz xyz"], i + 1))
      const value = `${"ab".repeat(40)}xyz`
      const found = yield* look(documentOf(...pages), { type: "string" }, { value })
      assert.isUndefined(found)
    })
  )
})
