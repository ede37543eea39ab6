import type { Finder } from "./Finder.ts"
import { inferred } from "../RuleEvidence.ts"
import type { Field } from "../Field.ts"
import { foldLabel } from "../page/Fold.ts"
import { tokensOf } from "../page/PageModel.ts"
import type { Ranked } from "../candidates/Ranked.ts"
import type { Reading } from "../page/Reading.ts"

/** Where on the first page a title stands. */
const titleArea = 0.4

/**
 * Whether a document is an `invoice` or a `credit-note`, by the words in its upper part: the largest decide, and of
 * those of one size the first.
 */
export const kindsOf = (reading: Reading, field: Field): Array<Ranked<string>> => {
  const ordinary = new Set(field.weak.map(foldLabel))
  const height = reading.pages[0]?.height ?? 0
  return reading.labels
    .filter(
      ({ label, span, bbox }) =>
        label.names && label.field === field.name && span.page === 0 && bbox.y < titleArea * height
    )
    .toSorted((a, b) => Math.round(b.bbox.h) - Math.round(a.bbox.h) || a.span.row - b.span.row)
    .slice(0, 1)
    .map((match) => ({
      span: match.span,
      bbox: match.bbox,
      text: tokensOf(reading.pages, match.span)
        .map((token) => token.text)
        .join(" "),
      value: ordinary.has(match.label.folded) ? "invoice" : "credit-note",
      quality: match.quality,
      score: 0.9 * match.quality
    }))
}

/** Finds out whether the document is an invoice or a credit note; one without a title is taken for an invoice. */
export const kindFinder: Finder = { find: kindsOf, otherwise: inferred("invoice", 0.5) }
