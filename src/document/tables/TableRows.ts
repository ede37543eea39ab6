import type { RawWord, Ruling } from "../formats/FormatReader.ts"
import { median } from "./TableCells.ts"
import { textOfWords } from "../../domain/LineText.ts"

/** A line of text of a table, put into its columns. */
export interface Line {
  readonly cells: ReadonlyArray<ReadonlyArray<RawWord>>
  /** Whether a word or segment crosses several columns. */
  readonly spans: boolean
  readonly top: number
  readonly bottom: number
}

type Cells = Array<ReadonlyArray<RawWord>>

const isFigure = (words: ReadonlyArray<RawWord>): boolean => {
  const text = words.map((word) => word.text).join("")
  return /\d/u.test(text) && !/\p{L}{3,}/u.test(text)
}

const filled = (line: Line): number => line.cells.filter((cell) => cell.length > 0).length

const join = (a: ReadonlyArray<ReadonlyArray<RawWord>>, b: ReadonlyArray<ReadonlyArray<RawWord>>): Cells =>
  Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [...(a[i] ?? []), ...(b[i] ?? [])])

/** Whether a ruling separates two lines of text, across most of the table. */
const isParted = (
  above: Line,
  below: Line,
  rulings: ReadonlyArray<Ruling>,
  left: number,
  right: number
): boolean => {
  const [from, to] = [(above.top + above.bottom) / 2, (below.top + below.bottom) / 2]
  let covered = 0
  for (const ruling of rulings) {
    if (ruling.axis !== "horizontal" || ruling.at <= from || ruling.at >= to) continue
    covered += Math.max(0, Math.min(ruling.to, right) - Math.max(ruling.from, left))
  }
  return covered > 0.5 * (right - left)
}

/** The number of lines in the head: those before the first one with figures. */
const headLength = (lines: ReadonlyArray<Line>): number => {
  const first = lines.findIndex(({ cells }) => {
    const rest = cells.slice(1).filter((cell) => cell.length > 0)
    return rest.length > 0 && rest.filter(isFigure).length >= 0.5 * rest.length
  })
  return first < 0 ? 0 : first
}

const startsLower = (words: ReadonlyArray<RawWord>): boolean => /^[\p{Ll}(]/u.test(words[0]?.text ?? "")

/** Whether a line continues the line before it: a cell that is too long for its column. */
const goesOn = (before: Line, line: Line, gap: number, usual: number): boolean => {
  if (line.spans || before.spans || gap > Math.max(0.6 * (line.bottom - line.top), 1.2 * usual)) return false
  const [first = [], ...rest] = line.cells
  const others = rest.filter((cell) => cell.length > 0)
  if (first.length > 0) {
    // A label continues below; its figures are next to its first line.
    return others.length === 0 && startsLower(first) && (before.cells[0] ?? []).length > 0
  }
  return others.length > 0 && !others.some(isFigure) && others.length <= 0.6 * filled(before) + 0.5
}

/** Whether a line begins a label of several lines whose figures are next to the last one. */
const leadsOn = (before: Line, line: Line, gap: number): boolean => {
  const first = line.cells[0] ?? []
  return (
    !before.spans &&
    filled(before) === 1 &&
    (before.cells[0] ?? []).length > 0 &&
    startsLower(first) &&
    filled(line) > 1 &&
    gap < 0.6 * (line.bottom - line.top) &&
    !/[.:]$/u.test(textOfWords(before.cells[0] ?? []))
  )
}

/** Joins the lines of text of a table into rows. Drawn lines separate rows. */
export const mergeLines = (
  lines: ReadonlyArray<Line>,
  rulings: ReadonlyArray<Ruling>,
  height: number
): Array<ReadonlyArray<ReadonlyArray<RawWord>>> => {
  const words = lines.flatMap(({ cells }) => cells.flat())
  const left = Math.min(...words.map(({ x }) => x))
  const right = Math.max(...words.map(({ x, w }) => x + w))
  const gaps = lines.slice(1).map((line, i) => Math.max(0, line.top - (lines[i]?.bottom ?? 0)))
  const usual = median(gaps)
  const parted = lines.map((line, i) => {
    const before = lines[i - 1]
    return before !== undefined && isParted(before, line, rulings, left, right)
  })
  // Where nearly every row is ruled off, the lines between two rulings are one row.
  const byRulings = parted.filter(Boolean).length >= 0.35 * lines.length && lines.length >= 4
  const head = headLength(lines)
  const rows: Array<ReadonlyArray<ReadonlyArray<RawWord>>> = []
  for (const [i, line] of lines.entries()) {
    const [before, last] = [lines[i - 1], rows.at(-1)]
    const gap = gaps[i - 1] ?? 0
    const joined =
      before !== undefined &&
      last !== undefined &&
      parted[i] !== true &&
      (byRulings ||
        (i < head && !before.spans && gap < 0.7 * height) ||
        goesOn(before, line, gap, usual) ||
        leadsOn(before, line, gap))
    if (joined) rows[rows.length - 1] = join(last, line.cells)
    else rows.push(line.cells)
  }
  return rows
}
