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

/** Letters of scripts without spaces between words, for a class of a regular expression. */
export const unspacedLetters = String.raw`\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}`

/** Words that are found inside longer runs of letters: `超市` in `福满家超市`, `커피` in `달빛커피`. */
const unspaced = new RegExp(String.raw`^[${unspacedLetters}\p{sc=Hang}ー]{2,}$`, "u")

/** A regular expression for any of some words, as whole words or, in scripts without spaces between words, anywhere. */
export const wholeWords = (words: ReadonlyArray<string>): RegExp => {
  const { parts = [], whole = [] } = Object.groupBy(words, (word) =>
    unspaced.test(word) ? "parts" : "whole"
  )
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${anyOf(whole)}(?![\p{L}\p{N}])|${anyOf(parts)}`, "iu")
}
