import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll } from "vitest"
import { runHere } from "../support/CommandLine.ts"

let folder: string

/** A flow that reads two fields of a note. */
export const flow = `docflow: 1
id: note
version: 1.0.0
name: Note
document: { formats: [text/plain] }
variables:
  type: object
  properties: { wanted: { type: string } }
steps:
  - { id: read, uses: parse, with: { document: "\${{ input.document }}" } }
  - id: found
    uses: extract
    with:
      document: \${{ steps.read.document }}
      using: [rules]
      fields:
        total: { type: money, labels: [Total] }
        day: { type: date, labels: [Date] }
        seen: { type: string, labels: [Seen by] }
output:
  schema:
    type: object
    required: [total, day]
    properties:
      total: { type: [number, "null"] }
      day: { type: [string, "null"] }
  value:
    total: \${{ steps.found.values.total }}
    day: \${{ steps.found.values.day }}
`

/** A note with a total. */
export const note = (total: string) => `Note\nDate: 2026-03-14\nTotal: ${total}\nSeen by: Ada\n`

/** A file of the folder. */
export const file = (name: string) => join(folder, name)
export const write = (name: string, text: string) => writeFile(file(name), text)

/** Runs the command line with the flows folder of this test. */
export const docflow = (...words: ReadonlyArray<string>) =>
  runHere({ DOCFLOW_FLOWS_DIR: file("flows") }, ...words)

/** A test set. */
export const set = (cases: string, rest = "") => `tests: 1\n${rest}cases:\n${cases}`
export const oneCase = (expect: string) => `  - document: ../../../a.txt\n    expect: ${expect}\n`

/** A folder with the flow and a note, for the tests of a file. */
export const useFolderOfNotes = (): void => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "docflow-tests-"))
    await mkdir(file("flows/note/tests"), { recursive: true })
    await write("flows/note/1.0.0.yaml", flow)
    await write("a.txt", note("EUR 12.50"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))
}
