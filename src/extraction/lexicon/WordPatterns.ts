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

/** Words of scripts that have no spaces between words: in `福满家超市`, the second word is a shop. */
const unspaced = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hangul}\p{sc=Thai}ー]{2,}$/u

/** A regular expression for any of some words, wherever they occur as whole words, or as parts where a script has no spaces. */
export const wholeWords = (words: ReadonlyArray<string>): RegExp => {
  const { parts = [], whole = [] } = Object.groupBy(words, (word) =>
    unspaced.test(word) ? "parts" : "whole"
  )
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${anyOf(whole)}(?![\p{L}\p{N}])|${anyOf(parts)}`, "iu")
}
