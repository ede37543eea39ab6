import type { Page } from "./DocumentIR.ts"

// Readers use these: a file of schemas would load the whole of Effect into each of them.

/** The text of words that follow one another in a line. */
export const textOfWords = (words: ReadonlyArray<{ readonly text: string }>): string =>
  words.map(({ text }) => text).join(" ")

/** The text of a page: its lines joined with a line feed, as printed. Words parted at the end of a line stay so. */
export const pageText = (page: Pick<Page, "lines">): string => page.lines.map((line) => line.text).join("\n")
