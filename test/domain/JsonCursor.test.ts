import * as fc from "../support/FastCheck.ts"
import { describe, expect, test } from "vitest"
import { Effect } from "effect"
import { exampleReplay } from "../../src/api/Examples.ts"
import { executionAnswer } from "../../src/http/Answers.ts"
import { JsonCursor } from "../../src/support/JsonCursor.ts"
import { decodeJson, encodeJson } from "../../src/support/JsonSlices.ts"

const cursorOf = (value: unknown) => new JsonCursor(new TextEncoder().encode(JSON.stringify(value)))

/** Runs an effect while another one counts its turns. */
const countingTurns = <A>(effect: Effect.Effect<A>) =>
  Effect.gen(function* () {
    let turns = 0
    const count = Effect.andThen(
      Effect.sync(() => void turns++),
      Effect.yieldNow
    )
    yield* Effect.forkChild(Effect.forever(count), { startImmediately: true })
    const before = turns
    return { made: yield* effect, turns: turns - before }
  })

const stringify = (part: unknown) => JSON.stringify(part)

describe("a cursor in a JSON text", () => {
  test("reads the members that are asked for, whatever the others are", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.func(fc.boolean()), (value, isWanted) => {
        const cursor = cursorOf(value)
        const found: Array<readonly [string, unknown]> = []
        for (const name of cursor.members()) {
          if (isWanted(name)) found.push([name, cursor.value()])
          else cursor.skip()
        }
        const parsed: object = JSON.parse(JSON.stringify(value))
        expect(found).toEqual(Object.entries(parsed).filter(([name]) => isWanted(name)))
      })
    )
  })

  test("finds the items of an array, and where each begins and ends", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (value) => {
        const cursor = cursorOf(value)
        const found: Array<unknown> = []
        for (const _ of cursor.items()) {
          const from = cursor.position
          cursor.skip()
          found.push(JSON.parse(new TextDecoder().decode(cursor.since(from))))
        }
        expect(found).toEqual(JSON.parse(JSON.stringify(value)))
      })
    )
  })

  test.each([`{"a":[1,2`, `{"a":"b`, `{"a":"b\\"`, `[`, `{`, ``])(
    "refuses %s, which ends too early",
    (text) => {
      expect(() => new JsonCursor(new TextEncoder().encode(text)).value()).toThrow("ends too early")
    }
  )

  test.each([`{"a":1,"b":2`, `[1,2`])("does not look for ever for the end of %s", (text) => {
    const cursor = new JsonCursor(new TextEncoder().encode(text))
    const parts = cursor.isObject() ? cursor.members() : cursor.items()
    expect(() => {
      for (const _ of parts) cursor.skip()
    }).toThrow("ends too early")
  })
})

describe("a value of several megabytes", () => {
  const rows = Array.from({ length: 20_000 }, (_, row) => ({ row, name: `née 😀 ${row} ${"x".repeat(100)}` }))
  const value = {
    text: `x${"😀".repeat(1_200_000)}`,
    left: undefined,
    none: null,
    empty: [{}, []],
    deep: [[[[[rows]]]]],
    document: { pages: [rows, rows] },
    ["__proto__"]: 1
  }

  test("is encoded and decoded like any other, and other work gets its turn meanwhile", async () => {
    const { decoded, encoded } = await Effect.runPromise(
      Effect.gen(function* () {
        const encoded = yield* countingTurns(encodeJson(value, stringify))
        return { encoded, decoded: yield* countingTurns(decodeJson(encoded.made)) }
      })
    )
    expect(encoded.made.toString() === JSON.stringify(value)).toBe(true)
    expect(JSON.stringify(decoded.made) === JSON.stringify(value)).toBe(true)
    expect(encoded.turns).toBeGreaterThan(4)
    expect(decoded.turns).toBeGreaterThan(2)
  })

  test("is how a large execution is answered, and other work gets its turn", async () => {
    const execution = { ...exampleReplay, output: { text: "a".repeat(8 * 1024 * 1024), missing: undefined } }
    const { made, turns } = await Effect.runPromise(countingTurns(executionAnswer(execution)))
    const body = made.body._tag === "Uint8Array" ? Buffer.from(made.body.body).toString() : made.body._tag
    expect(body === JSON.stringify(execution)).toBe(true)
    expect(made.headers["content-type"]).toBe("application/json")
    expect(turns).toBeGreaterThan(2)
  })
})
