import { around, type Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { lettersIn } from "./ImpliedColumns.ts"
import type { TableItem } from "./TableItems.ts"
import type { TableLine } from "./TableLines.ts"
import { textOf } from "./TableRow.ts"

/** An item and its line among those of the table. */
export interface ItemOfLine {
  readonly at: number
  readonly item: TableItem
}

/** The share of items that have text above or below them: the first or last of a page may lack it. */
const mostly = 0.85

/** How much longer the text is than what a column has that was guessed to be the one of descriptions. */
const leastGain = 2

const sum = (counts: ReadonlyArray<number>): number => counts.reduce((all, count) => all + count, 0)

/** The most lines of text that an item has. */
const mostLines = 4
const code = /^(?=.*\d)[\p{Lu}\d][\p{Lu}\d./_-]*$/u

/** The words of a row that describe an item: without the position and the codes in front of them; none where it has no words. */
const wordsOf = (row: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const first = row.findIndex(({ text }) => !code.test(text) && /\p{L}/u.test(text))
  const words = first < 0 ? [] : row.slice(first)
  return words.some(({ text }) => /\p{L}{3}/u.test(text)) ? words : []
}

const hasAmount = (row: ReadonlyArray<Token>): boolean => row.some(({ text }) => /\d[.,]\d{2}$/u.test(text))

/** The rows of text from one line of a table up to another one on its page, or up to a row with an amount. */
const textBetween = (
  { pages }: Reading,
  page: number,
  from: number,
  to: number
): ReadonlyArray<ReadonlyArray<Token>> => {
  const rows = (pages[page]?.rows ?? []).slice(from + 1, Math.min(to, from + 1 + mostLines))
  const end = rows.findIndex(hasAmount)
  return rows
    .slice(0, end < 0 ? rows.length : end)
    .map(wordsOf)
    .filter((words) => words.length > 0)
}

const hasFigures = ({ kind, values }: TableLine): boolean =>
  kind === "item" || typeof values["amount"] === "number" || typeof values["unitPrice"] === "number"

const fewestHeadings = 3

/** The row above the text of the first item of a page: that of the headings, or the one before the text where there are none. */
const rowAboveText = ({ pages }: Reading, page: number, row: number): number => {
  const tokens = pages[page]?.rows[row] ?? []
  const areHeadings =
    (tokens.at(-1)?.phrase ?? 0) >= fewestHeadings && !tokens.some(({ text }) => /\d/u.test(text))
  return areHeadings ? row : row - 1
}

/** The next line on the page of one with figures, upwards or downwards; undefined where there is none. */
const nextWithFigures = (
  lines: ReadonlyArray<TableLine>,
  at: number,
  step: 1 | -1
): TableLine | undefined => {
  for (let i = at + step; i >= 0 && i < lines.length; i += step) {
    const line = lines[i]
    if (line?.page !== lines[at]?.page) return undefined
    if (line !== undefined && hasFigures(line)) return line
  }
  return undefined
}

const described = ({ item }: ItemOfLine, text: ReadonlyArray<ReadonlyArray<Token>>): TableItem => {
  const tokens = text.flat()
  const bbox = around([item.bbox, ...tokens])
  const cells = new Map([...item.cells, ["description", tokens] as const])
  return { ...item, bbox, cells, values: { ...item.values, description: textOf(tokens) } }
}

/**
 * Items of a table without a column of descriptions, with the text of the lines below them, across all columns; above them if the first
 * item has some there. `headings` is the last row of the headings on each page.
 */
export const withTextOfItems = (
  reading: Reading,
  lines: ReadonlyArray<TableLine>,
  items: ReadonlyArray<ItemOfLine>,
  headings: ReadonlyMap<number, number>
): ReadonlyArray<ItemOfLine> => {
  const texts = items.map(({ at, item: { page } }) => {
    const row = lines[at]?.row ?? 0
    const first = rowAboveText(reading, page, headings.get(page) ?? row - 1)
    return {
      above: textBetween(reading, page, nextWithFigures(lines, at, -1)?.row ?? first, row),
      below: textBetween(reading, page, row, nextWithFigures(lines, at, 1)?.row ?? Infinity)
    }
  })
  const isAbove = (texts[0]?.above.length ?? 0) > 0
  const chosen = texts.map((text) => (isAbove ? text.above : text.below))
  if (items.length < 2 || chosen.filter((text) => text.length > 0).length < mostly * items.length)
    return items
  const now = items.map(({ item }) => lettersIn(item.cells.get("description") ?? []))
  const then = chosen.map((text) => lettersIn(text.flat()))
  if (sum(then) < leastGain * sum(now)) return items
  return items.map((own, i) => {
    const text = chosen[i] ?? []
    return text.length === 0 ? own : { at: own.at, item: described(own, text) }
  })
}
