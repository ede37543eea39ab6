import type { LabelMatch } from "../page/LabelMatches.ts"
import type { Token } from "../page/PageModel.ts"
import type { Features } from "../scoring/Scoring.ts"
import type { Candidate } from "./Candidate.ts"

/** How well a cell must be below a heading. */
const clearFit = 0.7

/** Few figures say nothing against a number right behind the word for it, or in the cell below: `Fattura n. 12`, `N. documento` above `617`. */
export const asNumberOf = (match: LabelMatch, { span, text }: Candidate, features: Features): Features => {
  const { folded } = match.label
  const isNamed = (folded.endsWith("no") || folded.startsWith("no")) && match.quality >= 0.95
  const isBehind = span.row === match.span.row && span.from === match.span.to + 1
  const isInCellBelow = span.row === match.span.row + 1 && (features["labelFit"] ?? 0) >= clearFit
  if (!isNamed || !(isBehind || isInCellBelow) || !/^\d{1,4}$/u.test(text)) return features
  const product = (features["product"] ?? 0) - (features["quality"] ?? 0)
  return { ...features, short: 0, quality: 0, product }
}

/** Whether nothing else is in the cell of a value. */
export const isWholeCell = (row: ReadonlyArray<Token>, { span }: Candidate): boolean =>
  row[span.from - 1]?.phrase !== row[span.from]?.phrase && row[span.to + 1]?.phrase !== row[span.to]?.phrase

/** Whether a value is in a cell of its own in the row of a label, and not the next one: `TD01 fattura | 1284/PA | ORD-2025-33817`. */
export const isInOtherCell = (
  row: ReadonlyArray<Token>,
  { span: label }: LabelMatch,
  { span }: Candidate
): boolean =>
  span.row === label.row && span.from > label.to + 1 && row[span.from]?.phrase !== row[label.to]?.phrase
