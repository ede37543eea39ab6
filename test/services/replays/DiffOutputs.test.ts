import { assert, describe, it } from "@effect/vitest"
import * as fc from "../../support/FastCheck.ts"
import { Effect, Fiber } from "effect"
import { diffOutputs as differences } from "../../../src/services/replays/Replays.ts"

const diffOutputs = (before: unknown, after: unknown) => Effect.runSync(differences(before, after))

describe("the difference of two outputs", () => {
  it.each([
    [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, []],
    [1, 2, [{ path: "", before: 1, after: 2 }]],
    [null, undefined, [{ path: "", before: null }]],
    [undefined, { a: 1 }, [{ path: "", after: { a: 1 } }]],
    [undefined, undefined, []],
    [{ a: 1 }, { a: "1" }, [{ path: "/a", before: 1, after: "1" }]],
    [{ a: null }, {}, [{ path: "/a", before: null }]],
    [{}, { a: { b: 1 } }, [{ path: "/a", after: { b: 1 } }]],
    [{ a: [] }, { a: {} }, [{ path: "/a", before: [], after: {} }]],
    [
      [1, 2, 3],
      [1, 3],
      [
        { path: "/1", before: 2, after: 3 },
        { path: "/2", before: 3 }
      ]
    ],
    [{ "a/b": { "~": 1 } }, { "a/b": { "~": 2 } }, [{ path: "/a~1b/~0", before: 1, after: 2 }]],
    [{ "": 1 }, { "": 2 }, [{ path: "/", before: 1, after: 2 }]],
    [JSON.parse('{"__proto__":1}'), {}, [{ path: "/__proto__", before: 1 }]],
    [{ length: 1 }, [0], [{ path: "", before: { length: 1 }, after: [0] }]]
  ])("of %j and %j is %j", (before, after, differences) => {
    assert.deepStrictEqual(diffOutputs(before, after), { same: differences.length === 0, differences })
  })

  it("is none for a value and its copy, and the same seen from the other side", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        assert.isTrue(diffOutputs(before, structuredClone(before)).same)
        const there = diffOutputs(before, after).differences.map(({ path }) => path)
        const back = diffOutputs(after, before).differences.map(({ path }) => path)
        assert.deepStrictEqual(there.toSorted(), back.toSorted())
      })
    )
  })

  it.effect("gives other work its turn again and again while large ones are compared", () =>
    Effect.gen(function* () {
      let turns = 0
      const other = Effect.forever(
        Effect.andThen(
          Effect.sync(() => turns++),
          Effect.yieldNow
        )
      )
      const before = Array.from({ length: 100_000 }, (_, a) => ({ a }))
      const worker = yield* Effect.forkChild(other)
      assert.isTrue((yield* differences(before, structuredClone(before))).same)
      yield* Fiber.interrupt(worker)
      assert.isAtLeast(turns, 10)
    })
  )
})
