import { nameWords } from "../lexicon/NameWords.ts"
import type { Span } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"

/** How many words before a number may say that it is one of a register. */
const wordsOfRegister = 3

const ofRegisters = new WeakMap<Reading, Map<string, boolean>>()

/** Whether the words right before a number say where somebody is registered, or how somebody is reached: `P.IVA 0118…`. */
export const isOfRegister = (reading: Reading, { from, page, row }: Span): boolean => {
  // A page of nothing but labels and numbers asks for each number many times.
  const known = ofRegisters.get(reading) ?? new Map<string, boolean>()
  ofRegisters.set(reading, known)
  const key = `${page}:${row}:${from}`
  const before = known.get(key)
  if (before !== undefined) return before
  const tokens = reading.pages[page]?.rows[row] ?? []
  const phrase = tokens[from]?.phrase
  const words = tokens.slice(Math.max(0, from - wordsOfRegister), from)
  const text = words.flatMap((token) => (token.phrase === phrase ? [token.text] : [])).join(" ")
  const is = /\p{L}/u.test(text) && nameWords(reading.lexicon).endsInRegistration(text)
  known.set(key, is)
  return is
}
