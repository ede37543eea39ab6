import type { Box } from "../../domain/DocumentIR.ts"

interface PlacedWord extends Box {
  readonly text: string
}

const gapBetween = (left: Box, right: Box): number => right.x - (left.x + left.w)

/** Whether a word is what recognition saw of a neighbour a second time: in the same place, and a part of it. */
const isEcho = (word: PlacedWord, other: PlacedWord | undefined): boolean => {
  if (other === undefined || other.text.length <= word.text.length || !other.text.includes(word.text))
    return false
  const shared = Math.min(word.x + word.w, other.x + other.w) - Math.max(word.x, other.x)
  return shared > 0.35 * word.w
}

/** The words of a row without those that were seen twice: `5 5.636,67` and `13 1 200,88` with boxes over each other. */
export const withoutEchoes = <A extends PlacedWord>(row: ReadonlyArray<A>): ReadonlyArray<A> =>
  row.filter((word, at) => !isEcho(word, row[at - 1]) && !isEcho(word, row[at + 1]))

/** A bar or capital letter behind a number, where recognition takes the sign for litres for it. */
const likeLitre = /^[|I]$/u
const amount = /^\d+(?:[.,]\d+)?$/u

/**
 * The words of a row with `l` for litres behind a number, which recognition takes for a bar or an I: `5 |`. The border of a
 * cell is not so close, or has a figure behind it.
 */
export const withLitres = <A extends PlacedWord>(row: ReadonlyArray<A>): ReadonlyArray<A> =>
  row.map((word, at) => {
    const [before, after] = [row[at - 1], row[at + 1]]
    if (!likeLitre.test(word.text) || before === undefined || !amount.test(before.text)) return word
    const isBorder =
      after !== undefined && /^\d/u.test(after.text) && gapBetween(word, after) < 1.5 * before.h
    return gapBetween(before, word) < 0.5 * before.h && !isBorder ? { ...word, text: "l" } : word
  })
