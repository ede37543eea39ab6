import { rowKey } from "../layout/Candidate.ts"
import type { Reading } from "../layout/Reading.ts"

const likeDate = /^\d{1,4}\/\d{1,2}\/\d{4}$/u
const leastQuality = 0.7

/**
 * Whether a date with slashes is a number: `Faktura nr 11/08/2025`, right behind a label that ends in the word for a number, in a
 * document whose dates are written in another way.
 */
export const isNumberLikeDate = (reading: Reading, page: number, row: number, at: number): boolean => {
  const text = reading.pages[page]?.rows[row]?.[at]?.text ?? ""
  if (!likeDate.test(text)) return false
  const isLabelled = (reading.labelsByRow.get(rowKey(page, row)) ?? []).some(
    ({ label, quality, span }) =>
      label.names && label.folded.endsWith("no") && quality >= leastQuality && span.to === at - 1
  )
  return isLabelled && reading.dates.some((date) => !likeDate.test(date.text))
}
