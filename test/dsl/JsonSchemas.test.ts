import { Result } from "effect"
import { expect, it } from "vitest"
import { compileJsonSchema } from "../../dsl/model/Ajv.ts"

const unique = Result.getOrThrow(compileJsonSchema({ type: "array", uniqueItems: true }))

// Compared with each other, the items would take minutes: the time limit of a test is what tells.
it("uniqueItems takes a hundred thousand lists", () => {
  expect(unique(Array.from({ length: 100_000 }, (_, index) => [index]))).toBe(true)
})

it.each([
  [[], true],
  [[1, "1", null, "null", [1], { a: 1 }, { a: "1" }], true],
  [
    [
      { a: 1, b: [2] },
      { b: [2], a: 1 }
    ],
    false
  ],
  [[1, 2, 1], false]
])("uniqueItems of %j is %s", (items, fits) => {
  expect(unique(items)).toBe(fits)
})
