import type { Box, Page, Word } from "../../domain/DocumentIR.ts"

/** The words of a page, each with its box. */
export const pageWords = ({ lines }: Page): ReadonlyArray<Word> => lines.flatMap(({ words }) => words ?? [])

/** Whether a word is at the height of a box: they share more than half of the lower one. */
export const isInRow = ({ bbox }: Word, row: Box): boolean => {
  const overlap = Math.min(bbox.y + bbox.h, row.y + row.h) - Math.max(bbox.y, row.y)
  return overlap > 0.5 * Math.min(bbox.h, row.h)
}

const cents = (value: number): number => Math.round(value * 100) / 100

/** The box around some words, in points. */
export const boxAround = (words: ReadonlyArray<Word>): Box => {
  const x = Math.min(...words.map(({ bbox }) => bbox.x))
  const y = Math.min(...words.map(({ bbox }) => bbox.y))
  return {
    x,
    y,
    w: cents(Math.max(...words.map(({ bbox }) => bbox.x + bbox.w)) - x),
    h: cents(Math.max(...words.map(({ bbox }) => bbox.y + bbox.h)) - y)
  }
}

/** Words belong together if the gap between them is less than this share of their height; a space of plain text is 0.6. */
const closeTo = 0.7

const isClose = ({ bbox: left }: Word, { bbox: right }: Word): boolean =>
  (right.x - left.x - left.w) / Math.max(left.h, right.h) < closeTo

/** The words next to a run of words in a row, on its left and right. */
export const neighbours = (
  row: ReadonlyArray<Word>,
  run: ReadonlyArray<Word>
): { readonly before: string | undefined; readonly after: string | undefined } => {
  const [first, last] = [run[0], run.at(-1)]
  if (first === undefined || last === undefined) return { before: undefined, after: undefined }
  const [left, right] = [row[row.indexOf(first) - 1], row[row.indexOf(last) + 1]]
  return {
    before: left !== undefined && isClose(left, first) ? left.text : undefined,
    after: right !== undefined && isClose(last, right) ? right.text : undefined
  }
}

const middle = ({ bbox }: Word): number => bbox.x + bbox.w / 2

/** The words in a box of a page and those of its row, from left to right. */
export const runInBox = (page: Page, box: Box) => {
  const row = pageWords(page)
    .filter((word) => isInRow(word, box))
    .toSorted((one, other) => one.bbox.x - other.bbox.x)
  return { row, run: row.filter((word) => middle(word) >= box.x && middle(word) <= box.x + box.w) }
}
