import type { LabelMatch } from "../layout/LabelMatches.ts"
import type { Features } from "../Features.ts"
import type { Candidate } from "../layout/Candidate.ts"

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
