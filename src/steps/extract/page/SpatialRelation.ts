import type { Box } from "../../../domain/DocumentIR.ts"
import type { Position } from "../FieldDefinition.ts"
import type { LabelMatch } from "./LabelMatches.ts"
import type { PageModel, Span, Token } from "./PageModel.ts"

/** A value somewhere on the page, as far as its place matters. */
export interface Placed {
  readonly span: Span
  readonly bbox: Box
}

const right = (box: Box): number => box.x + box.w
const bottom = (box: Box): number => box.y + box.h
const center = (box: Box): number => box.x + box.w / 2

const isWord = /^\p{L}{2,}/u

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
): number => {
  const { from, row, to } = match.span
  // The end of a label may be the currency of its amount: `Total RM 12.00`.
  if (value.span.row !== row || value.span.to <= to || value.span.from <= from) return 0
  const tokens = model.rows[row]?.slice(to + 1, value.span.from) ?? []
  const at = (i: number): Span => ({ ...match.span, from: to + 1 + i, to: to + 1 + i })
  const gap = Math.max(0, value.bbox.x - right(match.bbox)) / model.width
  return (1 - 0.3 * gap) * between(tokens, (i) => stranger(at(i)))
}

const toTheLeft = (model: PageModel, match: LabelMatch, value: Placed): number => {
  const { row, from } = match.span
  if (value.span.row !== row || value.span.to >= from) return 0
  const tokens = model.rows[row]?.slice(value.span.to + 1, from) ?? []
  const gap = Math.max(0, match.bbox.x - right(value.bbox)) / model.width
  return 0.9 * (1 - 0.3 * gap) * between(tokens, () => 1)
}

const sharesColumn = (label: Box, value: Box, slack: number): boolean => {
  const shared = Math.min(right(label), right(value)) - Math.max(label.x, value.x)
  return (
    shared >= 0.5 * Math.min(label.w, value.w) ||
    Math.abs(label.x - value.x) <= slack ||
    Math.abs(right(label) - right(value)) <= slack ||
    Math.abs(center(label) - center(value)) <= slack
  )
}

const inTheColumn = (label: Box, value: Box, token: Token): boolean =>
  token.x < Math.max(right(label), right(value)) && right(token) > Math.min(label.x, value.x)

/** Text between a label and a value under (or above) it, in the same column. */
const blocked = (model: PageModel, match: LabelMatch, value: Placed): number => {
  const [low, high] = [match.span.row, value.span.row].toSorted((a, b) => a - b)
  const rows = model.rows.slice((low ?? 0) + 1, high ?? 0)
  const full = rows.filter((row) => row.some((token) => inTheColumn(match.bbox, value.bbox, token)))
  return 0.6 ** full.length
}

/** Where the phrase is among those of its row, if the span is all of it; and how many there are. */
const slotOf = (model: PageModel, { from, row, to }: Span) => {
  const tokens = model.rows[row] ?? []
  const [first, last] = [tokens[from]?.phrase, tokens[to]?.phrase]
  const isWhole =
    first !== undefined &&
    first === last &&
    tokens[from - 1]?.phrase !== first &&
    tokens[to + 1]?.phrase !== last
  return isWhole ? { slot: first, of: tokens.at(-1)?.phrase } : undefined
}

/** Headings in the middle of their cells, values at the left: nothing lines up, but they are as many. */
const sharesSlot = (model: PageModel, label: Span, value: Span): boolean => {
  if (value.row !== label.row + 1) return false
  const [above, below] = [slotOf(model, label), slotOf(model, value)]
  return above !== undefined && (above.of ?? 0) >= 3 && above.slot === below?.slot && above.of === below.of
}

const underneath = (model: PageModel, match: LabelMatch, value: Placed): number => {
  const drop = value.bbox.y - bottom(match.bbox)
  const size = Math.max(model.lineHeight, match.bbox.h)
  if (value.span.row <= match.span.row || drop < -0.5 * size || drop > 4 * size) return 0
  const isBelow =
    sharesColumn(match.bbox, value.bbox, 1.2 * size) || sharesSlot(model, match.span, value.span)
  if (!isBelow) return 0
  return (0.85 - 0.06 * Math.max(0, drop / size)) * blocked(model, match, value)
}

const overhead = (model: PageModel, match: LabelMatch, value: Placed): number => {
  const rise = match.bbox.y - bottom(value.bbox)
  const size = Math.max(model.lineHeight, match.bbox.h)
  if (value.span.row >= match.span.row || rise < -0.5 * size || rise > 2.5 * size) return 0
  if (!sharesColumn(match.bbox, value.bbox, 1.2 * size)) return 0
  return 0.75 * blocked(model, match, value)
}

/**
 * How well a value is where the value of a label would, 0–1. `stranger` gives the factor for a token between them
 * that is a label or a value of its own.
 */
export const relation = (
  model: PageModel,
  match: LabelMatch,
  value: Placed,
  positions: ReadonlyArray<Position>,
  stranger: (span: Span) => number
): number => {
  if (match.span.page !== value.span.page) return 0
  return Math.max(
    ...positions.map((position) => {
      switch (position) {
        case "right":
          return toTheRight(model, match, value, stranger)
        case "below":
          return underneath(model, match, value)
        case "row":
          return Math.max(toTheRight(model, match, value, stranger), toTheLeft(model, match, value))
        case "above":
          return overhead(model, match, value)
      }
    })
  )
}
