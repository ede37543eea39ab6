import type { Column } from "../lexicon/Field.ts"
import type { Token } from "../layout/PageModel.ts"
import type { Cells } from "./TableRow.ts"

const number = /^\d+(?:[.,]\d+)?$/u

/** Whether text ends in a number and a lone figure one, both engines' reading of a litre: `Olio di oliva 10 1`. */
const endsInLitre = (tokens: ReadonlyArray<Token>): boolean => {
  const [word, amount, unit] = tokens.slice(-3)
  if (word === undefined || amount === undefined || unit === undefined) return false
  const gap = unit.x - (amount.x + amount.w)
  return (
    unit.text === "1" &&
    unit.confidence !== undefined &&
    number.test(amount.text) &&
    /\p{L}{2}/u.test(word.text) &&
    gap < amount.h
  )
}

const decimals = /^\d+[.,]\d{1,3}$/u

/** Whether a lone figure one is behind a number with decimals, and words or nothing behind it: `0,75 1 (Flaschengärung)`. */
const isLitre = (tokens: ReadonlyArray<Token>, at: number): boolean => {
  const [amount, unit, next] = [tokens[at - 1], tokens[at], tokens[at + 1]]
  return (
    unit?.text === "1" &&
    unit.confidence !== undefined &&
    amount !== undefined &&
    decimals.test(amount.text) &&
    unit.x - (amount.x + amount.w) < amount.h &&
    (next === undefined || /^[(\p{L},;]/u.test(next.text))
  )
}

const withLitre = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const last = endsInLitre(tokens) ? tokens.length - 1 : -1
  return tokens.map((token, at) =>
    at === last || isLitre(tokens, at) ? { ...token, text: "l", folded: "l" } : token
  )
}

/** The cells of a recognised line with litres in its descriptions; a number of one digit behind another is none. */
export const withLitres = (cells: Cells, texts: ReadonlyArray<Column>): Cells => {
  const names = new Set(texts.map(({ name }) => name))
  return new Map([...cells].map(([name, tokens]) => [name, names.has(name) ? withLitre(tokens) : tokens]))
}
