import { describe, expect, test } from "vitest"
import { jsonExcess } from "../../src/domain/JsonDepth.ts"

const metadata = { path: "metadata", bytes: 20, members: 3 }
const variables = { path: "input.variables", bytes: 40, members: 3 }
const excess = (json: string) =>
  jsonExcess(Buffer.from(json), { members: [metadata, variables], values: 100 })

describe("what a JSON text has too much of", () => {
  test.each([
    ["a long string", `{ "metadata": { "a": "${"a".repeat(20)}" } }`, metadata],
    ["a long string, last", `{ "x": 1, "metadata": "${"a".repeat(20)}"}`, metadata],
    ["a long string, first", `{"metadata":"${"a".repeat(20)}", "input": 1}`, metadata],
    ["a string of escaped quotes", `{"metadata":"${'\\"'.repeat(1000)}", "input": 1}`, metadata],
    ["one that is cut off", `{"metadata":"${"a".repeat(20)}`, metadata],
    ["a name that is escaped", `{"met\\u0061d\\u0061ta":"${"a".repeat(20)}"}`, metadata],
    ["the second of two", `{"metadata":{},"metadata":"${"a".repeat(20)}"}`, metadata],
    ["in an object", `{"input":{"document":{},"variables":[${"1,".repeat(20)}1]}}`, variables]
  ])("bytes: %s", (_name, json, limit) => expect(excess(json)).toEqual({ of: "bytes", in: limit }))

  test.each([
    ["in one object", `{"metadata":{"a":1,"b":1,"c":1,"d":1}}`, metadata],
    ["in several", `{"input":{"variables":[{"a":{"b":1}},{"c":1,"d":1}]}}`, variables]
  ])("members: %s", (_name, json, limit) => expect(excess(json)).toEqual({ of: "members", in: limit }))

  test.each([
    ["as much as is allowed", `{"metadata":{"a":1,"b":1,"c":1}, "input":{"variables":{"a":{"b":{"c":1}}}}}`],
    ["the same names elsewhere", `{"a":{"metadata":"${"a".repeat(40)}"},"variables":"${"a".repeat(90)}"}`],
    ["the same names in an array", `[{"metadata":"${"a".repeat(40)}"}]`],
    ["the same name in a string", `{"a":"\\"metadata\\": ${"a".repeat(40)}","metadata":1}`],
    ["members outside", `{"a":1,"b":2,"c":3,"d":4,"metadata":{"a":1},"e":1,"f":2,"g":3}`],
    ["a document after many escapes", `{"a":"${'\\\\\\"'.repeat(100)}","metadata":{}}`]
  ])("nothing: %s", (_name, json) => {
    expect(JSON.parse(json)).toBeDefined()
    expect(excess(json)).toBeUndefined()
  })

  test("values and depth", () => {
    expect(excess(`[${"1,".repeat(110)}1]`)).toEqual({ of: "values" })
    expect(excess("[".repeat(65))).toEqual({ of: "depth" })
  })
})
