import { languagesIn } from "../lexicon/LanguagesIn.ts"
import type { Reading } from "./Reading.ts"

const found = new WeakMap<Reading, ReadonlyMap<string, number>>()

/** The languages of a document by their tags, with how much speaks for each compared with the most likely one, 0–1. */
export const pageLanguages = (reading: Reading): ReadonlyMap<string, number> => {
  const known = found.get(reading)
  if (known !== undefined) return known
  const languages = new Map(
    languagesIn(reading.lexicon, reading.text).languages.map(({ share, tag }) => [tag, share] as const)
  )
  found.set(reading, languages)
  return languages
}
