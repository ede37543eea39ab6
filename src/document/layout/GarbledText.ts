import type { Page } from "../../domain/DocumentIR.ts"
import { pageText } from "../../domain/LineText.ts"

/** Characters that a font without a mapping produces: private use, unassigned, controls, the replacement character. */
const noText = /[\p{Co}\p{Cn}\p{Cc}\ufffd]/gu
/** A word of one script, a number, or a sign that is printed alone. */
const isWord =
  /^[("'„“«[]*(?:\p{L}[\p{L}\p{M}'’./&-]*|[-+(\p{Sc}]*\d[\d.,:/%()\p{Sc}-]*)[)"'”»\].,;:!?%]*$|^[-–—•·*|/&+=.:,]+$/u
const longLatin = /^[A-Za-z]{4,}$/u
const vowels = /[aeiou]/giu

/** The minimum number of words, or of characters that are not text, for a decision. */
const fewest = 20
/** The share of such characters, or words, from which a page counts as garbled. */
const most = { characters: 0.3, oddWords: 0.7 } as const
/** The minimum share of vowels among the letters of a page: languages in Latin script have 0.3 and more. */
const fewestVowels = 0.22

const share = <A>(all: ReadonlyArray<A>, is: (one: A) => boolean): number =>
  all.length < fewest ? 0 : all.filter(is).length / all.length

/**
 * Whether the text of a page is garbled: its fonts have no mapping to characters, or a wrong one, so that the visible
 * letters differ from those in the file. Such pages are recognised instead. Codes, addresses and scripts without spaces
 * are text.
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
