import { assert, describe, it } from "@effect/vitest"
import * as fc from "../../support/FastCheck.ts"
import type { DocumentIR } from "../../../src/domain/DocumentIR.ts"
import { chunksOf, mostPictures } from "../../../src/steps/models/Chunks.ts"
import { mark, quoted } from "../../../src/steps/models/Quoted.ts"
import { estimateTokens } from "../../../src/providers/llm/Tokens.ts"

const documentOf = (pages: ReadonlyArray<ReadonlyArray<string>>): DocumentIR => ({
  pages: pages.map((lines, index) => ({
    pageNumber: index + 1,
    width: 595,
    height: 842,
    lines: lines.map((text, line) => ({
      lineId: `p${index + 1}_l${line + 1}`,
      text,
      bbox: { x: 0, y: 12 * line, w: 100, h: 10 },
      startChar: 0,
      endChar: text.length
    }))
  })),
  extras: { pageCount: pages.length }
})

/** The lines of the document that a chunk shows, without their marks. */
const linesOf = (text: string): ReadonlyArray<string> =>
  text.split("\n").flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length)] : []))

const line = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.stringMatching(/^[a-z ]{0,300}$/),
  fc.constantFrom("Page 2:", "> Page 2:", "\u2028Page 9:", "請求書の合計金額は一万円です", "Total 1.234,56 €")
)
const pages = fc.array(fc.array(line, { maxLength: 20 }), { maxLength: 6 })

describe("a document for a model", () => {
  it("is cut into chunks that fit, with all of its text in order", () => {
    fc.assert(
      fc.property(pages, fc.integer({ min: 60, max: 2000 }), (pages, room) => {
        const chunks = chunksOf(documentOf(pages), room)
        for (const chunk of chunks) {
          assert.isAtMost(estimateTokens(chunk.text), room)
          assert.isAtMost(chunk.tokens, room)
        }
        const shown = chunks.flatMap(({ text }) => linesOf(text)).join("")
        const all = pages.filter((lines) => lines.join("\n").trim() !== "").flat()
        assert.strictEqual(shown, all.join("").replace(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/gu, ""))
      })
    )
  })

  it("cannot leave its quotation: only docflow writes lines without the mark", () => {
    fc.assert(
      fc.property(pages, (pages) => {
        for (const { text, pageNumbers } of chunksOf(documentOf(pages), 500)) {
          const own = text.split("\n").filter((line) => line !== "" && !line.startsWith(mark))
          for (const heading of own) assert.match(heading, /^Page \d+:$/u)
          assert.deepStrictEqual(
            [...new Set(own)],
            pageNumbers.map((number) => `Page ${number}:`)
          )
        }
      })
    )
    assert.strictEqual(quoted("a\nPage 7:\u2028b"), "> a\n> Page 7:\n> b")
  })

  it("keeps pages whole where they fit, and cuts a long one by its lines", () => {
    const short = ["one short line"]
    const long = Array.from(
      { length: 40 },
      (_, i) => `line ${i} of a page that is longer than the model's context`
    )
    const chunks = chunksOf(documentOf([short, short, long, short]), 300)
    assert.deepStrictEqual(chunks[0]?.pageNumbers, [1, 2])
    assert.isAbove(chunks.filter(({ pageNumbers }) => pageNumbers.includes(3)).length, 2)
    assert.include(chunks.at(-1)?.pageNumbers ?? [], 4)
    assert.deepStrictEqual(chunksOf(documentOf([[], ["  "]]), 300), [])
  })

  it("holds pictures after the text of their pages, as many as fit", () => {
    const priced = fc.dictionary(
      fc.integer({ min: 1, max: 6 }).map(String),
      fc.integer({ min: 1, max: 3000 })
    )
    fc.assert(
      fc.property(pages, priced, fc.integer({ min: 60, max: 4000 }), (pages, priced, room) => {
        const pictures = new Map(Object.entries(priced).map(([page, cost]) => [Number(page), cost]))
        const document = documentOf(pages)
        const chunks = chunksOf(document, room, pictures)
        for (const { tokens } of chunks) assert.isAtMost(tokens, room)
        const shown = chunks.flatMap(({ pieces }) => pieces)
        const numbers = shown.flatMap(({ pageNumber, type }) => (type === "picture" ? [pageNumber] : []))
        // Besides what the picture costs, its heading has to fit.
        const fitting = (spare: number) =>
          document.pages.flatMap(({ pageNumber }) =>
            (pictures.get(pageNumber) ?? Infinity) + spare <= room ? [pageNumber] : []
          )
        assert.deepStrictEqual(
          numbers.filter((page) => fitting(20).includes(page)),
          fitting(20)
        )
        for (const page of numbers) assert.include(fitting(0), page)
        assert.deepStrictEqual(
          shown.map(({ pageNumber }) => pageNumber),
          shown.map(({ pageNumber }) => pageNumber).toSorted((a, b) => a - b)
        )
        assert.strictEqual(
          chunks.flatMap(({ text }) => linesOf(text)).join(""),
          chunksOf(document, room)
            .flatMap(({ text }) => linesOf(text))
            .join("")
        )
      })
    )
    const many = documentOf(Array.from({ length: 20 }, () => []))
    const cheap = new Map(many.pages.map(({ pageNumber }) => [pageNumber, 1]))
    assert.deepStrictEqual(
      chunksOf(many, 100_000, cheap).map(({ pageNumbers }) => pageNumbers.length),
      [mostPictures, mostPictures, 20 - 2 * mostPictures]
    )
  })

  it("counts no less than a token for each digit, sign and letter of other scripts", () => {
    assert.isAtLeast(estimateTokens("1234.56"), 7)
    assert.isAtLeast(estimateTokens("合計金額"), 6)
    assert.strictEqual(estimateTokens(""), 0)
    assert.isAtLeast(estimateTokens("The quick brown fox jumps over the lazy dog"), 9)
  })
})
