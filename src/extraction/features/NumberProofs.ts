import type { Ranked } from "../candidates/Ranked.ts"
import { rowKey } from "../layout/Candidate.ts"
import { isKnownCreditNote, namesInvoice } from "../candidates/CreditedInvoices.ts"
import type { Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Features } from "../Features.ts"

const plain = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "").toUpperCase()

/** Fewer letters and digits are printed again by chance: the number of a page, a quantity, a house number. */
const leastLength = 5
const mostTokens = 4

const contains = (row: ReadonlyArray<Token>, number: string): boolean =>
  row.some((_, from) => {
    let text = ""
    for (const token of row.slice(from, from + mostTokens)) {
      text += plain(token.text)
      if (text === number) return true
      if (!number.startsWith(text)) return false
    }
    return false
  })

/** Whether a number is printed in another row as well, as a reference to pay with is. */
const isPrintedAgain = (reading: Reading, { span, value }: Ranked): boolean => {
  const number = plain(String(value))
  return (
    number.length >= leastLength &&
    reading.pages.some((page, at) =>
      page.rows.some((row, index) => (at !== span.page || index !== span.row) && contains(row, number))
    )
  )
}

/** Capital letters right before a number that are no label of it may be a part of it: the `F` of `F 2025/118`. */
const isBehindLetters = (reading: Reading, { span }: Ranked): boolean => {
  const row = reading.pages[span.page]?.rows[span.row] ?? []
  const [before, first] = [row[span.from - 1], row[span.from]]
  if (before === undefined || before.phrase !== first?.phrase) return false
  const labels = reading.labelsByRow.get(rowKey(span.page, span.row)) ?? []
  const isLabel = labels.some(({ span: own }) => own.from < span.from && own.to >= span.from - 1)
  return !isLabel && /^\p{Lu}{1,5}[.-]?$/u.test(before.text)
}

/** Letters that recognition takes for figures, and the other way round. */
const alike = /[0-25-8BIOSZlo]/u

/** A letter that may be a word for `number` or a part of it: `C.20250088` for `č. 20250088`. */
const beginsWithLetter = /^\p{L}\.\s?\d/u

/**
 * Whether recognition may have taken a figure for a letter: among letters and figures by turns (`F0C8D21A`), or a letter behind
 * figures (`202S`), or a nought for the letter O of any script (`OOO187`). Nothing but its own letters shows how such a number is spelled.
 */
const isSpelledByTurns = (text: string): boolean =>
  text
    .split(/[^\p{L}\p{N}]+/u)
    .some(
      (run) =>
        (alike.test(run) && (run.match(/(?<=\d)\p{L}|(?<=\p{L})\d/gu)?.length ?? 0) >= 2) ||
        /\d[BIOSZlo]$/u.test(run) ||
        /[OΟО]{2,}\d|[ΟО]\d|\d[ΟО]/u.test(run)
    )

/** Whether the word for an invoice leads to the number on a credit note: it is rather that of the invoice that is credited. */
const isOfInvoice = (reading: Reading, { span }: Ranked): boolean =>
  isKnownCreditNote(reading) &&
  (reading.labelsByRow.get(rowKey(span.page, span.row)) ?? []).some(
    (match) => match.label.names && match.span.to === span.from - 1 && namesInvoice(reading, match)
  )

/** What speaks for and against the number of a document besides its label. */
export const numberProofs = (reading: Reading, chosen: Ranked): Features => ({
  numberAgain: isPrintedAgain(reading, chosen) ? 1 : 0,
  behindLetters: isBehindLetters(reading, chosen) ? 1 : 0,
  ofInvoice: isOfInvoice(reading, chosen) ? 1 : 0,
  byTurns: isSpelledByTurns(String(chosen.value)) || beginsWithLetter.test(chosen.text) ? 1 : 0,
  longLabel: chosen.features?.longLabel ?? 0
})
