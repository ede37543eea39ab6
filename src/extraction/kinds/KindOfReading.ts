import { languagesOf } from "../layout/PageLanguages.ts"
import type { Reading } from "../layout/Reading.ts"
import { documentKindOf, type KindVerdict } from "./DocumentKind.ts"

const found = new WeakMap<Reading, KindVerdict>()

/** The kind of a document that rules read, if it has been found. */
export const knownKindOf = (reading: Reading): KindVerdict | undefined => found.get(reading)

/** The kind of a document that rules read, found once. */
export const kindOfReading = (reading: Reading): KindVerdict => {
  const known = found.get(reading)
  if (known !== undefined) return known
  const verdict = documentKindOf(reading.pages, reading.lexicon, (text) => languagesOf(reading, text))
  found.set(reading, verdict)
  return verdict
}
