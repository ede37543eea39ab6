import type { Candidate } from "./Candidate.ts"
import type { Reading } from "../page/Reading.ts"

/** A sentence has so many words in a run, or more. */
const leastWords = 5
const word = /^\p{L}[\p{L}'’-]+[.,;]?$/u
const bare = /^\d{1,4}$/u

/** A number without cents or currency in a sentence, which counts what comes behind it: `older than 10 years`. */
export const isCountInText = ({ pages }: Reading, { span, text }: Candidate): boolean => {
  if (!bare.test(text)) return false
  const row = pages[span.page]?.rows[span.row] ?? []
  const phrase = row[span.to]?.phrase
  const next = row[span.to + 1]
  if (next === undefined || next.phrase !== phrase || !word.test(next.text)) return false
  return row.filter((token) => token.phrase === phrase && word.test(token.text)).length >= leastWords
}
