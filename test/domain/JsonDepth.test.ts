import { describe, expect, test } from "vitest"
import { jsonExcess, scanJson } from "../../src/support/JsonDepth.ts"

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

const found = (json: string, path = "a.b.c") => {
  const { sought } = scanJson(Buffer.from(json), {}, path)
  return sought === undefined ? undefined : json.slice(sought.start, sought.end + 1)
}

describe("a member that is sought", () => {
  test.each([
    ["among others", `{"x":"1","a":{"y":[],"b":{"c":"it","z":"2"}}}`, `"it"`],
    ["with white space and escapes", `{ "a" : { "\\u0062" : { "c" : "it\\"" } } }`, `"it\\""`],
    ["twice: the last", `{"a":{"b":{"c":"1","c":"it"}}}`, `"it"`],
    ["in the second of two objects", `{"a":{"b":{"c":"1"},"b":{"c":"it"}}}`, `"it"`],
    ["empty", `{"a":{"b":{"c":""}}}`, `""`]
  ])("is found %s", (_name, json, value) => {
    expect(JSON.parse(json)).toBeDefined()
    expect(found(json)).toBe(value)
  })

  test.each([
    ["as a number, before another name", `{"a":{"b":{"c":1,"it":2}}}`],
    ["as an object, before another name", `{"a":{"b":{"c":{"x":"1"},"it":2}}}`],
    ["in a list", `{"a":{"b":{"c":["1"]}}}`],
    ["deeper", `{"x":{"a":{"b":{"c":"1"}}}}`],
    ["as a name with dots", `{"a.b.c":"1","a":{"b.c":"1"}}`]
  ])("is no string %s", (_name, json) => expect(found(json)).toBeUndefined())

  test("is found by one name, next to limits of others", () => {
    const json = `{"metadata":{"a":1},"a":"it"}`
    const { excess, sought } = scanJson(Buffer.from(json), { members: [metadata] }, "a")
    expect([excess, sought]).toEqual([undefined, { start: 24, end: 27 }])
  })
})
