import type { Table } from "../../domain/DocumentIR.ts"
import { textOfWords } from "../../domain/LineText.ts"
import type { RawPage, RawWord } from "../formats/FormatReader.ts"
import { readingOrder } from "../layout/Columns.ts"
import { findTables } from "../tables/FindTables.ts"
import { markdownOfPage } from "../layout/MarkdownOfPage.ts"
import { uprightBox } from "../layout/Upright.ts"

/**
 * A page in few objects, as it travels from a child process: the words of a line joined with a space, the lines with a
 * line feed, and four numbers (x, y, w, h) a word.
 */
export interface CompactPage {
  readonly width: number
  readonly height: number
  readonly text: string
  readonly boxes: Float32Array
  /** One number a word, where the words were recognised in a picture. */
  readonly confidences?: Float32Array
  readonly drawn: boolean
  readonly tables: ReadonlyArray<Table>
  readonly markdown: string
}

/** The words of a page in lines, the upright ones first, then those that run another way. */
const linesOf = (page: RawPage): ReadonlyArray<ReadonlyArray<RawWord>> => {
  if (page.lines !== undefined) return page.lines
  const lines: Array<ReadonlyArray<RawWord>> = []
  for (const turn of [0, 1, 2, 3] as const) {
    const originals = new Map(
      page.words
        .filter((word) => word.turn === turn)
        .map((word) => [{ ...word, ...uprightBox(word, turn, page) }, word])
    )
    for (const row of readingOrder([...originals.keys()])) {
      lines.push(row.words.map((word) => originals.get(word) ?? word))
    }
  }
  return lines
}

/** Arranges the words of a page in lines and finds its tables. */
export const compactPage = (page: RawPage): CompactPage => {
  const lines = linesOf(page)
  const ordered = lines.flat()
  const boxes = new Float32Array(ordered.length * 4)
  for (const [i, word] of ordered.entries()) boxes.set([word.x, word.y, word.w, word.h], i * 4)
  const { width, height, drawn, tables = findTables(page) } = page
  const { markdown = markdownOfPage(lines, tables) } = page
  const text = lines.map((line) => textOfWords(line)).join("\n")
  const compact = {
    width,
    height,
    text,
    boxes,
    drawn,
    tables,
    markdown
  }
  return ordered.some((word) => word.confidence !== undefined)
    ? { ...compact, confidences: Float32Array.from(ordered, (word) => word.confidence ?? 0) }
    : compact
}
