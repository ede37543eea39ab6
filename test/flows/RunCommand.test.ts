import { execFileSync } from "node:child_process"
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import sharp from "sharp"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { drawPdf, linesAt } from "../document/DrawPdf.ts"
import { scanPage } from "../document/Scans.ts"
import { runHere, runProcess } from "../support/CommandLine.ts"

let folder: string
const at = (name: string) => join(folder, name)

const flow = `docflow: 1
id: letter
version: 1.0.0
name: Letter
document: { formats: [text/plain, image/png] }
steps:
  - id: read
    uses: parse
    with: { document: "\${{ input.document }}" }
  - id: fields
    uses: extract
    with:
      document: \${{ steps.read.document }}
      using: [rules]
      review: { below: 0.2 }
      fields:
        reference: { type: identifier, labels: [Reference], required: true }
        sender: { type: string, labels: [From] }
output:
  value:
    reference: \${{ steps.fields.values.reference }}
    sender: \${{ steps.fields.values.sender }}
    rows: [{ a: 1, b: x }, { a: 22, b: null }]
`

const logging = `docflow: 1
id: logs
version: 1.0.0
name: Logs
document: { formats: [text/plain] }
steps: [{ id: a, uses: say-in-log, with: {} }]
output: { value: "\${{ steps.a }}" }
`

