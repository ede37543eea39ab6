import type { Column } from "../Field.ts"
import type { Token } from "../page/PageModel.ts"
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

const withLitre = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const unit = tokens.at(-1)
  return unit !== undefined && endsInLitre(tokens)
    ? [...tokens.slice(0, -1), { ...unit, text: "l", folded: "l" }]
    : tokens
}

/** The cells of a recognised line with litres at the end of its descriptions; a number of one digit behind another is none. */
export const withLitres = (cells: Cells, texts: ReadonlyArray<Column>): Cells => {
  const names = new Set(texts.map(({ name }) => name))
  return new Map([...cells].map(([name, tokens]) => [name, names.has(name) ? withLitre(tokens) : tokens]))
}
