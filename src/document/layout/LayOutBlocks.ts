import type { Table } from "../../domain/DocumentIR.ts"
import type { Block, BlockPage } from "./Blocks.ts"
import { NotReadable, type RawPage, type RawWord } from "../formats/FormatReader.ts"
import { markdownOfBlocks } from "./Markdown.ts"

/** The synthetic page: as wide as A4, lines 14 points apart, letters 6 points wide. */
const pageWidth = 595
const margin = 42
const lineHeight = 14
const letterHeight = 10
const letterWidth = 6
const columnGap = 12
const widestColumn = 240
/** A table of 40,000 rows and 20 columns; at 900,000 words a page does not fit into the memory of its reader. */
const mostWords = 800_000

class Sheet {
  readonly lines: Array<Array<RawWord>> = []
  readonly tables: Array<Table> = []
  width = pageWidth
  y = margin
  #words = 0

  /** Sets a string between two x coordinates; returns its words and its height. Words that are too long protrude. */
  set(text: string, left: number, right: number, top = this.y): { words: Array<RawWord>; bottom: number } {
    const words: Array<RawWord> = []
    let [x, y] = [left, top]
    for (const part of text.split(/\s+/u)) {
      if (part === "") continue
      if (++this.#words > mostWords) {
        throw new NotReadable(
          `The page has more than ${mostWords} words, which is the limit. Split the document.`
        )
      }
      const w = part.length * letterWidth
      if (x > left && x + w > right) {
        x = left
        y += lineHeight
      }
      words.push({ text: part, x, y, w, h: letterHeight, turn: 0 })
      this.width = Math.max(this.width, x + w + margin)
      x += w + letterWidth
    }
    return { words, bottom: y + lineHeight }
  }

  paragraph(text: string, indent = 0): void {
    for (const line of text.split("\n")) {
      const { words, bottom } = this.set(line, margin + indent, pageWidth - margin)
      if (words.length > 0) this.lines.push(words)
      this.y = bottom
    }
  }

  table(rows: ReadonlyArray<ReadonlyArray<string>>): void {
    const widths: Array<number> = []
    for (const row of rows) {
      for (const [i, cell] of row.entries()) {
        const width = Math.min(widestColumn, Math.max(letterWidth, cell.length * letterWidth))
        widths[i] = Math.max(widths[i] ?? letterWidth, width)
      }
    }
    const lefts: Array<number> = []
    let right = margin
    for (const width of widths) {
      lefts.push(right)
      right += width + columnGap
    }
    const top = this.y
    const made = rows.map((row) => this.#row(row, lefts, widths))
    this.width = Math.max(this.width, right + margin)
    this.tables.push({ bbox: { x: margin, y: top, w: right - margin, h: this.y - top }, rows: made })
    this.y += lineHeight
  }

  #row(row: ReadonlyArray<string>, lefts: ReadonlyArray<number>, widths: ReadonlyArray<number>) {
    const top = this.y
    let bottom = top + lineHeight
    const line: Array<RawWord> = []
    const places = row.map((text, i) => {
      const [left = margin, width = 0] = [lefts[i], widths[i]]
      const set = this.set(text, left, left + width, top)
      for (const word of set.words) line.push(word)
      bottom = Math.max(bottom, set.bottom)
      return { text: text.replace(/\s+/gu, " ").trim(), x: left, w: width }
    })
    if (line.length > 0) this.lines.push(line)
    this.y = bottom
    return places.map(({ text, x, w }) => ({ text, bbox: { x, y: top, w, h: bottom - top } }))
  }
}

const setBlock = (sheet: Sheet, block: Block): void => {
  switch (block.kind) {
    case "table":
      return sheet.table(block.rows)
    case "item":
      return sheet.paragraph(`${block.marker} ${block.text}`, block.depth * 2 * letterWidth)
    default:
      return sheet.paragraph(block.text)
  }
}

/**
 * Positions blocks on a synthetic page: lines are 14 points apart, wrapped at the width of A4, the cells of a table in
 * columns, with an empty line below, so that what follows is not taken for a part of its last row. A paragraph remains one
 * line, however many rows its words take.
 */
export const layOutBlocks = ({ blocks, markdown }: BlockPage): RawPage => {
  const sheet = new Sheet()
  for (const block of blocks) setBlock(sheet, block)
  return {
    width: sheet.width,
    height: Math.max(sheet.y + margin, 842),
    words: sheet.lines.flat(),
    lines: sheet.lines,
    tables: sheet.tables,
    markdown: markdown ?? markdownOfBlocks(blocks),
    drawn: false
  }
}
