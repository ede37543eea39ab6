import { mkdir, readFile } from "node:fs/promises"
import { resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { runHere } from "../support/CommandLine.ts"
import { listAt, textAt } from "../support/Json.ts"
import { docflow, file, note, oneCase, set, write, useFolderOfNotes } from "./NoteFolder.ts"

useFolderOfNotes()

describe("docflow test", () => {
  it("says so where there is no test set", async () => {
    const { code, error } = await docflow("test", "note")
    expect({ code, error }).toEqual({
      code: 1,
      error: expect.stringContaining("No test set found for")
    })
  })

  it("counts by field, shows what differs, and fails", async () => {
    await write("flows/note/tests/a.yaml", set(oneCase('{ total: 12.5, day: 2026-03-15, seen: "ADA " }')))
    const { code, out } = await docflow("test", "note")
    expect(code).toBe(1)
    expect(out).toContain("does not hold (67 % of the expectations, all must hold)")
    expect(out).toMatch(/day +0 +1 +0 +0 %/u)
    expect(out).toMatch(/seen +1 +0 +0 +100 %/u)
    expect(out).toMatch(/source +values +wrong\n +rules +3 +1\n/u)
    expect(out).toMatch(
      /a\.txt: day: expected "2026-03-15", got "2026-03-14" \(\d+ % sure, page 1, from "2026-03-14"\)/u
    )
    expect(out).not.toContain("\u001B")
  })

  it("says how well the confidences match the truth", async () => {
    await write("flows/note/tests/a.yaml", set(oneCase('{ total: 12.5, day: 2026-03-15, seen: "ADA " }')))
    const { out } = await docflow("test", "note")
    expect(out).toMatch(/confidence +values +stated +right\n +0\.\d to [01]\.\d +\d +\d+ % +\d+ %\n/u)
    expect(out).toMatch(/Brier score 0\.\d{3} \(0 is best\), AUC [01]\.\d{3} \(1 is best/u)
    const [read] = listAt(JSON.parse((await docflow("test", "note", "--json")).out), "sets")
    expect(read).toMatchObject({ confidences: { values: 3, bins: expect.any(Array) } })
  })

  it("holds from the minimum on, with JSON and nothing else", async () => {
    await write(
      "flows/note/tests/a.yaml",
      set(oneCase("{ total: 12.501, day: { anyOf: [2026-03-15] } }"), "flow: note\nminimum: 0.5\n")
    )
    const { code, out } = await docflow("test", "note", "--json")
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({
      flow: "note",
      version: "1.0.0",
      holds: true,
      sets: [
        {
          accuracy: 0.5,
          fields: [
            { field: "total", right: 1, wrong: 0, missing: 0 },
            { field: "day", right: 0, wrong: 1, missing: 0 }
          ],
          sources: [{ source: "rules", values: 2, wrong: 1 }],
          failures: [
            { checked: { path: "day", verdict: "wrong", evidence: { status: "grounded", page: 1 } } }
          ]
        }
      ]
    })
  })

  it("says where a test set is wrong, and what was meant", async () => {
    await write(
      "wrong.yaml",
      `tests: 1
flow: notes
cases:
  - document: nowhere.txt
    variabels: {}
    expect:
      totl: 1
      total[0: 2
      day: { is: 2026-03-14, exat: true }
  - document: a.txt
    variables: { wanted: 3 }
    status: completed
    error: INVALID_DOCUMENT
`
    )
    const { code, out } = await docflow("test", "note", file("wrong.yaml"), "--json")
    expect(code).toBe(1)
    const problems = listAt(JSON.parse(out), "problems").map(
      (one) => `${JSON.stringify(one).replace(/.*"line":(\d+).*/u, "$1")} ${textAt(one, "message")}`
    )
    expect(problems).toEqual([
      '2 This test set is for the flow "notes", and the flow is "note".',
      "4 File not found: nowhere.txt.",
      expect.stringContaining('5 Unknown key "variabels"'),
      '7 The output has no "totl" here; known: total, day, seen.',
      expect.stringContaining('8 "total[0" is not a path'),
      expect.stringContaining('9 Unknown key "exat"'),
      "13 A case that completes has no error."
    ])
    expect(out).toContain('Did you mean \\"total\\"?')
  })

  it("is what docflow check says of a test set, too", async () => {
    await write("flows/note/tests/a.yaml", set(oneCase("{ totl: 1 }")))
    const { code, out } = await docflow("check", file("flows/note/tests/a.yaml"))
    expect(code).toBe(1)
    expect(out).toContain('a.yaml:4:15: The output has no "totl" here; known: total, day, seen.')
    await write("flows/note/tests/a.yaml", set(oneCase("{ total: 12.5 }")))
    const { code: good, out: said } = await docflow("check", file("flows/note/tests/a.yaml"))
    expect({ good, said }).toEqual({
      good: 0,
      said: expect.stringMatching(/the test set \(1 case\) has no problems\n$/u)
    })
  })

  it("expects failures, too", async () => {
    await write(
      "fails.yaml",
      set(`  - { document: ${resolve("examples/invoice.pdf")}, error: INVALID_DOCUMENT }\n`)
    )
    const { code, out } = await docflow("test", "note", file("fails.yaml"))
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("holds") })
    await write("fails.yaml", set(`  - { document: a.txt, error: PROVIDER_ERROR }\n`))
    const { out: wrong } = await docflow("test", "note", file("fails.yaml"))
    expect(wrong).toContain("a.txt: expected that it fails; it completed")
  })
})

