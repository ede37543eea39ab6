import type { Box } from "../../domain/DocumentIR.ts"
import { type Label, type LabelIndex, lookUp } from "./Labels.ts"
import { around, type PageModel, type Span, type Token } from "./PageModel.ts"

/** A label that is on a page. */
export interface LabelMatch {
  readonly label: Label
  readonly span: Span
  readonly bbox: Box
  /** How well the text is this label, 0–1. */
  readonly quality: number
}

const mostWords = 7

/** Spans of tokens that begin at `from` and are close together, with their folded text. */
function* spansFrom(tokens: ReadonlyArray<Token>, from: number): Generator<{ to: number; folded: string }> {
  let folded = ""
  for (let to = from; to < tokens.length && to - from < mostWords; to++) {
    const token = tokens[to]
    const before = tokens[to - 1]
    if (token === undefined) return
    if (to > from && before !== undefined && token.x - (before.x + before.w) > 1.3 * token.h) return
    if (token.folded === "") continue
    folded += token.folded
    yield { to, folded }
  }
}

const letters = /^\p{L}{2,}[^\d]*$/u

/**
 * Words right before a label make it a part of something longer. A long label is still itself in the middle of a sentence;
 * a short one is not.
 */
const alone = (tokens: ReadonlyArray<Token>, from: number, length: number): number => {
  const before = tokens[from - 1]
  const first = tokens[from]
  const glued = before !== undefined && before.phrase === first?.phrase && letters.test(before.text)
  const inside = length < 8 ? 0.7 : 0.88
  return glued && !/[:.]$/u.test(before.text) ? inside : 1
}

/** Where the second half of a label with a wildcard ends, if one to three words with a digit come before it. */
const continued = (tokens: ReadonlyArray<Token>, to: number, then: string): number | undefined => {
  for (let from = to + 2; from <= to + 4; from++) {
    if (!tokens.slice(to + 1, from).some((token) => /\d/u.test(token.text))) continue
    for (const span of spansFrom(tokens, from)) {
      if (span.folded === then) return span.to
      if (span.folded.length > then.length) break
    }
  }
  return undefined
}

const matchesInRow = (index: LabelIndex, tokens: ReadonlyArray<Token>, page: number, row: number) => {
  const found: Array<LabelMatch> = []
  for (const [from, token] of tokens.entries()) {
    if (token.folded === "") continue
    for (const { to, folded } of spansFrom(tokens, from)) {
      const { labels, exact } = lookUp(index, folded)
      // A letter that is a word of its own is no misread one of a label: `Rechnung R 67/2025`.
      if (!exact && to > from && tokens[to]?.folded.length === 1) continue
      for (const label of labels) {
        const end = label.later === undefined ? to : continued(tokens, to, label.later)
        if (end === undefined) continue
        const quality = (exact ? 1 : 0.85) * alone(tokens, from, folded.length)
        found.push({
          label,
          span: { page, row, from, to: end },
          bbox: around(tokens.slice(from, end + 1)),
          quality
        })
      }
    }
  }
  return found
}

const contains = (outer: Span, inner: Span): boolean =>
  outer.from <= inner.from && outer.to >= inner.to && outer.to - outer.from > inner.to - inner.from

/** Half of a label with a wildcard is somebody else's business. */
const covers = (outer: LabelMatch, inner: LabelMatch): boolean =>
  outer.label !== inner.label &&
  outer.quality >= 0.7 * inner.quality &&
  (outer.label.later === undefined || outer.label.field === inner.label.field)

const isSame = (a: Span, b: Span): boolean => a.from === b.from && a.to === b.to

/**
 * The labels on a page. A label that is part of a longer one does not count: the `Total` of `Total HT`, the `Date` of
 * `Due Date`; nor does one that its own field rules out.
 */
export const labelMatches = (index: LabelIndex, model: PageModel, page: number): Array<LabelMatch> =>
  model.rows.flatMap((tokens, row) => {
    const all = matchesInRow(index, tokens, page, row)
    return all.filter(
      (match) =>
        !all.some(
          (other) =>
            (contains(other.span, match.span) && covers(other, match)) ||
            (isSame(other.span, match.span) &&
              other.label.field === match.label.field &&
              (other.label.names ? other.label.weight > match.label.weight : match.label.names))
        )
    )
  })
