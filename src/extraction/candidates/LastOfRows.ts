import type { Reading } from "../layout/Reading.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"

const leastQuality = 0.7
/** A till prints few rows with amounts; a longer list is no receipt. */
const mostRows = 500

const find = (reading: Reading): ReadonlyArray<Candidate<number>> =>
  reading.pages.flatMap(({ rows }, page) =>
    rows.flatMap((_, row) => {
      const amounts = reading.moneyByRow.get(rowKey(page, row)) ?? []
      return amounts.findLast(({ quality }) => quality >= leastQuality) ?? []
    })
  )

const known = new WeakMap<Reading, ReadonlyArray<Candidate<number>>>()

/** The last amount of each row, from the top of the document. */
export const lastOfRows = (reading: Reading): ReadonlyArray<Candidate<number>> => {
  const found = known.get(reading) ?? find(reading)
  known.set(reading, found)
  return found
}

/** The same for a receipt: none if there are more than a receipt has. */
export const lastOfReceipt = (reading: Reading): ReadonlyArray<Candidate<number>> => {
  const rows = lastOfRows(reading)
  return rows.length > mostRows ? [] : rows
}
