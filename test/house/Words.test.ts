import { expect, it } from "vitest"
import { markdownIn, read, typescriptIn } from "./Files.ts"

/** Words and phrases that the glossary retired, wherever they are in prose. */
const retired =
  /\b(?:in the name of|what people read|true or false|whole numbers?|made[- ]up|in good order|worked out|likeliest|beside|(?:is|are|was|were) judged|at a till|stands(?! for))\b/iu

/** Names that the glossary retired, and what the code calls these things. */
const retiredNames = new Map([
  ["Surroundings", "RuntimeHooks"],
  ["Strand", "TextRun"],
  ["Ink", "SearchableText"],
  ["lookUpNowAndThen", "pollPeriodically"],
  ["reportUntold", "reportUnreported"],
  ["stepForms", "actionKeys"]
])

/** What a line of code says to people: its comment, or the sentences in its strings. */
const proseOf = (line: string): string =>
  /^\s*(?:\*|\/\*\*|\/\/)/u.test(line)
    ? line
    : [...line.matchAll(/"[^"]* [^"]*"|`[^`]* [^`]*`/gu)].map(([text]) => text).join(" ")

const retiredIn = (file: string, source: string): ReadonlyArray<string> =>
  source.split("\n").flatMap((line, index) => {
    const word = retired.exec(file.endsWith(".md") ? line : proseOf(line))?.[0]
    return word === undefined ? [] : [`${file}:${index + 1} says "${word}": use the words of the glossary`]
  })

/** Instructions to models, whose recorded answers belong to their exact words; documents and pages of tests. */
const exempt =
  /^(?:src\/steps\/.*(?:Instructions|AskFor\w+)\.ts|test\/house\/Words\.test\.ts|test\/fixtures\/)/u

it("uses no word that the glossary retired, in code, comments, names of tests and docs", () => {
  const files = [...typescriptIn("src", "dsl", "test", "bench", "scripts"), ...markdownIn("docs")].filter(
    (file) => !exempt.test(file) && !file.includes("/node_modules/")
  )
  expect(files.length).toBeGreaterThan(900)
  expect(files.flatMap((file) => retiredIn(file, read(file)))).toEqual([])
})

it("uses no name that the glossary retired", () => {
  const name = new RegExp(`\\b(?:const|class|interface|type) (${[...retiredNames.keys()].join("|")})\\b`, "u")
  const found = typescriptIn("src", "dsl").flatMap((file) => {
    const old = name.exec(read(file))?.[1]
    return old === undefined ? [] : [`${file} defines ${old}: call it ${retiredNames.get(old)}`]
  })
  expect(found).toEqual([])
})

it.each([
  ["src/A.ts", "/** A value that stands nowhere. */", 1],
  ["src/A.ts", "/** Null stands for both. */", 0],
  ["test/A.test.ts", `it("stops in good order", () => {`, 1],
  ["src/A.ts", "const beside = (a: Box) => a.x", 0],
  ["docs/a.md", "The value beside it.", 1]
])("reads prose, not code: %s: %s", (file, line, found) => expect(retiredIn(file, line)).toHaveLength(found))
