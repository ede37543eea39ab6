import { cp, readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { Docflow } from "../../src/index.ts"
import { docflow, file, flow, note, oneCase, set, write, useFolderOfNotes } from "./NoteFolder.ts"

useFolderOfNotes()

describe("docflow test --calibrate", () => {
  it("refuses to fit on next to nothing", async () => {
    await write("few.yaml", set(oneCase("{ total: 12.5 }").replace("../../../", "")))
    const { code, error } = await docflow("test", "note", file("few.yaml"), "--calibrate")
    expect(code).toBe(1)
    expect(error).toContain(
      "1 value with a confidence from 1 document of 1 issuer; at least 40 values from 8 issuers are needed"
    )
  })

  it("stores a calibration that every run applies, and that changes neither value nor place", async () => {
    const [document, cases] = [note("EUR 12.50"), Array<string>()]
    for (let index = 0; index < 20; index++) {
      await write(`${index}.txt`, document)
      // Every second day is another, and three of four persons: what is said of them is wrong so often.
      const day = index % 2 === 0 ? "2026-03-15" : "2026-03-14"
      cases.push(
        `  - { document: ${index}.txt, expect: { total: 12.5, day: ${day}, seen: ${index % 4 === 0 ? "Ada" : "Bob"} } }\n`
      )
    }
    await write("many.yaml", set(cases.join(""), "minimum: 0.5\n"))
    await using embedded = Docflow.open()
    const before = await embedded.run(file("flows/note/1.0.0.yaml"), Buffer.from(document))
    const { code, out } = await docflow("test", "note", file("many.yaml"), "--calibrate")
    expect(code).toBe(0)
    expect(out).toMatch(/1\.0\.0\.calibration\.json: fitted on 60 values of 20 documents, 25 of them wrong/u)
    expect(out).toMatch(/at confidence ≥ 0\.5: \d+ % of the values/u)
    const after = await embedded.run(file("flows/note/1.0.0.yaml"), Buffer.from(document))
    const { confidence, score, ...day } = after.fields["day"] ?? { confidence: 0 }
    expect({ ...day, confidence: score }).toEqual(before.fields["day"])
    expect(confidence).toBeGreaterThan(0.4)
    expect(confidence).toBeLessThan(0.9)
    expect(after.output).toEqual(before.output)
    // Testing again, or calibrating again, starts from the scores and not from what was made of them.
    const stored = await readFile(file("flows/note/1.0.0.calibration.json"), "utf8")
    await docflow("test", "note", file("many.yaml"), "--calibrate")
    expect(await readFile(file("flows/note/1.0.0.calibration.json"), "utf8")).toBe(stored)
  })

  it("stores nothing that it judges worse", async () => {
    const cases = Array.from({ length: 20 }, (_, index) => {
      const day = index % 2 === 0 ? "2026-03-15" : "2026-03-14"
      return `  - { document: ${index}.txt, expect: { total: 12.5, day: ${day}, seen: Ada } }\n`
    })
    await write("worse.yaml", set(cases.join(""), "minimum: 0.5\n"))
    const stored = await readFile(file("flows/note/1.0.0.calibration.json"), "utf8")
    const { code, error } = await docflow("test", "note", file("worse.yaml"), "--calibrate")
    expect({ code, error }).toMatchObject({ code: 1, error: expect.stringContaining("Nothing was stored.") })
    expect(await readFile(file("flows/note/1.0.0.calibration.json"), "utf8")).toBe(stored)
  })

  it("reports a calibration that is broken, and does without", async () => {
    await cp(file("flows/note/1.0.0.yaml"), file("flows/note/1.0.1.yaml"))
    await write("flows/note/1.0.1.yaml", flow.replace("version: 1.0.0", "version: 1.0.1"))
    await write("flows/note/1.0.1.calibration.json", "{}")
    const { code, error, out } = await docflow("run", "note", file("a.txt"), "--json")
    expect(code).toBe(0)
    expect(error).toContain("1.0.1.calibration.json:1:1: The file is not a calibration")
    expect(out).not.toContain('"score"')
  })
})
