import type { Line, Page } from "../../domain/DocumentIR.ts"
import { type Lexicon, ofLexicon } from "../../extraction/lexicon/Lexicon.ts"
import { anyOf } from "../../extraction/lexicon/WordPatterns.ts"

/** The number that a page gives itself. */
export interface PageMark {
  readonly number: number
  /** How many pages its document has, where the page says so. */
  readonly total?: number
  /** Whether a word or a total says that this is a page number; a figure alone may be anything. */
  readonly certain: boolean
}

/** The patterns of page numbers in the languages of a lexicon. */
const patterns = ofLexicon((lexicon) => {
  const word = anyOf(lexicon.words("page"))
  const between = String.raw`(?:${anyOf(lexicon.words("pageOf"))}|[/|–-])`
  return {
    withTotal: new RegExp(
      String.raw`(?<![\p{L}\p{N}])${word}\s*[.:]?\s*(\d{1,4})\s*${between}\s*(\d{1,4})(?![\p{L}\p{N}.,:/-])`,
      "iu"
    ),
    /** `Page 2`, with nothing else in its line: in running text it speaks of another page. */
    alone: new RegExp(String.raw`^[^\p{L}\p{N}]*${word}\s*[.:]?\s*(\d{1,4})[^\p{L}\p{N}]*$`, "iu"),
    fraction: new RegExp(
      String.raw`^[^\p{L}\p{N}]*(\d{1,3})\s*(?:/|${anyOf(lexicon.words("pageOf"))})\s*(\d{1,3})[^\p{L}\p{N}]*$`,
      "iu"
    )
  }
})
type Patterns = ReturnType<typeof patterns>
const figure = /^[\s\-–—|[(]*(\d{1,3})[\s\-–—|\])]*$/u

/** Page numbers are in this part of a page's height at its top and at its bottom, or in this number of its lines. */
const margin = 0.15
const marginLines = 3
/** A page number is in the last characters of its line, at most this number; a line may be as long as a document wants. */
const mostCharacters = 300

const marginsOf = ({ height, lines }: Page): ReadonlyArray<Line> =>
  lines.filter(
    ({ bbox }, index) =>
      index < marginLines ||
      index >= lines.length - marginLines ||
      bbox.y + bbox.h < height * margin ||
      bbox.y > height * (1 - margin)
  )

const markIn = ({ alone, fraction, withTotal }: Patterns, text: string): PageMark | undefined => {
  const [, number, total] = withTotal.exec(text) ?? fraction.exec(text) ?? []
  if (number !== undefined)
    return Number(number) >= 1 && Number(number) <= Number(total)
      ? { number: Number(number), total: Number(total), certain: true }
      : undefined
  const [, single] = alone.exec(text) ?? []
  return single === undefined || Number(single) < 1 ? undefined : { number: Number(single), certain: true }
}

/** A figure alone in the last or first line of a page that has more. */
const figureOf = (lines: ReadonlyArray<Line>): PageMark | undefined => {
  if (lines.length < marginLines) return undefined
  for (const line of [lines.at(-1), lines[0]]) {
    const [, number] = figure.exec(line?.text.slice(-mostCharacters) ?? "") ?? []
    if (number !== undefined && Number(number) >= 1) return { number: Number(number), certain: false }
  }
  return undefined
}

/** How much of its line a mark is: running text says "see page 1 of 3" too. */
const lettersBeside = ({ withTotal }: Patterns, text: string): number =>
  text.replace(withTotal, "").replace(/[^\p{L}]/gu, "").length

/** The number that a page gives itself in its margins: `Page 1 of 3`, `Seite 2/4`, `2 / 3`, `Page 2`, `- 2 -`. */
export const pageMarkOf = (page: Page, lexicon: Lexicon): PageMark | undefined => {
  const known = patterns(lexicon)
  const marks = marginsOf(page).flatMap((line) => {
    const text = line.text.slice(-mostCharacters)
    const mark = markIn(known, text)
    return mark === undefined ? [] : [{ mark, beside: lettersBeside(known, text) }]
  })
  const [plainest] = marks.toSorted((left, right) => left.beside - right.beside)
  return plainest?.mark ?? figureOf(page.lines)
}
