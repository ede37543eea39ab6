import { hundredths } from "../../support/Cents.ts"
import type { Box, Page, Word } from "../../domain/DocumentIR.ts"
import { textOfWords } from "../../domain/LineText.ts"
import { fromUpright, toUpright, turnedSize } from "../../domain/Slant.ts"
import { rowsOf } from "../../document/layout/Rows.ts"
import type { Lexicon } from "../lexicon/Lexicon.ts"
import { unspacedLetters } from "../lexicon/WordPatterns.ts"
import { defined } from "../../support/Defined.ts"
import { withPlainDigits } from "../values/Numbers.ts"
import {
  hasRightToLeft,
  isSetFromRight,
  mirrored,
  runsFromRight,
  withRunsTurned
} from "./WritingDirection.ts"

/** A word, or a part of one, and where it is. */
export interface Token extends Box {
  readonly text: string
  /** As labels are compared; empty for punctuation. */
  readonly folded: string
  /** Which run of closely set words of the row it belongs to. */
  readonly phrase: number
  /** How sure recognition is of the word, 0–1; nothing where it was not needed. */
  readonly confidence?: number
}

/**
 * The tokens of a page in rows, each from left to right. A page in Arabic or Hebrew is mirrored, so that everything that
 * looks to the right of a label or for the first column of a table finds what comes next in reading order.
 */
export interface PageModel {
  readonly pageNumber: number
  readonly width: number
  readonly height: number
  readonly rows: ReadonlyArray<ReadonlyArray<Token>>
  /** The height of a usual line, in points. */
  readonly lineHeight: number
  /** From where something is here to where it is on the page as it is: a scan may lie askew, a page may be mirrored. */
  readonly toPage: (box: Box) => Box
}

/** Consecutive tokens of one row: `from` and `to` are both included. */
export interface Span {
  readonly page: number
  readonly row: number
  readonly from: number
  readonly to: number
}

/** The smallest box around some boxes. */
export const around = (boxes: ReadonlyArray<Box>): Box => {
  let [x, y, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const box of boxes) {
    x = Math.min(x, box.x)
    y = Math.min(y, box.y)
    right = Math.max(right, box.x + box.w)
    bottom = Math.max(bottom, box.y + box.h)
  }
  return { x: hundredths(x), y: hundredths(y), w: hundredths(right - x), h: hundredths(bottom - y) }
}

