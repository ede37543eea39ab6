import { languagesIn, sharesOf, type TextLanguages } from "../lexicon/LanguagesIn.ts"
import type { Reading } from "./Reading.ts"

const found = new WeakMap<Reading, Map<string, TextLanguages>>()
const shares = new WeakMap<Reading, ReadonlyMap<string, number>>()

/** The languages that a string of a document may be in, found once for each string. */
export const languagesOf = (reading: Reading, text: string): TextLanguages => {
  const known = found.get(reading) ?? new Map<string, TextLanguages>()
  found.set(reading, known)
  const languages = known.get(text) ?? languagesIn(reading.lexicon, text)
  known.set(text, languages)
  return languages
}

/** The languages of a document by their tags, with how much speaks for each, found once. */
export const pageLanguages = (reading: Reading): ReadonlyMap<string, number> => {
  const known = shares.get(reading)
  if (known !== undefined) return known
  const languages = sharesOf(languagesOf(reading, reading.text))
  shares.set(reading, languages)
  return languages
}
