import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { dirname, join, normalize } from "node:path"
import { Result } from "effect"
import { Completions } from "effect/cli"
import { parseAllDocuments } from "yaml"
import { describe, expect, it } from "vitest"
import { check, renderProblems } from "../../dsl/index.ts"
import { docflow } from "../../src/cli/Program.ts"
import { builtIn } from "../../src/Docflow.ts"
import { sha256 } from "../dsl/Support.ts"

const pages = [
  "README.md",
  "CHANGELOG.md",
  "clients/python/README.md",
  ...readdirSync("docs")
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`)
]

interface Block {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly code: string
}

const blocksOf = (page: string): ReadonlyArray<Block> => {
  const text = readFileSync(page, "utf8")
  return [...text.matchAll(/^( *)```(\w+)\n([^]*?)^ *```$/gmu)].map(
    ([, indent = "", language = "", code = ""], index) => ({
      page: `${page} (block ${index + 1})`,
      line: index,
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, "gmu"), "")
    })
  )
}

const blocks = pages.flatMap(blocksOf)
const of = (...languages: ReadonlyArray<string>) =>
  blocks.filter(({ language }) => languages.includes(language)).map((block) => [block.page, block] as const)

const command = Completions.fromCommand(docflow)
type Known = typeof command

/** What is wrong with a line of the command line: an unknown command or option. */
const problemIn = (words: ReadonlyArray<string>): string | undefined => {
  let at: Known = command
  const known = new Set(["help", "version", "completions", "log-level"])
  const learn = ({ flags }: Known) => flags.forEach(({ name }) => known.add(name))
  learn(at)
  for (const [index, word] of words.entries()) {
    if (word.startsWith("--")) {
      const name = word.slice(2).split("=")[0] ?? ""
      if (!known.has(name)) return `unknown option ${word}`
      continue
    }
    const next = at.subcommands.find(({ name }) => name === word)
    if (next === undefined) {
      const isValue = words[index - 1]?.startsWith("--") === true
      if (at.subcommands.length > 0 && !isValue) return `unknown command ${word}`
      continue
    }
    at = next
    learn(at)
  }
  return undefined
}

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0

describe("the code of README and docs", () => {
  it.each(of("yaml"))("%s is a flow without problems, or YAML", (_, { code }) => {
    if (code.startsWith("docflow: 1")) {
      const checked = check(code, { file: "doc.yaml", registry: builtIn, sha256 })
      expect(Result.isFailure(checked) ? renderProblems(checked.failure, code) : "").toBe("")
    }
    expect(
      parseAllDocuments(code).flatMap((document) => ("errors" in document ? document.errors : []))
    ).toEqual([])
  })

  it.each(of("json"))("%s is JSON", (_, { code }) => {
    expect(() => JSON.parse(code)).not.toThrow()
  })

  it.each(of("ts"))("%s is TypeScript that imports what exists", async (_, { code }) => {
    expect(() => stripTypeScriptTypes(code)).not.toThrow()
    for (const [, names = "", module = ""] of code.matchAll(/import \{([^}]+)\} from "(docflow[^"]*)"/gu)) {
      const exported: object = await import(module)
      const wanted = names
        .split(",")
        .map((name) => name.trim())
        .filter((name) => !name.startsWith("type "))
      expect(wanted.filter((name) => !(name in exported))).toEqual([])
    }
  })

  it.each(pages)("%s runs no package of the registry that happens to be called docflow", (page) => {
    expect(readFileSync(page, "utf8")).not.toMatch(
      /npx docflow|npm install docflow(?![-\w./])|"args": \["docflow"/u
    )
  })

  it.each(of("sh", "bash"))("%s is a script whose commands of docflow exist", (_, { code }) => {
    expect(spawnSync("bash", ["-n"], { input: code, encoding: "utf8" })).toMatchObject({
      status: 0,
      stderr: ""
    })
    const lines = code.replaceAll("\\\n", " ").split("\n")
    const problems = lines.flatMap((line) => {
      const [, words] =
        /(?:^|\s)(?:npm run -s docflow --|npx --no docflow|docflow)((?: [^#|>&]*)?)/u.exec(
          line.split(" #")[0] ?? ""
        ) ?? []
      const isCommand =
        words !== undefined &&
        /^(?:[A-Z_]+=\S* )*(?:npm run -s docflow --|npx --no docflow|docflow) /u.test(line)
      const problem = isCommand ? problemIn(words.trim().split(/\s+/u)) : undefined
      return problem === undefined ? [] : [`${line}: ${problem}`]
    })
    expect(problems).toEqual([])
  })

  it.skipIf(!has("python3")).each(of("python"))("%s is Python", (_, { code }) => {
    const compiled = spawnSync("python3", ["-c", "import sys; compile(sys.stdin.read(), 'doc', 'exec')"], {
      input: code,
      encoding: "utf8"
    })
    expect(compiled).toMatchObject({ status: 0, stderr: "" })
  })

  it("has blocks of every kind, and notices an unknown command and option", () => {
    const languages = new Set(blocks.map(({ language }) => language))
    expect([...languages]).toEqual(expect.arrayContaining(["yaml", "json", "ts", "sh", "python", "go"]))
    expect(problemIn(["rum", "invoice"])).toBe("unknown command rum")
    expect(problemIn(["run", "invoice", "--cvs", "a"])).toBe("unknown option --cvs")
  })

  it.each(pages)("%s links to what exists", (page) => {
    const text = readFileSync(page, "utf8").replaceAll(/```[^]*?```/gu, "")
    const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#\s]+)/gu)].map(([, target = ""]) => target)
    expect(targets.filter((target) => !existsSync(normalize(join(dirname(page), target))))).toEqual([])
  })
})
