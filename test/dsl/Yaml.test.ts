import { describe, expect, it } from "vitest"
import { parseYaml } from "../../dsl/source/Yaml.ts"
import { withinCpuMs } from "../support/CpuTime.ts"

const repeat = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("\n")
const laughs = [
  "a: &a [x, x, x, x, x, x, x, x, x]",
  ...[..."bcdefghi"].map(
    (name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdefghi"[index]}`).join(", ")}]`
  )
].join("\n")

const first = (text: string): string => {
  const [problem] = parseYaml(text, "f").problems.list()
  return problem === undefined ? "" : `${problem.line}:${problem.column} ${problem.message}`
}

describe("the advice on quotes", () => {
  it.each<[string, string]>([
    ["a: b", "double"],
    ["'it's'", "double"],
    [`"the "best" of"`, "single"],
    [`\${{ x == "a: b" ? 1 : 2 }}`, "single"],
    [`"\${{ x == "a" }}"`, "single"],
    [`'\${{ x == 'a' }}'`, "double"],
    ["@home", "double"]
  ])("%s: following it makes the value valid", (value, kind) => {
    const [problem] = parseYaml(`a: ${value}`, "f").problems.list()
    expect(problem?.suggestion).toContain(`in ${kind} quotes`)
    const quote = kind === "double" ? '"' : "'"
    const content = /^(["']).*\1$/u.test(value) ? value.slice(1, -1) : value
    expect(first(`a: ${quote}${content}${quote}`)).toBe("")
  })
})

describe("hostile YAML ends soon, with a clear problem", () => {
  it.each<[string, string, string]>([
    ["billion laughs", laughs, "1:1 The aliases of this file expand to more than 50,000 values."],
    ["an alias of itself", "a: &a [*a]", "1:8 Unknown alias *a: no anchor &a comes before it."],
    ["a NUL, which no database stores", "a: 1\n# \0", "2:3 The file contains a NUL character. Remove it."],
    ["10 MB", "x".repeat(10_000_000), "1:1 The file is larger than 1 MB."],
    ["100,000 brackets", `a: ${"[".repeat(100_000)}`, "1:67 The file is nested more than 64 levels deep."],
    ["100,000 braces", "{a: ".repeat(100_000), "1:253 The file is nested more than 64 levels deep."],
    ["100,000 dashes", `${"- ".repeat(100_000)}x`, "1:127 The file is nested more than 64 levels deep."],
    [
      "100,000 question marks",
      `${"? ".repeat(100_000)}x`,
      "1:127 The file is nested more than 64 levels deep."
    ],
    [
      "1,000 indentations",
      repeat(1000, (index) => `${" ".repeat(index)}a:`),
      "65:1 The file is nested more than 64 levels deep."
    ],
    [
      "900,000 commas",
      `[${",".repeat(900_000)}`,
      "1:100000 The file has more than 100,000 tokens, the limit for a flow."
    ],
    [
      "300,000 colons",
      "a: ".repeat(300_000),
      "1:75000 The file has more than 100,000 tokens, the limit for a flow."
    ],
    [
      "400,000 tags",
      "! ".repeat(400_000),
      "1:100000 The file has more than 100,000 tokens, the limit for a flow."
    ],
    [
      "400,000 quotes",
      '"\n'.repeat(400_000),
      "100000:2 The file has more than 100,000 tokens, the limit for a flow."
    ],
    [
      "a million line feeds",
      "\n".repeat(900_000),
      "100001:1 The file has more than 100,000 tokens, the limit for a flow."
    ],
    [
      "8,000 keys and a broken end",
      `${repeat(8000, (index) => `k${index}: 1`)}\n}`,
      "8001:1 Not valid YAML: Unexpected text."
    ],
    [
      "a megabyte of escapes",
      `a: "${"\\u0041".repeat(160_000)}`,
      "1:960005 Not valid YAML: Missing quote, bracket, comma or colon."
    ]
  ])("%s", (_, text, message) => {
    expect(withinCpuMs(2000, () => first(text))).toBe(message)
  })

  it.each<[string, string, string]>([
    ["__proto__", "a: 1\n__proto__: { b: 1 }", '2:1 The key "__proto__" is not allowed.'],
    ["a key twice", "a: 1\nb: 2\na: 3", '3:1 Duplicate key "a".'],
    ["a tab", "a:\n\tb: 1", "2:1 Not valid YAML: Tab used for indentation. Use spaces."],
    ["a number as key", "a: { 1: x }", "1:6 A key must be a string."],
    ["a list as key", "? [a]\n: b", "1:3 A key must be a string."],
    ["null as key", "? \n: b", "1:3 A key must be a string."],
    [
      "a merge key",
      "a: &a { b: 1 }\nc: { <<: *a }",
      "2:6 Merge keys (<<) are not part of YAML 1.2. Write the keys out."
    ],
    ["an unknown tag", "a: !!binary aGk=", "1:13 The tag !!binary is not allowed in flows."],
    ["infinity", "a: .inf", "1:4 JSON cannot represent this number."],
    ["nothing", "# only a comment\n", "1:1 The file is empty. A flow begins with `docflow: 1`."],
    ["an unknown alias", "a: *b", "1:4 Unknown alias *b: no anchor &b comes before it."],
    [
      "a byte order mark, then a mistake",
      "\uFEFFa: 1\nb: @x",
      "2:4 Not valid YAML: Plain value cannot start with reserved character @."
    ],
    [
      "Windows line ends, then a mistake",
      "a: 1\r\nb: @x\r\n",
      "2:4 Not valid YAML: Plain value cannot start with reserved character @."
    ],
    [
      "a mistake right after a byte order mark",
      "\uFEFF__proto__: 1",
      '1:1 The key "__proto__" is not allowed.'
    ]
  ])("%s", (_, text, message) => expect(first(text)).toBe(message))

  it("takes aliases that stand for little", () => {
    expect(first("a: &a { x: 1 }\nb: [*a, *a]")).toBe("")
  })
})
