import type { Field } from "../lexicon/Field.ts"
import { tokensOf } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"

/** A label that is whole, alone in its phrase, and means nothing else. */
const clear = 0.95
const leastWeight = 0.9

/** Why a date that was not found needs review: its label is printed. Undefined where none is. */
export const reasonOfMissing = (reading: Reading, { name, type }: Field): string | undefined => {
  if (type !== "date") return undefined
  const found = reading.labels.find(
    ({ label, quality }) =>
      label.field === name && label.names && label.weight >= leastWeight && quality >= clear
  )
  if (found === undefined) return undefined
  const text = tokensOf(reading.pages, found.span)
    .map((token) => token.text)
    .join(" ")
  return `${JSON.stringify(text)} is printed, but no value was found.`
}
