import { ofLexicon } from "../lexicon/Lexicon.ts"
import { wholeWords } from "../lexicon/WordPatterns.ts"
import type { Reading } from "../layout/Reading.ts"
import { textOfWords } from "../../domain/LineText.ts"
import { rowKey } from "../layout/Candidate.ts"

const carriedWords = ofLexicon((lexicon) => wholeWords(lexicon.words("carried")))

const carried = new WeakMap<Reading, ReadonlySet<string>>()

const carriedRows = (reading: Reading): ReadonlySet<string> => {
  const known = carried.get(reading)
  if (known !== undefined) return known
  const words = carriedWords(reading.lexicon)
  const found = new Set(
    [...reading.moneyByRow].flatMap(([key, [first]]) => {
      const row = first === undefined ? [] : (reading.pages[first.span.page]?.rows[first.span.row] ?? [])
      return words.test(textOfWords(row)) ? [key] : []
    })
  )
  carried.set(reading, found)
  return found
}

/** Whether the amounts of a row are sums carried forward. */
export const isCarriedRow = (reading: Reading, page: number, row: number): boolean =>
  carriedRows(reading).has(rowKey(page, row))
