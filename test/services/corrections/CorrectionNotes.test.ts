import { describe, expect, it } from "vitest"
import { notesOf } from "../../../src/services/corrections/CorrectionNotes.ts"

const saved = { accepted: false, by: "key 1", at: "2026-11-28T10:00:00.000Z" }
const cell = { step: "fields", field: "lines", row: 0, column: "amount", value: 3, ...saved }
const total = { step: "fields", field: "total", value: 7120, ...saved }
const all = { learns: true, learned: new Set(["fields total"]), taught: [] }

const said = (value: number, ...documents: ReadonlyArray<string>) => ({
  step: "fields",
  field: "total",
  value,
  documents
})

describe("notes about corrections", () => {
  it("say what is not learned: a flow without examples, and cells of tables", () => {
    expect(notesOf([total], all)).toEqual([])
    expect(notesOf([cell], all)).toMatchObject([
      { field: "lines", message: expect.stringMatching(/tables/u) }
    ])
    expect(notesOf([total], { ...all, learns: false })).toMatchObject([
      { field: "total", kind: "not-learned", message: expect.stringMatching(/Add examples to `using`/u) }
    ])
  })

  it("say which checked documents contradict a value, and nothing where one agrees", () => {
    const [note] = notesOf([total], { ...all, taught: [said(7210, "a", "b")] })
    expect(note?.message).toMatch(/^2 checked documents of this supplier say 7210; you say 7120\./u)
    expect(notesOf([total], { ...all, taught: [said(7210, "a", "b"), said(7120, "c")] })).toEqual([])
  })
})
