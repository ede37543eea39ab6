import { assert, describe, it } from "@effect/vitest"
import { PDFDocument, PDFName } from "pdf-lib"
import * as fc from "../support/FastCheck.ts"
import { load } from "../../src/document/formats/pdf/Pdf.ts"
import { PdfWords } from "../../src/document/formats/pdf/PdfWords.ts"
import { type Drawn, type DrawnPage, drawPdf } from "./DrawPdf.ts"

const pdf = load()

const rawWords = async (page: DrawnPage) => {
  const document = await (await pdf).open(await drawPdf([page]))
  const { words } = await document.page(0)
  document.close()
  return words
}

/** The words of a page and their positions, in reading order. */
const wordsOf = async (page: DrawnPage): Promise<ReadonlyArray<string>> => {
  const words = await rawWords(page)
  return words.map(({ text, x, y }) => `${y.toFixed(1)} ${x.toFixed(1)} ${text}`).toSorted()
}

const textsOf = async (texts: ReadonlyArray<Drawn>): Promise<ReadonlyArray<string>> =>
  (await rawWords({ texts })).map(({ text }) => text)

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

/** The words of letters that are set below each other, `step` points from one to the next. */
const set = (text: string, step: number) => {
  const words = new PdfWords()
  for (const [i, letter] of [...text].entries()) {
    const box = { x: 100, y: 50 + i * step, w: 10, h: 10 }
    words.add(letter.codePointAt(0) ?? 0, box, () => ({ turn: 0, bold: false }))
  }
  return words.done().map((word) => word.text)
}

const cell = fc.oneof(
  fc.integer({ min: 0, max: 120 }).map(String),
  fc.constantFrom("a", "ab", "Y", "N", "i", "Total", "1.5", "-3", "1,200.00")
)
const table = fc
  .record({
    columns: fc.integer({ min: 1, max: 4 }),
    rows: fc.integer({ min: 2, max: 8 }),
    step: fc.double({ min: 0.85, max: 2.5, noNaN: true }),
    size: fc.integer({ min: 6, max: 14 }),
    rotate: fc.constantFrom<0 | 90 | 180 | 270>(0, 90, 180, 270),
    angle: fc.constantFrom(0, 90)
  })
  .chain((shape) =>
    fc
      .array(fc.array(cell, { minLength: shape.columns, maxLength: shape.columns }), {
        minLength: shape.rows,
        maxLength: shape.rows
      })
      .map((cells) => Object.assign({ cells }, shape))
  )

/** Letters that are all equally wide in Helvetica, each drawn on its own, as some programs do. */
const letterByLetter = (text: string, x: number, y: number): ReadonlyArray<Drawn> =>
  [...text]
    .map((letter, i) => ({ text: letter, x: x + i * 5.56, y, size: 10 }))
    .filter(({ text }) => text !== " ")

describe("words of a PDF", () => {
  it("are whole on a page of a few lines in columns, which PDFium takes for one set from top to bottom", async () => {
    const rows = [50, 59, 68].flatMap((y) =>
      letterByLetter("hound on bond", 50, y).concat(
        letterByLetter("bead do one", 250, y),
        letterByLetter("adobe had", 450, y)
      )
    )
    const words = await textsOf(rows)
    const inRow = ["hound", "on", "bond", "bead", "do", "one", "adobe", "had"]
    assert.deepStrictEqual(words.toSorted(), [...inRow, ...inRow, ...inRow].toSorted())
  })

  it("are the same where a table is drawn column by column and where it is drawn row by row", async () => {
    await fc.assert(
      fc.asyncProperty(table, async ({ angle, cells, columns, rotate, size, step }) => {
        const place = (i: number, j: number): Drawn => {
          const [along, across] = [60 + j * size * 8, 60 + i * size * step]
          const text = cells[i]?.[j] ?? ""
          return angle === 0
            ? { text, x: along, y: across, size }
            : { text, x: across + 60, y: 600 - along, size, angle }
        }
        const byRow = numbers(cells.length).flatMap((i) => numbers(columns).map((j) => place(i, j)))
        const byColumn = numbers(columns).flatMap((j) => numbers(cells.length).map((i) => place(i, j)))
        const found = await wordsOf({ texts: byColumn, rotate })
        assert.deepStrictEqual(found, await wordsOf({ texts: byRow, rotate }))
        assert.deepStrictEqual(found.map((word) => word.split(" ")[2]).toSorted(), cells.flat().toSorted())
      }),
      { numRuns: 60 }
    )
  }, 60_000)

  it("keep what is raised or lowered next to a letter", async () => {
    const found = await textsOf([
      { text: "CO", x: 60, y: 100, size: 12 },
      { text: "2", x: 78, y: 103, size: 7 },
      { text: "m", x: 120, y: 100, size: 12 },
      { text: "3", x: 130, y: 95.5, size: 7 }
    ])
    assert.deepStrictEqual(found, ["CO2", "m3"])
  })

  it("stay whole where Japanese runs down the page, and end where columns of a table do", () => {
    assert.deepStrictEqual(set("請求書", 10.5), ["請求書"])
    assert.deepStrictEqual(set("請求書", 16), ["請", "求", "書"])
    assert.deepStrictEqual(set("NYN", 10.5), ["N", "Y", "N"])
  })
})

