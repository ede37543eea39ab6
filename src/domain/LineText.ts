import type { Page } from "./DocumentIR.ts"

// Readers use these, so this file must not load Effect, as a file of schemas would.

/** The text of words that follow one another in a line. */
export const textOfWords = (words: ReadonlyArray<{ readonly text: string }>): string =>
  words.map(({ text }) => text).join(" ")

/** The text of a page: its lines joined with a line feed, as printed. Words hyphenated at the end of a line remain so. */
export const pageText = (page: Pick<Page, "lines">): string => page.lines.map((line) => line.text).join("\n")
