import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { version } from "../../src/support/Version.ts"
import { runHere } from "../support/CommandLine.ts"

let folder: string
const at = (name: string) => join(folder, name)
const docflow = (...words: ReadonlyArray<string>) =>
  runHere({ DOCFLOW_FLOWS_DIR: at("flows"), DOCFLOW_OCR: "tesseract-js" }, ...words)

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docflow-new-"))
  await mkdir(at("in/deep"), { recursive: true })
  await writeFile(at("in/b.txt"), 'Reference: B-2\nFrom: Smith, "Ann"')
  await writeFile(at("in/deep/a.txt"), "Nothing here")
  await writeFile(at("in/deep/d.txt"), "Reference: D-4\nFrom: Ada")
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A note of a sender with labels of its own, and boxes to fill in. */
const note = (...rows: ReadonlyArray<readonly [label: string, value: string]>): string =>
  `<table>${rows.map(([label, value]) => `<tr><td>${label}</td><td>${value}</td></tr>`).join("")}</table>
  <p>Checked by: ____________</p><p>Received: ☐ yes ☐ no</p>`

/** A document whose pairs have no colons, and a table. */
const stay = (owner: string, number: string, rows: ReadonlyArray<readonly [string, number, string]>) => `
  <h1>Hollow Oak Kennels</h1><p>Open daily from 8</p><p>Stay no. ${number}</p>
  <table><tr><td>Owner</td><td>${owner}</td></tr><tr><td>Opening hours</td><td>by appointment</td></tr></table>
  <table><tr><th>Service</th><th>Qty</th><th>Cost</th></tr>${rows
    .map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join("")}</tr>`)
    .join("")}</table>`

describe("docflow new and init", () => {
  it("start a project whose flow has no problems and whose test set holds", async () => {
    const project = at("project")
    expect((await docflow("init", project)).code).toBe(0)
    expect((await docflow("init", project)).error).toContain("exists. Choose an empty folder")
    const workflow = await readFile(join(project, ".github/workflows/flows.yml"), "utf8")
    expect(workflow).toContain(`docflow-${version}.tgz`)
    // Without --no, npx would run whatever package has that name in the registry.
    expect(workflow.match(/npx .*docflow/gu)).toEqual(Array(2).fill("npx --no docflow"))
    const settings = { DOCFLOW_FLOWS_DIR: join(project, "flows") }
    expect((await runHere(settings, "test", "letter")).out).toContain("holds (100 %")
  })

  it.each(["extract", "text", "model"])(
    "write a flow without problems from the template %s",
    async (template) => {
      const { code, out } = await docflow("new", "flow", `my-${template}`, "--template", template)
      expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining("Next:") })
      expect((await docflow("check", at(`flows/my-${template}/1.0.0.yaml`))).code).toBe(0)
    }
  )

  it("write a flow with the fields of example documents", async () => {
    const { out } = await docflow(
      "new",
      "flow",
      "mail",
      "--from",
      at("in/b.txt"),
      "--from",
      at("in/deep/d.txt")
    )
    expect(out).toMatch(/reference +identifier +Reference +2 of 2 +B-2/u)
    const ran = await docflow("run", "mail", at("in/deep/d.txt"), "--json")
    expect(JSON.parse(ran.out).output).toEqual({ reference: "D-4", from: "Ada" })
    expect((await docflow("new", "flow", "mail")).error).toContain("exists. Choose another id")
    expect((await docflow("new", "flow", "My Flow")).error).toContain("not a valid id")
    expect((await docflow("new", "flow", "none", "--from", at("in/deep/a.txt"))).error).toContain(
      "No field found"
    )
  })

  it("write a flow with labels that only several examples show, and with their table", async () => {
    await writeFile(at("stay-1.html"), stay("Maria Fernsby", "S-20418", [["Boarding", 4, "126.00"]]))
    await writeFile(
      at("stay-2.html"),
      stay("Tom Achterberg", "S-20433", [
        ["Boarding", 7, "154.00"],
        ["Walk", 2, "12.50"]
      ])
    )
    // A shell writes the names in place of --from stay-*.html.
    const { out } = await docflow("new", "flow", "stay", "--from", at("stay-1.html"), at("stay-2.html"))
    expect(out.split("\n").map((line) => line.split(/ {2,}/u).slice(0, 3).join(" "))).toEqual(
      expect.arrayContaining(["stayNo identifier Stay no.", "owner string Owner", "lines table 2 of 2"])
    )
    expect(out).not.toContain("opening")
    const ran = await docflow("run", "stay", at("stay-2.html"), "--json")
    expect(JSON.parse(ran.out).output).toEqual({
      stayNo: "S-20433",
      owner: "Tom Achterberg",
      lines: [
        { service: "Boarding", qty: 7, cost: 154 },
        { service: "Walk", qty: 2, cost: 12.5 }
      ]
    })
    expect((await docflow("new", "flow", "other", at("stay-1.html"))).error).toContain("Write --from before")
  })

  it("write a flow with what several issuers print under labels of their own", async () => {
    const notes = [
      note(
        ["Delivery note no.", "DN-20418"],
        ["Date", "2026-03-02"],
        ["Your order", "PO-7731"],
        ["Gross weight", "7,210 kg"],
        ["Customer", "Northwind Bakery"]
      ),
      note(
        ["Delivery note no.", "DN-20455"],
        ["Date", "2026-03-09"],
        ["Your order", "PO-7790"],
        ["Gross weight", "980 kg"],
        ["Customer", "Harlan Tools"]
      ),
      note(
        ["Delivery Note Number:", "88213"],
        ["Delivery date:", "14 March 2026"],
        ["Order No:", "45001"],
        ["Weight:", "1250.5 kg"],
        ["Ship to:", "Casa Verde"]
      ),
      note(
        ["Delivery Note Number:", "88377"],
        ["Delivery date:", "21 March 2026"],
        ["Order No:", "45017"],
        ["Weight:", "640 kg"],
        ["Ship to:", "Blue Lantern Inn"]
      ),
      note(
        ["Packing slip #", "Q/551"],
        ["Ship date", "03/04/2026"],
        ["PO number", "9917"],
        ["Total weight", "412 kg"],
        ["Deliver to", "Olive Street Market"]
      )
    ]
    const files = notes.map((_, index) => at(`note-${index}.html`))
    for (const [index, text] of notes.entries()) await writeFile(at(`note-${index}.html`), text)
    const { out } = await docflow("new", "flow", "note", "--from", ...files)
    const rows = out.split("\n").map((line) => line.split(/ {2,}/u))
    expect(
      rows
        .slice(1, rows.indexOf(rows.find(([first]) => first === "") ?? []))
        .map(([name, type, , found]) => [name, type, found])
    ).toEqual([
      ["deliveryNoteNo", "identifier", "5 of 5"],
      ["date", "date", "5 of 5"],
      ["yourOrder", "identifier", "5 of 5"],
      ["grossWeight", "number", "5 of 5"],
      ["customer", "string", "5 of 5"]
    ])
  })
})