/** Letters from right to left, as PDFium returns them: each with its box. */
const arabic = (letters: ReadonlyArray<readonly [string, number, number, number, number]>) => {
  const words = new PdfWords()
  for (const [letter, x, y, w, h] of letters)
    if (letter === " ") words.end()
    else words.add(letter.codePointAt(0) ?? 0, { x, y, w, h }, () => ({ turn: 0, bold: false }))
  return words.done().map((word) => word.text)
}

describe("letters of a cursive script", () => {
  it("are one word whatever their heights, also where PDFium parts them, in either order", () => {
    const [reh, qaf, meem] = [
      ["ر", 30, 40, 5, 14],
      ["ق", 25, 46, 5, 4],
      ["م", 20, 49, 5, 4]
    ] as const
    assert.deepStrictEqual(arabic([reh, qaf, meem]), ["رقم"])
    assert.deepStrictEqual(arabic([reh, [" ", 0, 0, 0, 0], qaf, meem]), ["رقم"])
    assert.deepStrictEqual(arabic([qaf, meem, [" ", 0, 0, 0, 0], reh]), ["رقم"])
    assert.deepStrictEqual(arabic([reh, [" ", 0, 0, 0, 0], ["ق", 21, 46, 5, 4]]), ["ر", "ق"])
  })

  it("of a ligature, whose box is shared out from left to right, are turned back", () => {
    assert.deepStrictEqual(
      arabic([
        ["ا", 30, 40, 4, 14],
        ["أ", 22, 44, 4, 10],
        ["ل", 26, 44, 4, 10]
      ]),
      ["الأ"]
    )
  })
})

describe("words of a PDF whose font is described wrongly", () => {
  it("are as high as their letters where their font states a height of five lines", async () => {
    const document = await PDFDocument.create()
    const page = document.addPage([300, 200])
    const { context } = document
    const descriptor = context.register(
      context.obj({
        Type: "FontDescriptor",
        FontName: "Arial",
        Flags: 32,
        FontBBox: [0, -2530, 1000, 2530],
        ItalicAngle: 0,
        Ascent: 2530,
        Descent: -2530,
        CapHeight: 700,
        StemV: 80
      })
    )
    const font = { Type: "Font", Subtype: "TrueType", BaseFont: "Arial", FirstChar: 32, LastChar: 126 }
    const widths = Array.from({ length: 95 }, () => 550)
    const described = { ...font, Widths: widths, FontDescriptor: descriptor, Encoding: "WinAnsiEncoding" }
    page.node.setFontDictionary(PDFName.of("F0"), context.register(context.obj(described)))
    const drawn = "BT /F0 10 Tf 20 150 Td (Date due) Tj 0 -12 Td (Dec 23, 2024) Tj ET"
    page.node.set(PDFName.of("Contents"), context.register(context.flateStream(drawn)))
    const opened = await (await pdf).open(await document.save())
    const { words } = await opened.page(0)
    opened.close()
    assert.deepStrictEqual(
      words.map(({ h, text, y }) => [text, Math.round(y), Math.round(h)]),
      [
        ["Date", 42, 10],
        ["due", 42, 10],
        ["Dec", 54, 10],
        ["23,", 54, 10],
        ["2024", 54, 10]
      ]
    )
  })
})
