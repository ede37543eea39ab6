import type { LabelMatch } from "../layout/LabelMatches.ts"
import type { PageModel, Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Features } from "../Features.ts"
import type { Candidate } from "../layout/Candidate.ts"
import { isOfRegister } from "./RegisterNumbers.ts"

/** How well a cell must be below a heading. */
const clearFit = 0.7

/** Few figures say nothing against a number right behind the word for it, or in the cell below: `Fattura n. 12`, `N. documento` above `617`. */
export const asNumberOf = (match: LabelMatch, { span, text }: Candidate, features: Features): Features => {
  const { folded } = match.label
  const isNamed = (folded.endsWith("no") || folded.startsWith("no")) && match.quality >= 0.95
  const isBehind = span.row === match.span.row && span.from === match.span.to + 1
  const isInCellBelow = span.row === match.span.row + 1 && (features.labelFit ?? 0) >= clearFit
  if (!isNamed || !(isBehind || isInCellBelow) || !/^\d{1,4}$/u.test(text)) return features
  const product = (features.product ?? 0) - (features.quality ?? 0)
  return { ...features, short: 0, quality: 0, product }
}

/** How many words before a number are looked at. */
const mostBefore = 12

/** Whether bare figures follow words in their phrase, as the postcode of an address and a telephone number do. */
const followWords = (row: ReadonlyArray<Token>, { span, text }: Candidate): boolean =>
  /^\d{1,6}$/u.test(text) &&
  row
    .slice(Math.max(0, span.from - mostBefore), span.from)
    .some(
      ({ folded, phrase, text: word }) =>
        phrase === row[span.from]?.phrase && /^\p{L}{2,}/u.test(word) && folded !== "no"
    )

/** Whether a number belongs to the text in front of it, such as a register or an address: no heading is above it. */
export const isOfText = (reading: Reading, { rows }: PageModel, number: Candidate): boolean =>
  isOfRegister(reading, number.span) || followWords(rows[number.span.row] ?? [], number)

/** Whether nothing else is in the cell of a value. */
export const isWholeCell = (row: ReadonlyArray<Token>, { span }: Candidate): boolean =>
  row[span.from - 1]?.phrase !== row[span.from]?.phrase && row[span.to + 1]?.phrase !== row[span.to]?.phrase

/** Whether a value is a cell that begins right below a label: `Invoice Number` above `INV-0613`, whatever is next to it in another column. */
export const isHeadedBy = (
  { rows }: PageModel,
  { bbox, span: label }: LabelMatch,
  value: Candidate
): boolean => {
  const { quality, span } = value
  const drop = value.bbox.y - (bbox.y + bbox.h)
  return (
    quality === 1 &&
    span.row > label.row &&
    drop > -0.5 * bbox.h &&
    drop < 1.2 * bbox.h &&
    Math.abs(value.bbox.x - bbox.x) < 0.2 * bbox.h &&
    isWholeCell(rows[span.row] ?? [], value)
  )
}

/** Whether a value is in the row of a label, behind it and not in its cell. */
export const isInNextCell = (
  row: ReadonlyArray<Token>,
  { span: label }: LabelMatch,
  { span }: Candidate
): boolean =>
  span.row === label.row && span.from > label.to && row[span.from]?.phrase !== row[label.to]?.phrase

/** Whether a value is in a cell of its own in the row of a label, and not the next one: `TD01 fattura | 1284/PA | ORD-2025-33817`. */
export const isInOtherCell = (row: ReadonlyArray<Token>, match: LabelMatch, value: Candidate): boolean =>
  value.span.from > match.span.to + 1 && isInNextCell(row, match, value)
