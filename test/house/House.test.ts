import { describe, expect, it } from "vitest"
import { allSteps } from "../../src/steps/All.ts"
import { read, typescriptIn } from "./Files.ts"

const shipped = typescriptIn("src", "dsl")
const everything = [...shipped, ...typescriptIn("test", "bench", "scripts", "examples")]

/** A rule about one file: what is wrong with it, if anything. */
type Rule = (file: string, source: string) => ReadonlyArray<string>

const broken = (files: ReadonlyArray<string>, rule: Rule): ReadonlyArray<string> =>
  files.flatMap((file) => rule(file, read(file)).map((problem) => `${file}: ${problem}`))

const shortEnough: Rule = (_, source) => {
  const lines = source.trimEnd().split("\n").length
  return lines > 300 ? [`${lines} lines, at most 300`] : []
}

const escapes = /@ts-(?:ignore|nocheck|expect-error)|(?:ox|es)lint-disable|[:<,|&]\s*any\b(?!\s*[:(]| [A-Z])/

const typed: Rule = (file, source) =>
  source.split("\n").flatMap((line, index) => {
    const comment = /^\s*(?:\*|\/\*\*|\/\/ )/.test(line) && !/@ts-|disable/.test(line)
    // A test of types proves that something does not compile.
    const code = file.endsWith(".test.ts") ? line.replace(/@ts-expect-error.*/, "") : line
    return !comment && escapes.test(code)
      ? [`line ${index + 1} turns the type checker or the linter off`]
      : []
  })

const cast: Rule = (_, source) =>
  source
    .split("\n")
    .flatMap((line, index) =>
      /\bas (?:unknown as|never)\b/.test(line) && !/^\s*(?:\*|\/\/)/.test(line)
        ? [`line ${index + 1} casts through unknown or never`]
        : []
    )

const timely: Rule = (_, source) =>
  source
    .split("\n")
    .flatMap((line, index) =>
      /\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(/.test(line)
        ? [`line ${index + 1} takes the time or chance past Clock or Random, where no test can set it`]
        : []
    )

const seeded: Rule = (file, source) =>
  /from "fast-check"$/mu.test(source) && file !== "test/support/FastCheck.ts"
    ? ["imports fast-check past test/support/FastCheck.ts, which fixes the seed"]
    : []

const named: Rule = (file) => {
  const name = file.split("/").at(-1) ?? ""
  return /^(?:[A-Z][A-Za-z0-9]*|main|index)\.ts$/.test(name)
    ? []
    : ["is not in PascalCase (or main.ts, index.ts)"]
}

const lowerCase: Rule = (file) =>
  file
    .split("/")
    .slice(0, -1)
    .every((folder) => /^[a-z][a-z0-9-]*$/.test(folder))
    ? []
    : ["is in a folder that is not in lower or kebab case"]

/** Names that are fixed by what reads them: one a folder. */
const fixedNames = new Set(["index.ts", "main.ts", "Main.ts"])

/** The files that share their name with another one. */
const shared = (files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const byName = Map.groupBy(files, (file) => file.split("/").at(-1) ?? "")
  return [...byName].flatMap(([name, same]) =>
    same.length > 1 && !fixedNames.has(name) ? [same.join(" and ")] : []
  )
}

/** Step kinds say by their own properties what is special about them: nobody asks for one by its name. */
const namesNoKind: Rule = (_, source) =>
  source.split("\n").flatMap((line, index) => {
    const [, kind] = /\b(?:kind|kind\.name|uses) [!=]== "([\w-]+)"/u.exec(line) ?? []
    return kind !== undefined && allSteps.kinds.has(kind)
      ? [`line ${index + 1} asks for the kind ${kind}`]
      : []
  })

describe("the house", () => {
  it("has files to look at", () => {
    expect(shipped.length).toBeGreaterThan(10)
  })

  it("keeps every file under 300 lines", () => {
    expect(broken(everything, shortEnough)).toEqual([])
  })

  it("never turns the type checker off", () => {
    expect(
      broken(
        everything.filter((file) => file !== "test/house/House.test.ts"),
        typed
      )
    ).toEqual([])
  })

  it("casts nothing through unknown or never", () => {
    expect(broken(shipped, cast)).toEqual([])
  })

  it("takes the time from Clock and chance from Random", () => {
    expect(broken(shipped, timely)).toEqual([])
  })

  it("tries the same examples of properties in every run", () => {
    expect(broken(typescriptIn("test"), seeded)).toEqual([])
  })

  it("names its files in PascalCase", () => {
    expect(broken(shipped, named)).toEqual([])
  })

  it("names its folders in lower case", () => {
    expect(broken(everything, lowerCase)).toEqual([])
  })

  it("gives every file of src and dsl a name of its own", () => {
    expect(shared(shipped)).toEqual([])
    expect(shared(["src/a/Intake.ts", "src/b/Intake.ts"])).toHaveLength(1)
  })

  it("asks for no step kind by its name", () => {
    expect(broken(shipped, namesNoKind)).toEqual([])
    expect(namesNoKind("src/A.ts", `if (kind.name === "fail") return`)).toHaveLength(1)
    expect(namesNoKind("src/A.ts", `if (uses !== "extract") return`)).toHaveLength(1)
    expect(namesNoKind("src/A.ts", `if (node.kind === "map") return`)).toEqual([])
  })

  it.each([
    "const x: any = 1",
    "const f = (x: Array<any>) => x",
    "// @ts-ignore",
    "  // oxlint-disable-next-line no-console",
    "let x: string | any"
  ])("would notice %s", (line) => {
    expect(typed("src/A.ts", line)).toHaveLength(1)
  })

  it.each([
    "/** Of several, any of them. */",
    "const s = Effect.any(x)",
    " * either, or any",
    "interface A { any: string }"
  ])("does not mind %s", (line) => expect(typed("src/A.ts", line)).toEqual([]))

  it("would notice a long file, a cast, a clock and a name", () => {
    expect(timely("src/A.ts", "const now = Date.now()")).toHaveLength(1)
    expect(timely("src/A.ts", "const at = new Date(row.at)")).toEqual([])
    expect(shortEnough("src/A.ts", "a\n".repeat(301))).toHaveLength(1)
    expect(cast("src/A.ts", "f(x as unknown as string)")).toHaveLength(1)
    expect(named("src/steps/parse.ts", "")).toHaveLength(1)
  })
})