describe("docflow test in CI", () => {
  it("counts nothing as right in a run that fails, even where nothing was expected", async () => {
    const empty = `  - { document: ${resolve("examples/invoice.pdf")}, expect: { seen: null, total: 1 } }\n`
    await write("refused.yaml", set(empty))
    const { code, out } = await docflow("test", "note", file("refused.yaml"), "--json")
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      code: 1,
      holds: false,
      sets: [{ accuracy: 0, failures: [{ message: expect.stringContaining("expected that it completes") }] }]
    })
  })

  it("lists every value, by issuer and over all sets, and writes JUnit XML", async () => {
    await write("b.txt", note("EUR 7"))
    const cases = ["a", "b"].map(
      (name) => `  - { document: ${name}.txt, issuer: Firm <${name}>, expect: { total: 12.5 } }\n`
    )
    await write("firms.yaml", set(cases.join("")))
    await write("one.yaml", set("  - { document: a.txt, expect: { total: 12.5 } }\n"))
    const files = [file("firms.yaml"), file("one.yaml")]
    const { out } = await docflow("test", "note", ...files, "--json", "--junit", file("results.xml"))
    expect(JSON.parse(out)).toMatchObject({
      summary: { sets: 2, holding: 1, cases: 3, values: 3, right: 2 },
      sets: [
        {
          issuers: [
            { issuer: "Firm <a>", right: 1, values: 1 },
            { issuer: "Firm <b>", right: 0, values: 1 }
          ],
          cases: [{ checked: [{ path: "total", verdict: "right", actual: 12.5 }] }, {}]
        },
        {}
      ]
    })
    const xml = await readFile(file("results.xml"), "utf8")
    expect(xml).toMatch(/<testsuite name="[^"]*firms\.yaml" tests="2" failures="1">/u)
    expect(xml).toMatch(/name="b\.txt"><failure message="total: expected 12\.5, got 7 /u)
    expect((await docflow("test", "note", ...files)).out).toMatch(
      /1 of 2 test sets hold: 2 of 3 values in 3 documents are right/u
    )
  })

  it("compares two runs, and fails if a value is no longer right", async () => {
    await write("one.yaml", set("  - { document: a.txt, expect: { total: 12.5 } }\n", "minimum: 0\n"))
    const { out } = await docflow("test", "note", file("one.yaml"), "--json")
    await write("before.json", out)
    const again = await docflow("test", "note", file("one.yaml"), "--baseline", file("before.json"))
    expect(again).toMatchObject({ code: 0 })
    await write("one.yaml", set("  - { document: a.txt, expect: { total: 13 } }\n", "minimum: 0\n"))
    const worse = await docflow("test", "note", file("one.yaml"), "--baseline", file("before.json"))
    expect(worse.code).toBe(1)
    expect(worse.out).toMatch(/became wrong: .*one\.yaml: a\.txt: total/u)
  })
})

describe("docflow test --record", () => {
  it("keeps what models answer, and needs none from then on", async () => {
    await mkdir(file("flows/echo/tests"), { recursive: true })
    await write(
      "flows/echo/1.0.0.yaml",
      `docflow: 1
id: echo
version: 1.0.0
name: Echo
document: { formats: [text/plain] }
steps: [{ id: said, uses: generate, with: { prompt: Hello } }]
output: { value: { text: "\${{ steps.said.text }}" } }
`
    )
    await write("flows/echo/tests/a.yaml", set(oneCase("{ text: { contains: Hello } }")))
    const without = await docflow("test", "echo")
    expect(without.code).toBe(1)
    expect(without.out).toContain("PROVIDER_ERROR: No answer of a model is recorded for this test set.")
    const recorded = await runHere(
      { DOCFLOW_FLOWS_DIR: file("flows"), DOCFLOW_LLM: "echo" },
      "test",
      "echo",
      "--record"
    )
    expect({ ...recorded, error: "" }).toMatchObject({
      code: 0,
      out: expect.stringContaining("1 recorded answer of models")
    })
    const kept = await readFile(file("flows/echo/tests/a.answers.json"), "utf8")
    expect(JSON.parse(kept)).toMatchObject({ answers: 1, models: { "": { name: "echo" } } })
    expect((await docflow("test", "echo")).code).toBe(0)
    await write(
      "flows/echo/1.0.0.yaml",
      (await readFile(file("flows/echo/1.0.0.yaml"), "utf8")).replace("Hello", "Hi")
    )
    expect((await docflow("test", "echo")).out).toContain("No answer of echo is recorded for this request")
  })
})
