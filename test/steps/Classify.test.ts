import { Effect, Schema } from "effect"
import { describe, expect, it } from "vitest"
import { StepKind } from "../../dsl/index.ts"
import type { DocumentIR } from "../../src/domain/DocumentIR.ts"
import { classify, ClassifyConfig } from "../../src/steps/Classify.ts"
import { generate } from "../../src/steps/Generate.ts"
import { split, SplitConfig } from "../../src/steps/Split.ts"

const bbox = { x: 0, y: 0, w: 1, h: 1 }
const document = (...pages: ReadonlyArray<ReadonlyArray<string>>): DocumentIR => ({
  pages: pages.map((lines, index) => ({
    pageNumber: index + 1,
    width: 100,
    height: 100,
    lines: lines.map((text, line) => ({
      lineId: `p${index + 1}_l${line + 1}`,
      text,
      bbox,
      startChar: 0,
      endChar: 1
    }))
  })),
  extras: { pageCount: pages.length }
})

const context: StepKind.StepContext = {
  executionId: "e",
  path: "p",
  environment: "test",
  progress: () => Effect.void
}

const splitOf = (config: typeof SplitConfig.Encoded) =>
  Effect.runSync(
    Effect.map(split.run(Schema.decodeUnknownSync(SplitConfig)(config), context), ({ parts }) =>
      parts.map(({ from, signal, to }) => [from, to, signal])
    )
  )

describe("split", () => {
  it("begins a document at the words of a first page, whatever their accents", () => {
    const file = document(["INVOICE 1"], ["more"], ["Your facturé"], ["Facture n° 2"])
    expect(splitOf({ document: file, startsWith: ["Invoice", "facture"] })).toEqual([
      [1, 2, "first"],
      [3, 3, "words"],
      [4, 4, "words"]
    ])
    expect(splitOf({ document: file, startsWith: ["oice"] })).toEqual([[1, 4, "first"]])
  })

  it("trusts page numbers more than words", () => {
    const file = document(
      ["Invoice", "Page 1 of 2"],
      ["Invoice", "Page 2 of 2"],
      ["Seite 1 von 1"],
      ["1 / 2"],
      ["2 / 2"]
    )
    expect(splitOf({ document: file, startsWith: ["Invoice"] })).toEqual([
      [1, 2, "first"],
      [3, 3, "number"],
      [4, 5, "number"]
    ])
    expect(splitOf({ document: file, startsWith: ["Invoice"], pageNumbers: false })).toEqual([
      [1, 1, "first"],
      [2, 5, "words"]
    ])
  })

  it("takes blank pages for separators and leaves them out", () => {
    const file = document([], ["a"], [], [" "], ["b"], [])
    expect(splitOf({ document: file })).toEqual([
      [2, 2, "first"],
      [5, 5, "blank"]
    ])
    expect(splitOf({ document: file, blankPages: false })).toEqual([[1, 6, "first"]])
    expect(splitOf({ document: document([]) })).toEqual([])
  })
})

const classified = (config: typeof ClassifyConfig.Encoded) =>
  Effect.runSync(Effect.result(classify.run(Schema.decodeUnknownSync(ClassifyConfig)(config), context)))

describe("classify", () => {
  const classes = {
    invoice: { keywords: ["Invoice", "Due date"] },
    receipt: { keywords: ["Receipt", "Change"], not: ["Due date"] }
  }

  it("names the class with the most keywords", () => {
    expect(
      classified({ document: document(["INVOICE"], ["due  date: tomorrow", "Change"]), classes })
    ).toMatchObject({
      success: { class: "invoice", confidence: 1, scores: { invoice: 4, receipt: 0 }, by: "rules" }
    })
    expect(classified({ document: document(["Receipt", "Invoice"]), classes })).toMatchObject({
      success: { confidence: 0 }
    })
  })

  it("names none where nothing fits, and needs a model where one is asked for", () => {
    const letter = document(["Dear all, changes"])
    expect(classified({ document: letter, classes })).toMatchObject({
      success: { class: null, confidence: 0 }
    })
    const asked = classified({ document: letter, classes, using: ["rules", "llm"] })
    expect(asked).toMatchObject({
      failure: { _tag: "ModelNeeded", message: expect.stringContaining("DOCFLOW_LLM") }
    })
    expect(StepKind.failureCode(classify, { _tag: "ModelNeeded", message: "" })).toBe("PROVIDER_ERROR")
  })
})

describe("generate", () => {
  it("says which setting it needs", () => {
    expect(Effect.runSync(Effect.flip(generate.run({ prompt: "Sum up" }, context))).message).toContain(
      "DOCFLOW_LLM"
    )
  })
})
