import type { Page } from "../../domain/DocumentIR.ts"
import { pageText } from "../../domain/LineText.ts"

/** Characters that a font without a mapping leaves: private ones, unassigned ones, controls, the replacement mark. */
const noText = /[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu
/** A word of one script, a number, or a mark that is printed alone. */
const isWord =
  /^[("'„“«[]*(?:\p{L}[\p{L}\p{M}'’./&-]*|[-+(\p{Sc}]*\d[\d.,:/%()\p{Sc}-]*)[)"'”»\].,;:!?%]*$|^[-–—•·*|/&+=.:,]+$/u
const longLatin = /^[A-Za-z]{4,}$/u
const vowels = /[aeiou]/giu

/** Below this number of words, or of characters that are no text, nothing is certain. */
const fewest = 20
/** The share of characters, or of words, from which on a page is no text. */
const most = { characters: 0.3, oddWords: 0.7 } as const
/** The least share of vowels among the letters of a page: languages in Latin letters have 0.3 and more. */
const fewestVowels = 0.22

const share = <A>(all: ReadonlyArray<A>, is: (one: A) => boolean): number =>
  all.length < fewest ? 0 : all.filter(is).length / all.length

/**
 * Whether the text of a page is no text: its fonts lack a mapping to characters, or have a wrong one, so that the letters
 * that a reader sees are others than those in the file. Such pages are recognised instead. Codes, addresses and scripts
 * without spaces are text.
 */
export const isGarbled = (page: Page): boolean => {
  const text = pageText(page)
  const characters = text.replace(/\s/gu, "")
  const odd = characters.match(noText)?.length ?? 0
  if (odd >= fewest && odd > most.characters * characters.length) return true
  const words = text.split(/\s+/u).filter((word) => word !== "" && /^[\x21-\x7e\u00a0-\u00ff]+$/u.test(word))
  if (share(words, (word) => !isWord.test(word)) > most.oddWords) return true
  const latin = words.filter((word) => longLatin.test(word))
  const letters = latin.join("")
  return latin.length >= fewest && (letters.match(vowels)?.length ?? 0) < fewestVowels * letters.length
}