/** What is in front of a colon, as labels are, and nothing in front of a column of them. */
const endsAtColon = /^((?:[\p{L}#№][^:：]*)?[:：])([^:：/\s].*)$/u

/** A label in brackets, or in a script without spaces, that an amount with a currency sign follows. */
const endsAtSign = new RegExp(
  String.raw`^(\p{L}*[(（][\p{L}\s]+[)）]|[${unspacedLetters}\p{sc=Hang}]+)(-?\p{Sc}.*\d.*)$`,
  "u"
)

/**
 * Splits `Kundennummer:2` and `請求日：2025年9月30日` after the colon, `（小写）¥20000.00` and `合計￥1,247` before the sign; each part gets
 * its share of the box.
 */
const splitInside = (word: Word): Array<Word> => {
  const [, label = "", value = ""] = endsAtColon.exec(word.text) ?? endsAtSign.exec(word.text) ?? []
  if (value === "") return [word]
  const { x, y, w, h } = word.bbox
  const share = (w * label.length) / word.text.length
  return [
    { ...word, text: label, bbox: { x, y, w: share, h } },
    { ...word, text: value, bbox: { x: x + share, y, w: w - share, h } }
  ]
}

/** No value is a word as long as this, and many ways to look at a word take the square of its length. */
const longestWord = 300

const shortened = (word: Word): Word =>
  word.text.length > longestWord ? { ...word, text: word.text.slice(0, longestWord).toWellFormed() } : word

/** The words of a line, each to 300 characters; where a reader gave none, the line's box is shared out by letters. */
export const wordsOf = (line: Page["lines"][number]): ReadonlyArray<Word> => {
  if (line.words !== undefined) return line.words.map(shortened)
  const { x, y, w, h } = line.bbox
  const step = w / Math.max(1, line.text.length)
  return [...line.text.matchAll(/\S+/gu)]
    .map((match) => ({
      text: match[0],
      bbox: { x: x + match.index * step, y, w: match[0].length * step, h }
    }))
    .map(shortened)
}

/** Fewer letters are no higher than twice the width of their line when they run up; `III` is as narrow when it does not. */
const shortestUpright = 4

/** Text that runs up or down the page (a margin note) belongs to no row. */
const isUpright = (word: Word): boolean =>
  word.text.length < shortestUpright || word.bbox.h <= 2 * word.bbox.w

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 10

/** No printed row has more words. A paragraph of plain text or XML may, and many ways to look at a row take their square. */
const longestRow = 150

const inPieces = (tokens: ReadonlyArray<Token>): ReadonlyArray<ReadonlyArray<Token>> =>
  Array.from({ length: Math.ceil(tokens.length / longestRow) }, (_, piece) =>
    tokens.slice(piece * longestRow, (piece + 1) * longestRow)
  )

const placed = ({ bbox, text }: Word) => ({ ...bbox, text })

/** The widest gap inside a label of two letters that fills its column, such as `名  称：`, in heights of a letter. */
const widestSpread = 4
const oneLetter = /^\p{sc=Han}$/u
const lastLetter = /^\p{sc=Han}[:：]$/u

/** Puts the words of a page into rows across its whole width, whatever columns they were read in. */
export const pageModel = (page: Page, lexicon: Lexicon): PageModel => {
  const { slant } = page
  const size = slant === undefined ? { width: page.width, height: page.height } : turnedSize(slant, page)
  const upright = page.lines
    .flatMap(wordsOf)
    .map((word) => {
      const bbox = slant === undefined ? word.bbox : toUpright(slant, page, word.bbox)
      return Object.assign({}, word, { text: withPlainDigits(word.text), bbox })
    })
    .filter(isUpright)
    .flatMap(splitInside)
  const fromRight =
    hasRightToLeft(upright) && isSetFromRight(page.lines.map((line) => (line.words ?? []).map(placed)))
  const isMirrored = fromRight && runsFromRight(upright)
  const words = isMirrored
    ? upright.map((word) => Object.assign({}, word, { bbox: mirrored(word.bbox, size.width) }))
    : upright
  const raw = words.map((word) => ({
    text: word.text,
    ...word.bbox,
    ...defined({ confidence: word.confidence }),
    turn: 0 as const
  }))
  const rows = rowsOf(raw).flatMap((row) => {
    let phrase = 0
    let right = -Infinity
    let before = ""
    const inOrder = row.words.toSorted((a, b) => a.x - b.x)
    const tokens = (fromRight ? withRunsTurned(inOrder, isMirrored) : inOrder).map(
      ({ text, x, y, w, h, confidence }): Token => {
        const isSpread = oneLetter.test(before) && lastLetter.test(text) && x - right < widestSpread * h
        if (x - right > 0.7 * h && !isSpread) phrase++
        right = x + w
        before = text
        const token = { text, folded: lexicon.fold(text), x, y, w, h, phrase }
        return confidence === undefined ? token : Object.assign(token, { confidence })
      }
    )
    return tokens.length <= longestRow ? [tokens] : inPieces(tokens)
  })
  return {
    pageNumber: page.pageNumber,
    ...size,
    toPage: (box) => {
      const upright = isMirrored ? mirrored(box, size.width) : box
      return slant === undefined ? upright : fromUpright(slant, page, upright)
    },
    rows,
    lineHeight: median(words.map((word) => word.bbox.h))
  }
}

/** The tokens of a span. */
export const tokensOf = (pages: ReadonlyArray<PageModel>, span: Span): ReadonlyArray<Token> =>
  pages[span.page]?.rows[span.row]?.slice(span.from, span.to + 1) ?? []

/** What is printed in front of a span in its row. */
export const textBefore = (pages: ReadonlyArray<PageModel>, { from, page, row }: Span): string =>
  textOfWords((pages[page]?.rows[row] ?? []).slice(0, from))
