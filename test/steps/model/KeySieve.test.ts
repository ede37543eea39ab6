import { describe, expect, it } from "vitest"
import { KeySieve } from "../../../src/extraction/layout/KeySieve.ts"
import * as fc from "../../support/FastCheck.ts"

describe("KeySieve", () => {
  it("passes every key that it was made with", () =>
    fc.assert(
      fc.property(fc.array(fc.integer()), (keys) => {
        const sieve = new KeySieve(keys)
        expect(keys.filter((key) => !sieve.passes(key))).toEqual([])
      })
    ))

  it("sorts out most others, also with as many keys as all labels have", () => {
    const sieve = new KeySieve(Array.from({ length: 100_000 }, (_, index) => index * 7919))
    const others = Array.from({ length: 10_000 }, (_, index) => index * 7919 + 1 + (index % 7000))
    expect(others.filter((key) => sieve.passes(key)).length).toBeLessThan(2_500)
  })
})
