import { sharesOfLanguages } from "../lexicon/LanguagesIn.ts"
import type { Reading } from "./Reading.ts"

const found = new WeakMap<Reading, ReadonlyMap<string, number>>()

/** The languages of a document by their tags, with how much speaks for each, found once. */
export const pageLanguages = (reading: Reading): ReadonlyMap<string, number> => {
  const known = found.get(reading)
  if (known !== undefined) return known
  const languages = sharesOfLanguages(reading.lexicon, reading.text)
  found.set(reading, languages)
  return languages
}
