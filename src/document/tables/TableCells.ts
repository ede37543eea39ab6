import type { Box } from "../../domain/DocumentIR.ts"
import type { RawWord } from "../formats/FormatReader.ts"
import { rowsOf } from "../layout/Rows.ts"

/** A table of words, before it becomes text; a cell over several columns is in the first of them. */
export interface WordTable {
  readonly box: Box
  readonly rows: ReadonlyArray<ReadonlyArray<ReadonlyArray<RawWord>>>
}

/** The smallest box around some boxes. */
export const boxAround = (boxes: ReadonlyArray<Box>): Box => {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const box of boxes) {
    left = Math.min(left, box.x)
    top = Math.min(top, box.y)
    right = Math.max(right, box.x + box.w)
    bottom = Math.max(bottom, box.y + box.h)
  }
  return { x: left, y: top, w: right - left, h: bottom - top }
}

/** The text of a cell: its words in reading order, its lines joined with a space. */
export const cellText = (words: ReadonlyArray<RawWord>): string =>
  rowsOf(words)
    .flatMap((row) => row.words.map((word) => word.text))
    .join(" ")

/** The middle value; 0 of none. */
export const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** Without rows and columns that are empty. */
export const withoutEmpty = (
  rows: ReadonlyArray<ReadonlyArray<ReadonlyArray<RawWord>>>
): ReadonlyArray<ReadonlyArray<ReadonlyArray<RawWord>>> => {
  const used = rows.filter((row) => row.some((cell) => cell.length > 0))
  const width = used.reduce((most, row) => Math.max(most, row.length), 0)
  const full = Array.from({ length: width }, (_, i) => used.some((row) => (row[i] ?? []).length > 0))
  return used.map((row) => Array.from({ length: width }, (_, i) => row[i] ?? []).filter((_, i) => full[i]))
}

type Rows = ReadonlyArray<ReadonlyArray<ReadonlyArray<RawWord>>>

const title = /^(?:table|exhibit|figure|tab\.|tabelle|tableau|tabel|tabla)\s*[\dA-Z]/iu
const source = /^(?:sources?|notes?|quellen?|anmerkung|bron|remarques?)\s*[:.]/iu

const onlyText = (row: ReadonlyArray<ReadonlyArray<RawWord>> | undefined): string => {
  const filled = (row ?? []).filter((cell) => cell.length > 0)
  const [only] = filled
  return only === undefined || filled.length > 1 ? "" : cellText(only)
}

/** Removes what surrounds a table within its frame: its title at the top, its sources at the bottom. */
export const withoutCaptions = (rows: Rows): Rows => {
  let [from, to] = [0, rows.length]
  if (to - from > 2 && title.test(cellText(rows[0]?.find((cell) => cell.length > 0) ?? []))) {
    // The title may continue over some lines.
    do from++
    while (to - from > 2 && onlyText(rows[from]) !== "")
  }
  while (to - from > 2 && source.test(onlyText(rows[to - 1]))) to--
  return withoutEmpty(rows.slice(from, to))
}
