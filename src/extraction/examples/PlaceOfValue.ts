import type { Box, Page, Word } from "../../domain/DocumentIR.ts"
import { readingsOf } from "../values/PrintedValue.ts"
import { isoDay } from "../values/Dates.ts"
import { boxAround, isInRow, pageWords } from "./PageWords.ts"

/** Where a value is printed. */
export interface PrintedPlace {
  readonly page: Page
  readonly text: string
  readonly bbox: Box
}

interface Run {
  readonly from: number
  readonly to: number
}

/** The maximum number of words of a value; it bounds the work on a long line. */
const mostWords = 8

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[\s.,;:]+/gu, " ")
    .trim()

const says = (text: string, value: unknown): boolean =>
  typeof value === "string" && !isoDay.test(value)
    ? folded(text) === folded(value)
    : // The amounts of a credit note are printed with or without a minus.
      readingsOf(text, value).some(
        (reading) => reading === value || (typeof value === "number" && reading === -value)
      )

const textOf = (words: ReadonlyArray<Word>): string => words.map(({ text }) => text).join(" ")

/** The shortest runs of words that express the value: `03/04/2026`, not `Date 03/04/2026`. */
const runsOf = (words: ReadonlyArray<Word>, value: unknown): ReadonlyArray<Run> => {
  const runs = words.flatMap((_, from) =>
    Array.from({ length: Math.min(mostWords, words.length - from) }, (__, length) => ({
      from,
      to: from + length + 1
    })).filter(({ to }) => says(textOf(words.slice(from, to)), value))
  )
  return runs.filter(
    (run) => !runs.some((other) => other !== run && other.from >= run.from && other.to <= run.to)
  )
}

/** All places where a value is printed. */
export const placesOfValue = (pages: Iterable<Page>, value: unknown): ReadonlyArray<PrintedPlace> => {
  if (typeof value !== "string" && typeof value !== "number") return []
  return [...pages].flatMap((page) =>
    page.lines.flatMap(({ words = [] }) =>
      runsOf(words, value).map(({ from, to }) => {
        const run = words.slice(from, to)
        return { page, text: textOf(run), bbox: boxAround(run) }
      })
    )
  )
}

/**
 * Finds where a value that a person typed is printed. Of several places, one with words to its left is chosen: the last
 * for amounts, the first for anything else. Undefined for a value that is not printed.
 */
export const placeOfValue = (pages: Iterable<Page>, value: unknown): PrintedPlace | undefined => {
  const found = placesOfValue(pages, value)
  // The words in front of a value are most likely its label.
  const labelled = found.filter(({ bbox, page }) =>
    pageWords(page).some((word) => word.bbox.x < bbox.x && isInRow(word, bbox) && /\p{L}{2}/u.test(word.text))
  )
  const chosen = labelled.length > 0 ? labelled : found
  return typeof value === "number" ? chosen.at(-1) : chosen[0]
}