const settings = () => ({ DOCFLOW_FLOWS_DIR: at("flows"), DOCFLOW_OCR: "tesseract-js" })
const docflow = (...words: ReadonlyArray<string>) => runHere(settings(), ...words)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docflow-run-"))
  await mkdir(at("flows/letter"), { recursive: true })
  await mkdir(at("in/deep"), { recursive: true })
  await writeFile(at("flows/letter/1.0.0.yaml"), flow)
  await writeFile(at("in/a.txt"), "Reference: A-1\nFrom: =cmd|' /C calc'!A0")
  await writeFile(at("in/b.txt"), 'Reference: B-2\nFrom: Smith, "Ann"')
  await writeFile(at("in/deep/a.txt"), "Nothing here")
  await writeFile(at("in/deep/d.txt"), "Reference: D-4\nFrom: Ada")
  await writeFile(at("in/deep/skipped.log"), "Reference: E-5")
  await writeFile(at("binary.pdf"), "%PDF-1.7\n\0")
  await writeFile(at("in/.hidden.txt"), "Reference: H-6")
  await writeFile(at("old.doc"), Buffer.from("d0cf11e0a1b11ae1".padEnd(2048, "0"), "hex"))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe("docflow run on many documents", () => {
  it("runs the documents of a folder and prints a table, and writes CSV, lines of JSON and results", async () => {
    const { code, error, out } = await docflow(
      ..."run letter".split(" "),
      at("in"),
      "--concurrency",
      "3",
      "--csv",
      at("t/all.csv"),
      "--jsonl",
      at("t/all.jsonl"),
      "--out",
      at("out")
    )
    expect({ code, error }).toEqual({ code: 0, error: "" })
    const lines = out.trimEnd().split("\n")
    expect(lines[0]).toMatch(/^file +status +pages +to review$/u)
    expect(lines[3]).toMatch(/deep\/a\.txt +completed +1  reference 0 %$/u)
    expect(lines.at(-1)).toBe("4 documents: 4 completed, 1 to review, 0 failed")
    const csv = await readFile(at("t/all.csv"), "utf8")
    expect(csv.split("\r\n")[0]).toBe("file,status,review,error,reference,sender,rows")
    // A spreadsheet must not run what a stranger wrote.
    expect(csv).toContain(`,A-1,'=cmd|' /C calc'!A0,`)
    expect(csv).toContain(`,B-2,"Smith, ""Ann""",`)
    const jsonl = (await readFile(at("t/all.jsonl"), "utf8")).trimEnd().split("\n")
    expect(jsonl.map((line) => JSON.parse(line).output.reference)).toEqual(["A-1", "B-2", null, "D-4"])
    const results = await Promise.all(
      ["a", "a-2", "b", "d"].map(async (name) => JSON.parse(await readFile(at(`out/${name}.json`), "utf8")))
    )
    expect(results.map(({ output }) => output.reference)).toEqual(["A-1", null, "B-2", "D-4"])
    expect(results[0].fields.reference).toMatchObject({ status: "grounded", page: 1 })
  })

  it("takes patterns, keeps the order of its arguments, and says with its exit code what to review", async () => {
    const { code, out } = await docflow("run", "letter", at("in/*.txt"), at("in/deep/a.txt"), "--json")
    expect(code).toBe(0)
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
    expect(lines.map(({ file }) => file)).toEqual([at("in/a.txt"), at("in/b.txt"), at("in/deep/a.txt")])
    expect(lines[2].review).toEqual([
      { field: "reference", path: "/reference", reason: "No value was found.", confidence: 0 }
    ])
    const settings = { DOCFLOW_FLOWS_DIR: at("flows") }
    const reviewed = await runHere(settings, "run", "letter", at("in/deep/a.txt"), "--fail-on-review")
    expect(reviewed.code).toBe(2)
    expect(reviewed.out).toContain("Review reference: No value was found.")
  })

  it("skips what is not a file, and prints no control characters of names and documents", async () => {
    const hostile = `x\u001B]0;title\u0007\u001B[2J\u009B31m.txt`
    await mkdir(at("odd"))
    execFileSync("mkfifo", [at("odd/pipe\u001B[2J.txt")])
    await symlink(at("odd/loop.txt"), at("odd/loop.txt"))
    await writeFile(at(`odd/${hostile}`), "Reference: X-1\nFrom: \u001B[8mhidden")
    const { code, error, out } = await docflow("run", "letter", at("odd"))
    expect(code).toBe(0)
    expect(error).toContain("pipe\\u001b[2J.txt is skipped: it is a named pipe")
    expect(error).toContain("loop.txt is skipped: its links lead in a circle")
    expect(out).toContain("x\\u001b]0;title\\u0007\\u001b[2J\\u009b31m.txt: completed")
    expect(out + error).not.toMatch(/[^\P{Cc}\n]/u)
    const asJson = await docflow("run", "letter", at("odd"), "--json")
    expect(JSON.parse(asJson.out)).toMatchObject({ file: at(`odd/${hostile}`), status: "completed" })
  })

  it("prints rows with the names of their columns", async () => {
    const { out } = await docflow("run", "letter", at("in/b.txt"))
    expect(out).toContain(
      "  rows       2\n       a  b\n       1  x\n      22  –\n".replace("       a", "       a")
    )
  })

  it.each([
    ["run leter in/a.txt", 'Unknown flow "leter"', 'Did you mean "letter"?'],
    ["run letter in/aa.txt", "cannot be read", 'a.txt"?'],
    ["run letter in/*.pdf", "No file matches", "*.pdf"],
    ["run letter in/a.pdf", "cannot be read: it does not exist", 'a.txt"?'],
    ["run flows/letter in/a.txt", "Unknown flow", "Or give the path of a .yaml file"],
    ["plan flows/letter", "cannot be read: it is a folder", "Give the path of a file"],
    ["init in/a.txt", "is a file", "Give the path of a folder"],
    ["reference --steps in/steps.ts", "cannot be read: it does not exist", "Check the path"],
    ["reference --steps=", "--steps needs the path of a module", "such as ./my-steps.ts"],
    ["run flows/letter/1.0.yaml in/a.txt", "cannot be read", 'Did you mean "'],
    ["run letter in/a.txt --concurrency 0", "--concurrency must be between 1 and 64", ""]
  ])("says of %s what to do", async (line, message, advice) => {
    const { code, error } = await docflow(
      ...line.split(" ").map((word) => (/^(?:in|flows)\//u.test(word) ? at(word) : word))
    )
    expect(code).toBe(1)
    expect(error).toContain(message)
    expect(error).toContain(advice)
  })

  it.each([
    ["flows", "The file cannot be read: it is a folder.", "Give the path of a file."],
    ["binary.pdf", "The file is not text.", "Give a flow, such as flows/invoice/1.0.0.yaml."],
    ["missing.yaml", "The file cannot be read: it does not exist.", "Check the path."]
  ])("check says of %s why it is no flow", async (name, message, suggestion) => {
    const { code, out } = await docflow("check", at(name), "--json")
    expect({ code, said: JSON.parse(out).problems }).toEqual({
      code: 1,
      said: [{ file: at(name), line: 1, column: 1, path: "", message, suggestion }]
    })
  })

  it("says where no service answers, and what a folder of words is", async () => {
    const service = { ...settings(), DOCFLOW_URL: "http://127.0.0.1:1", DOCFLOW_KEY: "key" }
    const { error } = await runHere(service, "runs", "list")
    expect(error).toContain(
      "The service could not be reached: http://127.0.0.1:1. Start it with docflow serve, or set DOCFLOW_URL"
    )
    const words = await runHere({ DOCFLOW_LEXICON: at("in/a.txt") }, "run", "letter", at("in/a.txt"))
    expect(words.error).toContain("Set DOCFLOW_LEXICON to a folder with files like fr.yaml")
  })

  it("says what to do with a .doc file", async () => {
    const { code, out } = await docflow("run", "letter", at("old.doc"))
    expect(code).toBe(1)
    expect(out).toContain("The .doc format is not supported. Save the file as .docx or PDF")
  })

  it("prints nothing but results on standard output when a step logs", async () => {
    await writeFile(at("logs.yaml"), logging)
    const { error, out } = await docflow(
      ..."run --steps test/fixtures/plugins/Logging.ts".split(" "),
      at("logs.yaml"),
      at("in/a.txt"),
      "--json"
    )
    expect(JSON.parse(out)).toMatchObject({ output: { logged: true } })
    expect(error).toContain("a line of the log")
  })

  it("draws the boxes of fields", async () => {
    const page = await drawPdf([{ width: 250, height: 80, texts: linesAt(20, 40, ["Reference: QX-4711"]) }])
    await writeFile(at("scan.png"), await scanPage(page))
    // In a process of its own: where documents are read, as other tests do here, pictures of boxes cannot be drawn.
    const words = ["run", "letter", at("scan.png"), "--json", "--overlay", at("drawn")]
    const { out } = await runProcess(settings(), ...words)
    expect(JSON.parse(out)).toMatchObject({ output: { reference: "QX-4711" } })
    const { channels } = await sharp(await readFile(at("drawn/scan.png"))).stats()
    // The page is black on white; only a drawn box has colour.
    expect(channels[0]?.mean).not.toBeCloseTo(channels[1]?.mean ?? 0, 1)
  })

  it("says how position is written", async () => {
    await writeFile(at("left.yaml"), flow.replace("labels: [From]", "labels: [From], position: left"))
    expect((await docflow("check", at("left.yaml"))).out).toContain('Write "row" for a value to the left')
  })
})
