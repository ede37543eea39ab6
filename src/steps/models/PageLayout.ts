import type { Page } from "../../domain/DocumentIR.ts"
import { pageText } from "../../domain/LineText.ts"

/** Words set closely in one row. */
interface Segment {
  readonly text: string
  readonly x: number
  readonly right: number
}

interface Row {
  readonly y: number
  readonly height: number
  readonly segments: ReadonlyArray<Segment>
}

/** A column of a block: where it begins and ends on the page. */
interface Span {
  x: number
  right: number
}

/** The widest gap between words of one segment, in heights of a line. */
const widestSpace = 1
/** The widest gap between the rows of a block, in heights of a line. */
const widestGap = 2.5
/** How much longer spaces may make a block; where they would, bars separate its columns. */
const mostPadding = 1.2

const rightToLeft = /[\p{sc=Hebr}\p{sc=Arab}\p{sc=Syrc}\p{sc=Thaa}]/u

/** The segments of a line, with the spaces that are printed between their words. */
const segmentsOf = ({ bbox, text, words = [] }: Page["lines"][number]): ReadonlyArray<Segment> => {
  const whole = { text, x: bbox.x, right: bbox.x + bbox.w }
  if (rightToLeft.test(text)) return [whole]
  const segments: Array<Segment> = []
  let at = 0
  for (const word of words) {
    const from = text.indexOf(word.text, at)
    if (from === -1) return [whole]
    at = from + word.text.length
    const last = segments.at(-1)
    const { h, w, x } = word.bbox
    const gap = last === undefined ? Infinity : x - last.right
    // Words that run backwards are in no columns that could be shown.
    if (gap < -h) return [whole]
    if (last === undefined || gap > widestSpace * h) segments.push({ text: word.text, x, right: x + w })
    else
      segments[segments.length - 1] = {
        text: last.text + text.slice(from - (text[from - 1] === " " ? 1 : 0), at),
        x: last.x,
        right: x + w
      }
  }
  return segments.length === 0 ? [whole] : segments
}

/** Lines in the order of the reader; one that goes on to the right of the line before is in its row. */
const rowsOf = ({ lines }: Page): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
  for (const line of lines) {
    const before = rows.at(-1)
    const { h, y } = line.bbox
    const segments = segmentsOf(line)
    const middle = y + h / 2
    const right = before?.segments.at(-1)?.right ?? Infinity
    if (
      before !== undefined &&
      line.words !== undefined &&
      middle > before.y &&
      middle < before.y + before.height &&
      line.bbox.x >= right
    )
      rows[rows.length - 1] = { ...before, segments: [...before.segments, ...segments] }
    else rows.push({ y, height: h, segments })
  }
  return rows
}

/** Rows that follow each other closely. */
const blocksOf = (rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Row>> => {
  const blocks: Array<Array<Row>> = []
  for (const row of rows) {
    const block = blocks.at(-1)
    const before = block?.at(-1)
    const gap = before === undefined ? Infinity : row.y - (before.y + before.height)
    if (block === undefined || before === undefined || row.y < before.y || gap > widestGap * row.height)
      blocks.push([row])
    else block.push(row)
  }
  return blocks
}

const overlaps = (a: Span, b: Span): boolean => Math.min(a.right, b.right) > Math.max(a.x, b.x)

/** The columns of a block, from left to right; a text across several of them, such as a title, makes none. */
const columnsOf = (block: ReadonlyArray<Row>): ReadonlyArray<Span> => {
  const columns: Array<Span> = []
  const segments = block.flatMap(({ segments }) => segments)
  for (const { right, x } of segments.toSorted((a, b) => a.right - a.x - (b.right - b.x))) {
    const [own, ...others] = columns.filter((column) => overlaps(column, { x, right }))
    if (own === undefined) columns.push({ x, right })
    else if (others.length === 0) {
      own.x = Math.min(own.x, x)
      own.right = Math.max(own.right, right)
    }
  }
  return columns.toSorted((a, b) => a.x - b.x)
}

/** East Asian letters are as wide as two others. */
const widthOf = (text: string): number => {
  let width = 0
  for (const character of text) width += (character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1
  return width
}

const plain = ({ segments }: Row): string => segments.map(({ text }) => text).join(" ")

const lengthOf = (lines: ReadonlyArray<string>): number => lines.join("\n").length

/** The rows of a block, their columns one under the other. */
const shownBlock = (block: ReadonlyArray<Row>): ReadonlyArray<string> => {
  const columns = columnsOf(block)
  if (columns.length < 2) return block.map(plain)
  const columnOf = (segment: Segment): number =>
    Math.max(
      0,
      columns.findIndex((column) => overlaps(column, segment))
    )
  const widths = columns.map(() => 0)
  for (const { segments } of block)
    for (const segment of segments.slice(0, -1)) {
      const at = columnOf(segment)
      widths[at] = Math.max(widths[at] ?? 0, widthOf(segment.text))
    }
  const starts = widths.map((_, at) => widths.slice(0, at).reduce((sum, width) => sum + width + 2, 0))
  const spaced = block.map(({ segments }) =>
    segments.reduce((line, segment) => {
      const behind = line === "" ? 0 : widthOf(line) + 2
      const start = Math.max(behind, starts[columnOf(segment)] ?? 0)
      return line + " ".repeat(start - widthOf(line)) + segment.text
    }, "")
  )
  if (lengthOf(spaced) <= mostPadding * lengthOf(block.map(plain))) return spaced
  const barred = block.map(({ segments }) => {
    let column = 0
    return segments.reduce((line, segment, index) => {
      const bars = Math.max(index === 0 ? 0 : 1, columnOf(segment) - column)
      column = Math.max(column + bars, columnOf(segment))
      return `${line}${index === 0 ? "" : " "}${"| ".repeat(bars)}${segment.text}`
    }, "")
  })
  return lengthOf(barred) < lengthOf(spaced) ? barred : spaced
}

const squeezed = (text: string): string => text.replace(/\s+/gu, " ").trim()

/** The lines of a text file as they are written, if spaces make columns there: its page has none. */
const asWritten = (page: Page): ReadonlyArray<string> | undefined => {
  const { markdown = "" } = page
  return /\S {2,}\S/u.test(markdown) && squeezed(markdown) === squeezed(pageText(page))
    ? markdown.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trimEnd()]))
    : undefined
}

/**
 * The lines of a page as a model is shown them: what is printed side by side is separated by spaces or bars, and what is
 * in one column stays in it.
 */
export const pageLayout = (page: Page): ReadonlyArray<string> =>
  page.lines.every(({ words }) => words === undefined)
    ? page.lines.map(({ text }) => text)
    : (asWritten(page) ?? blocksOf(rowsOf(page)).flatMap(shownBlock))
