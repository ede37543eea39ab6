import type { DocumentIR, Line, Page } from "../../domain/DocumentIR.ts"
import { hasHeadings } from "./ProposedTable.ts"

/** A label and the value printed next to it on a page. */
export interface PrintedPair {
  readonly label: string
  readonly value: string
  readonly page: number
  /** Whether one document is enough to tell that it is a pair; otherwise several must have the label, with other values. */
  readonly certain: boolean
}

/** A gap between two words of a line that is wider than this part of the line's height separates columns. */
const columnGap = 1.2
const longestLabel = 40
const mostPairs = 400

/** A part of a line, and where it begins. */
interface Segment {
  readonly text: string
  readonly x: number
}

/** The parts of a line that wide gaps separate; a line without words is one part. */
const segmentsOf = ({ bbox, text, words = [] }: Line): ReadonlyArray<Segment> => {
  if (words.length === 0) return [{ text: text.trim(), x: bbox.x }]
  const segments: Array<Array<(typeof words)[number]>> = []
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]
    const gap = before === undefined ? Infinity : word.bbox.x - (before.bbox.x + before.bbox.w)
    if (gap > columnGap * bbox.h) segments.push([])
    segments.at(-1)?.push(word)
  }
  return segments.map((segment) => ({
    text: segment
      .map((word) => word.text)
      .join(" ")
      .trim(),
    x: segment[0]?.bbox.x ?? bbox.x
  }))
}

/** Whether a string can be a label: one to six words that begin with a letter and hold more letters than digits. */
const isLabel = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const digits = text.match(/\p{N}/gu)?.length ?? 0
  return (
    text.length <= longestLabel &&
    text.split(/\s+/u).length <= 6 &&
    letters >= 2 &&
    digits <= 1 &&
    /^\p{L}/u.test(text)
  )
}

/** Whether a string next to a label without a colon is a value by its form: it has a digit and is short. */
const looksLikeValue = (text: string): boolean =>
  /\p{N}/u.test(text) && text.length <= 40 && text.split(/\s+/u).length <= 4

/** `Balance due £148.00` without a gap: a label of up to four words, and a last word with a digit. */
const labelAndFigure = /^((?:\p{L}[\p{L}.'/-]*\s+){0,3}\p{L}[\p{L}.'/-]*)\s*[.#№]?\s+(\S*\p{N}\S*)$/u

/** Check boxes, and lines or dots to write on. */
const blank = /[☐☑☒□■▢]|\[[ xX]?\]|_{3,}|\.{4,}|…{2,}/u

const pairsOf = (
  segments: ReadonlyArray<Segment>,
  page: number,
  below: (segment: Segment) => string | undefined
): ReadonlyArray<PrintedPair> => {
  const pairs: Array<PrintedPair> = []
  for (let index = 0; index < segments.length; index++) {
    const own = segments[index]
    if (own === undefined) break
    const segment = own.text
    const next = segments[index + 1]?.text ?? ""
    const inline = /^([^::]+?)\s*[::]\s+(\S.*)$/u.exec(segment)
    const [, label = segment.replace(/\s*[::]$/u, ""), value] = inline ?? []
    const [, figured, figure] = labelAndFigure.exec(segment) ?? []
    const endsInColon = /[::]$/u.test(segment)
    const isBefore = next !== "" && isLabel(label) && (endsInColon || segments.length === 2)
    const certain = endsInColon || looksLikeValue(next)
    if (value !== undefined) {
      if (isLabel(label)) pairs.push({ label, value, page, certain: true })
    } else if (isBefore && (certain || figured === undefined)) {
      pairs.push({ label, value: next, page, certain })
      index++
    } else if (figured !== undefined && figure !== undefined && !endsInColon) {
      pairs.push({ label: figured, value: figure, page, certain: false })
    } else if (isLabel(label)) {
      const under = below(own)
      if (under !== undefined) pairs.push({ label, value: under, page, certain: false })
    }
  }
  return pairs
}

/** The lines of a page that are not rows of a table with headings. */
const linesOutside = ({ lines, tables = [] }: Page): ReadonlyArray<Line> => {
  const boxes = tables.filter(hasHeadings).map(({ bbox }) => bbox)
  return lines.filter(({ bbox }) => {
    const middle = bbox.y + bbox.h / 2
    return !boxes.some(({ h, y }) => middle > y && middle < y + h)
  })
}

/** How far below a label its value is printed at most, in heights of the label's line. */
const maxBelow = 2.5

/** The text that begins under a part of a line, unless it is a label itself. */
const textUnder =
  (lines: ReadonlyArray<Line>, { bbox }: Line) =>
  ({ x }: Segment): string | undefined => {
    const next = lines.find(({ bbox: { h, y } }) => y > bbox.y + bbox.h / 2 && y - bbox.y < maxBelow * h)
    const under = next && segmentsOf(next).find((segment) => Math.abs(segment.x - x) < bbox.h)
    return under === undefined || /[::]/u.test(under.text) ? undefined : under.text
  }

/**
 * The labels of a document with the values to their right, as `Policy: 4711`, `Policy    4711` or `Policy 4711`, or below, in
 * reading order; up to 400. Rows of tables with headings have none.
 */
export const printedPairs = (document: DocumentIR): ReadonlyArray<PrintedPair> =>
  document.pages
    .flatMap((page) => {
      const lines = linesOutside(page)
      return lines.flatMap((line) => pairsOf(segmentsOf(line), page.pageNumber, textUnder(lines, line)))
    })
    .filter(({ label, value }) => !blank.test(label) && !blank.test(value) && /[\p{L}\p{N}]/u.test(value))
    .slice(0, mostPairs)
