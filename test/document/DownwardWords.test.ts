import { describe, expect, it } from "vitest"
import { withDownwardWords } from "../../src/document/formats/pdf/DownwardWords.ts"
import type { RawWord } from "../../src/document/formats/FormatReader.ts"
import { compactPage } from "../../src/document/process/CompactPage.ts"

/** Characters below each other from `y` on, each a word of its own, as high as `room` although they are ten points apart. */
const below = (text: string, x: number, y: number, room = 10, step = 10): Array<RawWord> =>
  [...text].map((letter, i): RawWord => ({ text: letter, x, y: y + i * step, w: 10, h: room, turn: 0 }))

const textsOf = (words: Array<RawWord>): ReadonlyArray<string> =>
  withDownwardWords(words).map(({ text }) => text)

const linesOf = (words: Array<RawWord>): ReadonlyArray<string> =>
  compactPage({ width: 595, height: 842, words: withDownwardWords(words), drawn: true }).text.split("\n")

/** Six columns of a block, from right to left. */
const block = (name: string, y: number) =>
  Array.from({ length: 6 }, (_, i) =>
    below(`${name}の文章の第${"一二三四五六"[i]}行です`, 300 - i * 18, y)
  ).flat()

describe("text that is set from top to bottom", () => {
  it.each([10, 28])("is one word a column, where the font gives a character %d points of height", (room) => {
    expect(textsOf(below("請求の案内です", 300, 100, room))).toEqual(["請求の案内です"])
  })

  it("is joined across flat characters, punctuation and numbers that are set upright", () => {
    const flat: RawWord = { text: "一", x: 300, y: 124, w: 10, h: 1, turn: 0 }
    const comma: RawWord = { text: "、", x: 307, y: 131, w: 3, h: 3, turn: 0 }
    const number: RawWord = { text: "12", x: 300, y: 140, w: 10, h: 10, turn: 0 }
    const words = [...below("十二", 300, 100), flat, comma, number, ...below("月末", 300, 150)]
    expect(textsOf(words)).toEqual(["十二一、12月末"])
  })

  it("is read in columns from right to left, after what is set across", () => {
    const title: RawWord = { text: "見出し", x: 50, y: 40, w: 30, h: 10, turn: 0 }
    const words = [title, ...below("最初の行です", 300, 100), ...below("次の行です", 282, 100)]
    expect(linesOf(words)).toEqual(["見出し", "最初の行です", "次の行です"])
  })

  it("is read one block after the other where two are below each other", () => {
    const lines = linesOf([...block("上", 100), ...block("下", 260)])
    expect(lines.map((line) => line[0]).join("")).toBe("上上上上上上下下下下下下")
  })

  it("is not seen in the cells of a table, nor in a label of two characters", () => {
    const cells = below("個個式個個", 300, 100, 10, 15)
    expect(textsOf(cells)).toEqual(["個", "個", "式", "個", "個"])
    expect(textsOf(below("備考", 300, 100))).toEqual(["備", "考"])
  })
})
