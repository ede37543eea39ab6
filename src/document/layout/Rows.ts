import type { RawWord } from "../formats/FormatReader.ts"

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u
const hasLetter = /\p{L}/u
const isNumber = /^[\p{Sc}+-]?\p{N}[\p{N}.,:/%-]*$/u

type Direction = "left" | "right" | "none"

const directionOf = ({ text }: RawWord): Direction =>
  rightToLeft.test(text) ? "right" : hasLetter.test(text) ? "left" : "none"

/** Words against the direction of their line belong together only across spaces, not across the cells of a table. */
const isNear = (one: RawWord, other: RawWord): boolean =>
  Math.max(one.x, other.x) - Math.min(one.x + one.w, other.x + other.w) < 0.8 * Math.max(one.h, other.h)

/** The index after the last word of a run that begins at `first`, all in the same direction. */
const endOfRun = (
  words: ReadonlyArray<RawWord>,
  directions: ReadonlyArray<Direction>,
  first: number
): number => {
  let end = first + 1
  for (let i = end; i < words.length; i++) {
    const [before, word] = [words[i - 1], words[i]]
    if (before === undefined || word === undefined || !isNear(before, word)) break
    if (directions[i] === directions[first]) end = i + 1
    else if (directions[i] !== "none") break
  }
  return end
}

/** Reverses runs against the direction of the line, such as `Windows Server 2022` in Hebrew. */
const withRunsTurned = (words: ReadonlyArray<RawWord>, against: Direction): Array<RawWord> => {
  const directions = words.map(directionOf)
  const ordered: Array<RawWord> = []
  for (let i = 0; i < words.length;) {
    const end = directions[i] === against ? endOfRun(words, directions, i) : i + 1
    const run = words.slice(i, end).toReversed()
    // A number right after Latin letters belongs to them; in a Hebrew row, it comes before them here.
    const [last, number] = [words[i], ordered.at(-1)]
    const isTheirs = against === "left" && directions[i] === against && number !== undefined
    if (isTheirs && last !== undefined && isNumber.test(number.text) && isNear(last, number)) {
      ordered.pop()
      run.push(number)
    }
    ordered.push(...run)
    i = end
  }
  return ordered
}

/**
 * Sorts the words of one row into reading order. A row runs from right to left if most words with letters are in
 * Hebrew, Arabic or a similar script; words of the other direction keep their own order within it. After the Unicode
 * Bidirectional Algorithm (UAX #9), in reverse: from positions to logical order, word by word.
 */
const inReadingDirection = (words: ReadonlyArray<RawWord>): Array<RawWord> => {
  const turned = words.filter((word) => rightToLeft.test(word.text)).length
  const fromLeft = () => words.toSorted((a, b) => a.x - b.x)
  if (turned === 0) return fromLeft()
  const lettered = words.filter((word) => hasLetter.test(word.text)).length
  if (turned * 2 <= lettered) return withRunsTurned(fromLeft(), "right")
  const fromRight = words.toSorted((a, b) => b.x + b.w - (a.x + a.w))
  return withRunsTurned(fromRight, "left")
}

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
