import type { Box } from "../../domain/DocumentIR.ts"
import type { Position } from "../fields/FieldDefinition.ts"
import type { LabelMatch } from "./LabelMatches.ts"
import type { PageModel, Span, Token } from "./PageModel.ts"

/** The position of a value on the page. */
export interface Placed {
  readonly span: Span
  readonly bbox: Box
}

/** The position of a value relative to a label. */
export interface Relation {
  readonly position: Position
  /** How well that fits, 0–1. */
  readonly fit: number
  /** The distance to the side, as a share of the page's width. */
  readonly gap: number
  /** How many words are between them. */
  readonly words: number
  /** The distance up or down, in lines. */
  readonly lines: number
  /** How many rows with text are between them. */
  readonly blocked: number
}

const right = (box: Box): number => box.x + box.w
const bottom = (box: Box): number => box.y + box.h

const isWord = /^\p{L}{2,}/u

const wordsIn = (tokens: ReadonlyArray<Token>): number =>
  tokens.filter(({ text }) => isWord.test(text)).length

/** What is between a label and a value to its right makes it less likely that they belong together. */
const between = (tokens: ReadonlyArray<Token>, strangers: (index: number) => number): number => {
  let factor = 1
  for (const [i, token] of tokens.entries()) {
    if (isWord.test(token.text)) factor *= 0.85
    factor *= strangers(i)
  }
  return Math.max(0.1, factor)
}

const toTheRight = (
  model: PageModel,
  match: LabelMatch,
  value: Placed,
  stranger: (span: Span) => number
): Relation | undefined => {
  const { from, row, to } = match.span
  // The end of a label may be the currency of its amount: `Total RM 12.00`.
  if (value.span.row !== row || value.span.to <= to || value.span.from <= from) return undefined
  const tokens = model.rows[row]?.slice(to + 1, value.span.from) ?? []
  const at = (i: number): Span => ({ ...match.span, from: to + 1 + i, to: to + 1 + i })
  const gap = Math.max(0, value.bbox.x - right(match.bbox)) / model.width
  const fit = (1 - 0.3 * gap) * between(tokens, (i) => stranger(at(i)))
  return { position: "right", fit, gap, words: wordsIn(tokens), lines: 0, blocked: 0 }
}

const toTheLeft = (model: PageModel, match: LabelMatch, value: Placed): Relation | undefined => {
  const { row, from } = match.span
  if (value.span.row !== row || value.span.to >= from) return undefined
  const tokens = model.rows[row]?.slice(value.span.to + 1, from) ?? []
  const gap = Math.max(0, match.bbox.x - right(value.bbox)) / model.width
  const fit = 0.9 * (1 - 0.3 * gap) * between(tokens, () => 1)
  return { position: "row", fit, gap, words: wordsIn(tokens), lines: 0, blocked: 0 }
}

const sharesColumn = (label: Box, value: Box, slack: number): boolean => {
  const shared = Math.min(right(label), right(value)) - Math.max(label.x, value.x)
  return shared >= 0.5 * Math.min(label.w, value.w) || Math.abs(label.x - value.x) <= slack
}

const inTheColumn = (label: Box, value: Box, token: Token): boolean =>
  token.x < Math.max(right(label), right(value)) && right(token) > Math.min(label.x, value.x)

/** How many rows have text between a label and a value under (or above) it, in the same column. */
const rowsBetween = (model: PageModel, match: LabelMatch, value: Placed): number => {
  const [low, high] = [match.span.row, value.span.row].toSorted((a, b) => a - b)
  const rows = model.rows.slice((low ?? 0) + 1, high ?? 0)
  return rows.filter((row) => row.some((token) => inTheColumn(match.bbox, value.bbox, token))).length
}

/** The words of a heading before its label: `Invoice` in `Invoice Due Date`. */
const mostBefore = 2

/** The box of a label with the few words of its heading before it: a value below is in the column of the whole. */
const headingBox = (model: PageModel, { bbox, span: { from, row } }: LabelMatch): Box => {
  const tokens = model.rows[row] ?? []
  const first = tokens.findIndex(({ phrase }) => phrase === tokens[from]?.phrase)
  const left = tokens[first]?.x
  return left === undefined || from - first > mostBefore ? bbox : { ...bbox, x: left, w: right(bbox) - left }
}

const underneath = (model: PageModel, match: LabelMatch, value: Placed): Relation | undefined => {
  const drop = value.bbox.y - bottom(match.bbox)
  const size = Math.max(model.lineHeight, match.bbox.h)
  if (value.span.row <= match.span.row || drop < -0.5 * size || drop > 4 * size) return undefined
  if (!sharesColumn(headingBox(model, match), value.bbox, 1.2 * size)) return undefined
  const [lines, blocked] = [Math.max(0, drop / size), rowsBetween(model, match, value)]
  return { position: "below", fit: (0.85 - 0.06 * lines) * 0.6 ** blocked, gap: 0, words: 0, lines, blocked }
}

const overhead = (model: PageModel, match: LabelMatch, value: Placed): Relation | undefined => {
  const rise = match.bbox.y - bottom(value.bbox)
  const size = Math.max(model.lineHeight, match.bbox.h)
  if (value.span.row >= match.span.row || rise < -0.5 * size || rise > 2.5 * size) return undefined
  if (!sharesColumn(match.bbox, value.bbox, 1.2 * size)) return undefined
  const [lines, blocked] = [Math.max(0, rise / size), rowsBetween(model, match, value)]
  return { position: "above", fit: 0.75 * 0.6 ** blocked, gap: 0, words: 0, lines, blocked }
}

/**
 * How a value is placed to a label, where it could be the label's: to its right, under it and so on, whichever of
 * `positions` fits best. `stranger` gives the factor for a token between them that is a label or a value of its own.
 */
export const relationOf = (
  model: PageModel,
  match: LabelMatch,
  value: Placed,
  positions: ReadonlyArray<Position>,
  stranger: (span: Span) => number
): Relation | undefined => {
  if (match.span.page !== value.span.page) return undefined
  let best: Relation | undefined
  for (const position of positions) {
    const own =
      position === "below"
        ? underneath(model, match, value)
        : position === "above"
          ? overhead(model, match, value)
          : (toTheRight(model, match, value, stranger) ??
            (position === "row" ? toTheLeft(model, match, value) : undefined))
    if (own !== undefined && own.fit > (best?.fit ?? 0)) best = own
  }
  return best
}

/** How well a value is where the value of a label would be, 0–1. */
export const relation = (
  model: PageModel,
  match: LabelMatch,
  value: Placed,
  positions: ReadonlyArray<Position>,
  stranger: (span: Span) => number
): number => relationOf(model, match, value, positions, stranger)?.fit ?? 0
