import { describe, expect, it } from "vitest"
import type { RawWord } from "../../src/document/formats/FormatReader.ts"
import { readingOrder } from "../../src/document/layout/Columns.ts"

/** Lines of text in a column: each word is as wide as 5 points a letter. */
const column = (x: number, top: number, pitch: number, lines: ReadonlyArray<string>): Array<RawWord> =>
  lines.flatMap((line, i) => {
    let at = x
    return line.split(" ").map((text): RawWord => {
      const word = { text, x: at, y: top + i * pitch, w: text.length * 5, h: 10, turn: 0 as const }
      at += (text.length + 1) * 5
      return word
    })
  })

const prose = (name: string, count = 12): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, i) => `${name} goes on with line ${"abcdefghijklmnop"[i]}`)

const textOf = (words: ReadonlyArray<RawWord>): ReadonlyArray<string> =>
  readingOrder(words).map((row) => row.words.map(({ text }) => text).join(" "))

/** Words from 100 points down in lines of 12, those of one line moved to the right. */
const shifted = (words: ReadonlyArray<RawWord>, line: number, by: number): ReadonlyArray<RawWord> =>
  words.map((word) => Object.assign({}, word, { x: word.x + (word.y === 100 + line * 12 ? by : 0) }))

describe("reading order", () => {
  it.each([3, 4])("reads %d columns one after the other", (count) => {
    const names = ["First", "Second", "Third", "Fourth"].slice(0, count)
    const words = names.flatMap((name, i) => column(40 + i * 160, 100, 12, prose(name)))
    expect(textOf(words)).toEqual(names.flatMap((name) => prose(name)))
  })

  it("reads columns under a title that spans them, whose lines are not level", () => {
    const words = [
      ...column(40, 60, 12, ["A title that reaches over all of the columns below it"]),
      ...column(40, 100, 12, prose("First")),
      ...column(200, 103, 11, prose("Second")),
      ...column(360, 97, 13, prose("Third"))
    ]
    expect(textOf(words).slice(1)).toEqual([...prose("First"), ...prose("Second"), ...prose("Third")])
  })

  it("reads a table next to text after the text", () => {
    const table = ["Oak 120", "Elm 80", "Ash 45", "Fir 12"]
    const words = [...column(40, 100, 12, prose("First")), ...column(240, 105, 15, table)]
    expect(textOf(words)).toEqual([...prose("First"), ...table])
  })

  const left = column(40, 100, 12, prose("First"))
  // Ten points of gutter, as much as the letters are high.
  const right = column(175, 100, 12, prose("Second"))

  it("reads columns whose lines reach into the gutter here and there", () => {
    const ragged = [...shifted(left, 4, 3), ...shifted(right, 7, -2.8)]
    expect(textOf(ragged)).toEqual([...prose("First"), ...prose("Second")])
  })

  it("reads columns with a stain between them", () => {
    const stain: RawWord = { text: "=", x: 166, y: 148, w: 4, h: 10, turn: 0 }
    expect(textOf([...left, stain, ...right]).map((line) => line.replace(" =", ""))).toEqual([
      ...prose("First"),
      ...prose("Second")
    ])
  })

  it("reads a table row by row", () => {
    const words = [
      ...column(40, 100, 14, [
        "Oak table large",
        "Chair of pine",
        "Lamp with shade",
        "Desk in white",
        "Shelf for books"
      ]),
      ...column(260, 100, 14, ["2", "4", "1", "3", "9"]),
      ...column(330, 100, 14, ["20.00", "40.00", "10.00", "30.00", "90.00"])
    ]
    expect(textOf(words)[0]).toBe("Oak table large 2 20.00")
  })
})
