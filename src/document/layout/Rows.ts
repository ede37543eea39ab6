import type { RawWord } from "../formats/FormatReader.ts"
import { inReadingDirection } from "./ReadingDirection.ts"

/** Words that are side by side, in the direction in which they are read. */
export interface Row {
  readonly words: ReadonlyArray<RawWord>
  readonly top: number
  readonly bottom: number
}

/** A row of the given words, in the direction in which it is read. */
export const rowOf = (words: ReadonlyArray<RawWord>): Row => ({
  words: inReadingDirection(words),
  top: Math.min(...words.map((word) => word.y)),
  bottom: Math.max(...words.map((word) => word.y + word.h))
})

interface OpenRow {
  readonly words: Array<RawWord>
  middle: number
  height: number
}

const overlap = (row: OpenRow, word: RawWord): number => {
  const top = Math.max(row.middle - row.height / 2, word.y)
  const bottom = Math.min(row.middle + row.height / 2, word.y + word.h)
  return (bottom - top) / Math.max(0.1, Math.min(row.height, word.h))
}

/** Whether the same word is drawn twice at one position (imitated bold, shadows). */
const isRepeated = (row: OpenRow, word: RawWord): boolean =>
  row.words.some(
    (other) =>
      other.text === word.text &&
      Math.abs(other.x - word.x) < 0.15 * word.h &&
      Math.abs(other.y - word.y) < 0.15 * word.h
  )

/** Whether one word is above the other: then they are in two narrow lines, as in a heading, and not in one row. */
const isOver = (row: OpenRow, word: RawWord): boolean =>
  row.words.some((other) => {
    const shared = Math.min(other.x + other.w, word.x + word.w) - Math.max(other.x, word.x)
    return shared > 0.3 * Math.min(other.w, word.w) && Math.abs(other.y - word.y) > 0.15 * word.h
  })

/** Groups upright words into rows: a word joins the row that it shares most of its height with. */
export const rowsOf = (words: ReadonlyArray<RawWord>): Array<Row> => {
  const byMiddle = words.toSorted((a, b) => a.y + a.h / 2 - (b.y + b.h / 2) || a.x - b.x)
  const open: Array<OpenRow> = []
  for (const word of byMiddle) {
    let best: OpenRow | undefined
    let most = 0.5
    // Sorted by middle, only the last few rows can still touch the word.
    for (const row of open.slice(-4)) {
      const shared = overlap(row, word)
      if (shared > most && !isOver(row, word)) {
        most = shared
        best = row
      }
    }
    if (best === undefined) {
      open.push({ words: [word], middle: word.y + word.h / 2, height: word.h })
    } else if (!isRepeated(best, word)) {
      const count = best.words.push(word)
      best.middle += (word.y + word.h / 2 - best.middle) / count
      best.height += (word.h - best.height) / count
    }
  }
  return open.map((row) => rowOf(row.words)).toSorted((a, b) => a.top + a.bottom - (b.top + b.bottom))
}
