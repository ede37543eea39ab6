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
const center = (box: Box): number => box.x + box.w / 2

const isWord = /^\p{L}{2,}/u

const wordsIn = (tokens: ReadonlyArray<Token>): number =>
  tokens.filter(({ text }) => isWord.test(text)).length

/** The last word of a sentence: shorter ones with a point are abbreviations, as is `Momsnr.` */
const endOfSentence = /\p{Ll}{5,}(?<!n[ro])[.!?]$/u
const inNextSentence = 0.3

/** What is between a label and a value to its right makes it less likely that they belong together. */
const between = (
  tokens: ReadonlyArray<Token>,
  phrase: number | undefined,
  strangers: (index: number) => number
): number => {
  let factor = 1
  for (const [i, token] of tokens.entries()) {
    if (isWord.test(token.text)) factor *= 0.85
    if (token.phrase === phrase && endOfSentence.test(token.text)) factor *= inNextSentence
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
  const fit = (1 - 0.3 * gap) * between(tokens, model.rows[row]?.[to]?.phrase, (i) => stranger(at(i)))
  return { position: "right", fit, gap, words: wordsIn(tokens), lines: 0, blocked: 0 }
}

/** The fewest words of a sentence in front of a label that ends its line. */
const wordsOfSentence = 3
const fitOfWrapped = 0.95

/** A value at the beginning of the next line of a sentence that a label ends a line of: `… zahlbar bis` above `14.11.2025`. */
const inNextLine = (model: PageModel, match: LabelMatch, value: Placed): Relation | undefined => {
  const { from, row, to } = match.span
  const tokens = model.rows[row] ?? []
  const phrase = tokens[to]?.phrase
  const begins = tokens.findIndex((token) => token.phrase === phrase)
  const [first, own] = [tokens[begins], model.rows[value.span.row]?.[value.span.from]]
  if (first === undefined || own === undefined || value.span.row !== row + 1) return undefined
  const next = tokens.slice(to + 1).find(({ folded }) => folded !== "")
  const isEnd = next?.phrase !== phrase && from - begins >= wordsOfSentence
  const isNext = Math.abs(own.x - first.x) < 0.5 * first.h && own.y - (first.y + first.h) < 1.2 * first.h
  return isEnd && isNext
    ? { position: "right", fit: fitOfWrapped, gap: 0, words: 0, lines: 0, blocked: 0 }
    : undefined
}

/** By how much of its height a value may be higher or lower than the label in front of it: lines are further apart. */
const mostShift = 0.8
const fitOfShifted = 0.9

/**
 * A value to the right of a label, half a line higher or lower: one of the two is in the middle of its cell, the other at its edge. Nothing is
 * behind the label in its row, nor in front of the value in its own from the label on.
 */
const inShiftedRow = (model: PageModel, match: LabelMatch, value: Placed): Relation | undefined => {
  const { row, to } = match.span
  if (Math.abs(value.span.row - row) !== 1 || value.bbox.x < right(match.bbox)) return undefined
  const shift = Math.abs(value.bbox.y + value.bbox.h / 2 - (match.bbox.y + match.bbox.h / 2))
  const isAlone = model.rows[row]?.[to + 1] === undefined
  const before = model.rows[value.span.row]?.[value.span.from - 1]
  if (shift > mostShift * value.bbox.h || !isAlone) return undefined
  if (before !== undefined && right(before) > match.bbox.x) return undefined
  const gap = (value.bbox.x - right(match.bbox)) / model.width
  return { position: "right", fit: fitOfShifted * (1 - 0.3 * gap), gap, words: 0, lines: 0, blocked: 0 }
}

const toTheLeft = (model: PageModel, match: LabelMatch, value: Placed): Relation | undefined => {
  const { row, from } = match.span
  if (value.span.row !== row || value.span.to >= from) return undefined
  const tokens = model.rows[row]?.slice(value.span.to + 1, from) ?? []
  const gap = Math.max(0, match.bbox.x - right(value.bbox)) / model.width
  const fit = 0.9 * (1 - 0.3 * gap) * between(tokens, undefined, () => 1)
  return { position: "row", fit, gap, words: wordsIn(tokens), lines: 0, blocked: 0 }
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

/** How many rows have text between a label and a value under (or above) it, in the same column. */
const rowsBetween = (model: PageModel, match: LabelMatch, value: Placed): number => {
  const [low, high] = [match.span.row, value.span.row].toSorted((a, b) => a - b)
  const rows = model.rows.slice((low ?? 0) + 1, high ?? 0)
  return rows.filter((row) => row.some((token) => inTheColumn(match.bbox, value.bbox, token))).length
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

const underneath = (model: PageModel, match: LabelMatch, value: Placed): Relation | undefined => {
  const drop = value.bbox.y - bottom(match.bbox)
  const size = Math.max(model.lineHeight, match.bbox.h)
  if (value.span.row <= match.span.row || drop < -0.5 * size || drop > 4 * size) return undefined
  const isBelow =
    sharesColumn(match.bbox, value.bbox, 1.2 * size) || sharesSlot(model, match.span, value.span)
  if (!isBelow) return undefined
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
            inNextLine(model, match, value) ??
            inShiftedRow(model, match, value) ??
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
