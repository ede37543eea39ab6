import { plain } from "./Fold.ts"

const special = /[\\^$*+?()[\]{}|/]/gu

/** Points may be missing and spaces may be wider: `S.r.l.` is also `Srl` and `S. r. l.`. */
const flexible = (word: string): string =>
  word
    .replace(special, String.raw`\$&`)
    .replaceAll(".", String.raw`\.?\s?`)
    .replace(/(?:\\s\?)?\s+/gu, String.raw`\s*`)
    .replace(/\\s\?$/u, "")

const alternatives = (words: ReadonlyArray<string>): string => {
  const sources = [...new Set(words)].toSorted((left, right) => right.length - left.length).map(flexible)
  return sources.length === 0 ? "(?!)" : `(?:${sources.join("|")})`
}

/**
 * The source of a regular expression for any of some words, the longest first, with and without their accents. For use with
 * the flags `iu`; it matches parts of words too.
 */
export const anyOf = (words: ReadonlyArray<string>): string =>
  alternatives(words.flatMap((word) => [word, plain(word)]))

/** The same, but only with the capitals that the words are written with, or all in capitals. Not for the flag `i`. */
export const asWritten = (words: ReadonlyArray<string>): string =>
  alternatives(words.flatMap((word) => [word, word.toUpperCase()]))

/** A regular expression for any of some words, wherever they occur as whole words. */
export const wholeWords = (words: ReadonlyArray<string>): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])${anyOf(words)}(?![\p{L}\p{N}])`, "iu")
