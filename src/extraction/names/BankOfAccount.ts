import type { Candidate } from "../layout/Candidate.ts"
import type { NameWords } from "../lexicon/NameWords.ts"
import type { Reading } from "../layout/Reading.ts"

const account = /(?<![\p{L}\p{N}])(?:IBAN|BIC|SWIFT|BLZ|IFSC|sort code|routing)(?![\p{L}\p{N}])/iu

/** Whether a name is that of the bank of an account: the account is in its line, or in the one below. */
export const isBankOfAccount = (reading: Reading, words: NameWords, name: Candidate<string>): boolean => {
  if (!words.isBank(name.value)) return false
  const { page, row } = name.span
  const rows = reading.pages[page]?.rows.slice(row, row + 2) ?? []
  return rows.some((tokens) => account.test(tokens.map(({ text }) => text).join(" ")))
}
