import { assert, it } from "@effect/vitest"
import { decimalOf } from "../../../src/extraction/values/Numbers.ts"

it("thousands are no decimals because of a number that is no amount", () => {
  assert.strictEqual(decimalOf(["5.5", "2.580", "6.990", "11.370"]), undefined)
  assert.strictEqual(decimalOf(["5.5", "2.580", "6.990", "11.37"]), ".")
  // The point of a word is none of a number.
  assert.strictEqual(decimalOf(["412.500", "78.375", "Res.99"]), undefined)
})
