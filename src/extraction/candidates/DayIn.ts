import { pageLanguages } from "../layout/PageLanguages.ts"
import type { Reading } from "../layout/Reading.ts"
import { inLanguages, parseDate } from "../values/Dates.ts"

/** The day (YYYY-MM-DD) that a string begins with, in the order and the languages of its document. */
export const dayIn = (reading: Reading, text: string): string | undefined => {
  const date = parseDate(text, reading.dateOrder, reading.lexicon)
  return date?.meanings === undefined ? date?.iso : inLanguages(date, pageLanguages(reading)).iso
}
