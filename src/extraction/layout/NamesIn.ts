import { nameWords, type NameWords } from "../lexicon/NameWords.ts"
import { remembered } from "../../support/Remembered.ts"
import type { Reading } from "./Reading.ts"

const known = new WeakMap<Reading, NameWords>()

/** The words of a lexicon that concern names, for one document: each of its lines is compared with the most frequent lists once. */
export const namesIn = (reading: Reading): NameWords => {
  const before = known.get(reading)
  if (before !== undefined) return before
  const words = nameWords(reading.lexicon)
  const ofDocument = {
    ...words,
    endsInForm: remembered(words.endsInForm),
    isContact: remembered(words.isContact),
    isStreet: remembered(words.isStreet)
  }
  known.set(reading, ofDocument)
  return ofDocument
}
