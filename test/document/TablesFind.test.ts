import { assert, describe, it } from "@effect/vitest"
import { findTables } from "../../src/document/tables/FindTables.ts"
import type { RawPage, RawWord, Ruling } from "../../src/document/formats/FormatReader.ts"

/** Words of 6 points a letter from a place on; `y` is the top of their line. */
const words = (x: number, y: number, text: string): ReadonlyArray<RawWord> => {
  let at = x
  return text.split(" ").map((part) => {
    const word: RawWord = { text: part, x: at, y, w: part.length * 6, h: 11, turn: 0 }
    at += word.w + 3
    return word
  })
}

const h = (at: number, from: number, to: number): Ruling => ({ axis: "horizontal", at, from, to })
const v = (at: number, from: number, to: number): Ruling => ({ axis: "vertical", at, from, to })

const page = (all: ReadonlyArray<RawWord>, rulings: ReadonlyArray<Ruling> = []): RawPage => ({
  width: 595,
  height: 842,
  words: all,
  drawn: true,
  rulings
})

const texts = (raw: RawPage) =>
  findTables(raw).map(({ rows }) => rows.map((row) => row.map(({ text }) => text)))

/** Rows of cells at columns 150 points wide, 16 points apart. */
const rowsAt = (top: number, rows: ReadonlyArray<ReadonlyArray<string>>, pitch = 16) =>
  rows.flatMap((row, i) =>
    row.flatMap((cell, j) => (cell === "" ? [] : words(50 + j * 150, top + i * pitch, cell)))
  )

const figures = [
  ["Item", "Amount", "Price"],
  ["Paper", "10", "4.00"],
  ["Ink", "2", "12.50"],
  ["Pens", "", "1.00"]
]

describe("tables between lines", () => {
  const grid = [
    ...[90, 120, 150, 180].map((y) => h(y, 40, 340)),
    v(40, 90, 180),
    v(190, 120, 180),
    v(340, 90, 180)
  ]

  it("puts a cell over two columns, and lines of one cell, where they begin", () => {
    const all = [
      ...words(50, 100, "Both columns"),
      ...words(50, 121, "first"),
      ...words(50, 134, "second"),
      ...words(200, 128, "b"),
      ...words(50, 160, "c"),
      ...words(200, 160, "d")
    ]
    assert.deepStrictEqual(texts(page(all, grid)), [
      [
        ["Both columns", ""],
        ["first second", "b"],
        ["c", "d"]
      ]
    ])
  })

  it("takes a frame around text for no table", () => {
    const frame = [h(90, 40, 560), h(400, 40, 560), v(40, 90, 400), v(560, 90, 400)]
    const all = Array.from({ length: 8 }, (_, i) =>
      words(50, 100 + i * 14, "some words that make a whole line")
    ).flat()
    assert.deepStrictEqual(texts(page(all, frame)), [])
  })

  it("reads the rows of a table whose columns alone are ruled", () => {
    const lines = [h(95, 40, 490), h(170, 40, 490), ...[40, 190, 340, 490].map((x) => v(x, 95, 170))]
    assert.deepStrictEqual(texts(page(rowsAt(100, figures), lines)), [figures])
  })

  it("reads a table that is printed sideways", () => {
    const turned = [...grid].map((ruling): Ruling =>
      ruling.axis === "horizontal"
        ? v(595 - ruling.at, ruling.from, ruling.to)
        : h(ruling.at, 595 - ruling.to, 595 - ruling.from)
    )
    const all = [
      ...words(50, 130, "a"),
      ...words(200, 130, "b"),
      ...words(50, 160, "c"),
      ...words(200, 160, "d")
    ]
    const sideways = all.map(({ h, text, w, x, y }): RawWord => ({
      text,
      x: 595 - y - h,
      y: x,
      w: h,
      h: w,
      turn: 1
    }))
    assert.deepStrictEqual(texts(page(sideways, turned)), [
      [
        ["a", "b"],
        ["c", "d"]
      ]
    ])
  })
})

describe("tables without lines", () => {
  it("finds columns of figures, and several tables on a page", () => {
    const all = [...rowsAt(100, figures), ...words(50, 250, "And then"), ...rowsAt(400, figures)]
    assert.deepStrictEqual(texts(page(all)), [figures, figures])
  })

  it("splits columns under a heading that reaches over them", () => {
    const all = [...words(160, 84, "Everything in thousands of euros"), ...rowsAt(100, figures)]
    const found = texts(page(all))[0]
    assert.deepStrictEqual(found?.slice(-3), figures.slice(1))
  })

  it("joins a label that takes two lines", () => {
    const rows = [
      ...figures.slice(0, 3),
      ["Paper of", "1", "2.00"],
      ["another kind", "", ""],
      ["Pens", "3", "1.00"]
    ]
    const found = texts(page(rowsAt(100, rows, 13)))[0]
    assert.isTrue(found?.some((row) => row.join("|") === "Paper of another kind|1|2.00"))
  })

  it("takes text in two columns, lists and paragraphs for no tables", () => {
    const prose = Array.from({ length: 10 }, (_, i) => [
      ...words(50, 100 + i * 13, "these words fill a column of text here"),
      ...words(320, 100 + i * 13, "and those are in the other column too")
    ]).flat()
    const list = Array.from({ length: 6 }, (_, i) => [
      ...words(50, 100 + i * 13, `${i + 1}.`),
      ...words(80, 100 + i * 13, "a point of some length that goes on")
    ]).flat()
    const paragraph = Array.from({ length: 6 }, (_, i) =>
      words(50, 100 + i * 13, "just a paragraph of words")
    ).flat()
    for (const all of [prose, list, paragraph]) assert.deepStrictEqual(texts(page(all)), [])
  })

  it("takes text in three narrow columns for no table", () => {
    const lines = [
      ["the council of towns", "built walls that last", "and nobody knew who"],
      ["had asked farmers if", "through three winters", "would pay for bridges"],
      ["water came too early", "but stones are heavy", "when rivers had risen"],
      ["from hills with snow", "so carts were needed", "above the old meadow"],
      ["until June every year", "every spring by hand", "and timber ran short"],
      ["was over.", "of all men and women", "in the valley below"]
    ]
    assert.deepStrictEqual(texts(page(rowsAt(100, lines))), [])
  })
})
