import { execFile } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { runHere, runProcess } from "../support/CommandLine.ts"

let folder: string

const flow = (version: string, formats: string) => `docflow: 1
id: one
version: ${version}
name: One
document: { formats: [${formats}] }
steps: [{ id: a, uses: transform, with: { value: {} } }]
output: { value: "\${{ steps.a }}" }
`
const write = (name: string, text: string) => writeFile(join(folder, name), text)

const settings = () => ({ DOCFLOW_FLOWS_DIR: join(folder, "flows") })

/** Runs the command line with the flows folder of this test. */
const docflow = (...words: ReadonlyArray<string>) => runHere(settings(), ...words)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docflow-commands-"))
  await mkdir(join(folder, "flows/one"), { recursive: true })
  await write("flows/one/1.0.0.yaml", flow("1.0.0", "application/pdf"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("docflow plan", () => {
  it("refuses a bump that is too small", async () => {
    await write("draft.yaml", flow("1.0.1", "application/pdf, image/png"))
    const { code, out } = await docflow("plan", join(folder, "draft.yaml"), "--json")
    expect(code).toBe(1)
    expect(JSON.parse(out)).toEqual({
      bump: "minor",
      reasons: ["minor: the format image/png is accepted"],
      ok: false,
      needs: "1.1.0",
      from: "1.0.0",
      version: "1.0.1"
    })
  })

  it("agrees to one that is enough, and compares a published file with the one before it", async () => {
    await write("flows/one/1.1.0.yaml", flow("1.1.0", "application/pdf, image/png"))
    const { code, out } = await docflow("plan", join(folder, "flows/one/1.1.0.yaml"))
    expect({ code, out }).toEqual({
      code: 0,
      out: "one 1.1.0 after 1.0.0: is right\n  minor: the format image/png is accepted\n"
    })
  })

  it("reports the problems of a draft", async () => {
    await write("bad.yaml", flow("1.2.0", "application/pdf").replace("steps.a", "steps.b"))
    const { code, out } = await docflow("plan", join(folder, "bad.yaml"), "--json")
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      ok: false,
      reasons: [expect.stringContaining('No step is called "b"')]
    })
  })
})

describe("docflow graph and reference", () => {
  it("draw a flow by its id, and print the language", async () => {
    expect((await docflow("graph", "one")).out).toContain("flowchart TD")
    expect((await docflow("reference")).out).toContain("### parse")
  })
})

describe("docflow check", () => {
  it("is plain where its output is no terminal", async () => {
    const { code, out } = await docflow("check", join(folder, "flows/one/1.0.0.yaml"))
    expect({ code, out }).toEqual({ code: 0, out: expect.stringMatching(/one 1\.0\.0 has no problems\n$/u) })
    expect(out).not.toContain("\u001B")
  })

  it("shows what a flow may ask of models, as the plan of its version does", async () => {
    const bound = "models: at most 100 requests and 500000 tokens per credit"
    const file = "flows/contract-summary/1.0.0.yaml"
    expect((await docflow("check", file)).out).toMatch(new RegExp(`has no problems; ${bound}\n$`, "u"))
    expect((await docflow("plan", file)).out).toContain(`  ${bound}\n`)
    const capped = join(folder, "capped.yaml")
    await writeFile(
      capped,
      (await readFile(file, "utf8")).replace("\ncredits:", "\nmaxTokens: 9000\ncredits:")
    )
    expect((await docflow("check", capped)).out).toContain(`${bound}, and at most 9000 tokens\n`)
  })

  it("checks files of a lexicon", async () => {
    const file = join(folder, "de.yaml")
    await writeFile(file, "words:\n  months: January=Jänner\nfields:\n  invoice.numer: { labels: Vorgang }\n")
    const { code, out } = await docflow("check", file)
    expect(code).toBe(1)
    expect(out).toMatch(/de\.yaml:4:[^]*invoice\.numer/u)
    await writeFile(file, "fields:\n  invoice.number: { labels: Vorgang }\n")
    expect(await docflow("check", file)).toMatchObject({ code: 0 })
  })

  it("suggests a flow for the call of one that does not exist", async () => {
    const file = join(folder, "call.yaml")
    const call = "  - { id: a, uses: flow, with: { flow: oen, document: '${{ input.document }}' } }"
    await writeFile(
      file,
      `docflow: 1\nid: call\nversion: 1.0.0\nname: Call\ndocument: { formats: [text/plain] }\nsteps:\n${call}\noutput: { value: {} }\n`
    )
    const { out } = await docflow("check", file)
    expect(out).toMatch(/Unknown flow "oen"\. Available: .*one.*\n[^]*Did you mean "one"\?/u)
  })
})

