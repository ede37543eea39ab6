import { describe, expect, it } from "vitest"
import type { PageModel, Token } from "../../../src/extraction/layout/PageModel.ts"
import { headingCells } from "../../../src/extraction/tables/HeadingCells.ts"

const names = new Map([
  ["preis", new Set(["unitPrice"])],
  ["betrag", new Set(["amount"])]
])

/** A row of words at these x, 20 points below the one before. */
const row = (at: number, words: ReadonlyArray<readonly [text: string, x: number, w: number]>): Array<Token> =>
  words.map(([text, x, w]) => ({
    text,
    folded: text.toLowerCase().replace(/[^a-z0-9]/gu, ""),
    x,
    y: 100 + 20 * at,
    w,
    h: 10,
    phrase: 1
  }))

const page = (...rows: ReadonlyArray<Array<Token>>): PageModel => ({
  pageNumber: 1,
  width: 595,
  height: 842,
  rows,
  lineHeight: 10,
  toPage: (box) => box
})

const headings = row(0, [
  ["Preis", 100, 28],
  ["Betrag", 131, 35]
])
const across = [["1250,00", 110, 40]] as const
const under = [
  ["12,50", 100, 26],
  ["25,00", 138, 28]
] as const

describe("the cells of headings", () => {
  it("are parted or not as the rows below the last one say, whatever was asked before", () => {
    const model = page(headings, row(1, across), row(2, across), row(3, under))
    const cells = headingCells(model, names)
    // Figures of most rows below lie across the place where the two names meet.
    expect(cells(0, 0).map(({ folded }) => folded)).toEqual(["preisbetrag"])
    // Of the rows below the second one, they do in one of two.
    expect(cells(0, 1).length).toBeGreaterThan(1)
    expect(cells(0, 0).map(({ folded }) => folded)).toEqual(["preisbetrag"])
    expect(cells(0, 1)).toEqual(headingCells(model, names)(0, 1))
  })
})