const hasTerminals = existsSync("/usr/bin/script")

describe.skipIf(!hasTerminals)(`in a terminal${hasTerminals ? "" : " (skipped: no /usr/bin/script)"}`, () => {
  it("check has colours, and run a line of progress that is redrawn in place and gone at the end", async () => {
    const [valid, text] = [join(folder, "flows/one/1.0.0.yaml"), join(folder, "text.yaml")]
    await write("text.yaml", flow("1.0.0", "text/plain"))
    const letters = ["first.txt", "second.txt"].map((name) => join(folder, name))
    await Promise.all(letters.map((file) => writeFile(file, "Dear reader")))
    const program = `'${process.execPath}' src/cli/Main.ts`
    const commands = `stty cols 40; ${program} check '${valid}'; ${program} run '${text}' '${letters.join("' '")}'`
    const { stdout } = await promisify(execFile)("/usr/bin/script", ["-qec", commands, "/dev/null"], {
      env: {
        PATH: "/usr/bin:/bin",
        HOME: folder,
        TERM: "xterm",
        NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"]
      }
    })
    expect(stdout).toContain(`\u001B[32m${valid}: one 1.0.0 has no problems\u001B[0m`)
    const redrawn = stdout.split("\r\u001B[K").map((line) => line.split("\r")[0] ?? "")
    expect(redrawn).toEqual(expect.arrayContaining([expect.stringMatching(/^1 of 2/u), "2 of 2"]))
    expect(
      Math.max(...redrawn.filter((line) => / of 2/u.test(line)).map(({ length }) => length))
    ).toBeLessThan(40)
    expect(redrawn.at(-1)).not.toMatch(/ of 2/u)
  })
})

describe("a setting that cannot be used", () => {
  const draft = flow("1.0.0", "text/plain").replace(
    "{ value: {} }",
    "{ value: { parts: [{ name: a, rows: [{ x: 1, y: b }], none: [] }], note: null } }"
  )
  const runWith = async (settings: Readonly<Record<string, string>>) => {
    await write("nested.yaml", draft)
    await write("letter.txt", "Dear reader")
    return runHere(settings, "run", join(folder, "nested.yaml"), join(folder, "letter.txt"))
  }

  it("stops no command that does without it; the output shows what is inside lists", async () => {
    const { code, out } = await runWith({ DOCFLOW_LLM: "olama:x" })
    expect(out).toBe(
      [
        `${join(folder, "letter.txt")}: completed`,
        "  parts  1",
        "      - name  a",
        "        rows  1",
        "            x  y",
        "            1  b",
        "        none  none",
        "  note   –",
        ""
      ].join("\n")
    )
    expect(code).toBe(0)
  })

  it("is named where it stops one", async () => {
    const { code, error } = await runWith({ DOCFLOW_OCR: "nope" })
    expect(error).toContain('docflow: DOCFLOW_OCR: Expected "auto"')
    expect(code).toBe(1)
  })

  it("is named once where the service does not start", async () => {
    const { code, error } = await runProcess(
      { DOCFLOW_LLM: "olama:x", DOCFLOW_DATA_DIR: join(folder, "data") },
      "serve"
    )
    expect(error.match(/DOCFLOW_LLM/gu)).toHaveLength(1)
    expect(code).toBe(1)
  })

  it("is named where a module of the service cannot be loaded", async () => {
    const broken = [
      "src/app/Serve.ts",
      "export const serve =",
      'throw new Error("no such library")\nexport const serve ='
    ]
    const { code, error } = await runProcess(
      {
        NODE_OPTIONS: `--import=${pathToFileURL(resolve("test/chaos/Mutate.ts")).href}`,
        CHAOS_MUTATION: JSON.stringify([broken])
      },
      "serve"
    )
    expect([code, error]).toEqual([1, "docflow: no such library\n"])
  })
})
