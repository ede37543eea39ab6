import type { Finder } from "./Finder.ts"
import type { Candidate } from "../candidates/Candidate.ts"
import type { Field } from "../Field.ts"
import { around, type PageModel, type Token } from "../page/PageModel.ts"
import { best, type Ranked } from "../candidates/Ranked.ts"
import { type NameWords, nameWords } from "../lexicon/NameWords.ts"
import type { Reading } from "../page/Reading.ts"

/** `Boulder, CO 80302`: a state, and no company. */
const town = /, [A-Z]{2}(?: \d{5}(?:-\d{4})?)?$/u

const startsWithNumber = /^[\d(#*+]/u

/** How far down a page a shop still names itself. */
const head = 0.35
const mostRows = 9

const textOf = (tokens: ReadonlyArray<Token>): string => tokens.map(({ text }) => text).join(" ")

const isPart = ({ text }: Token): boolean => /\p{L}/u.test(text) && !/\d{4,}/u.test(text)

const isNumber = (words: NameWords, text: string): boolean =>
  /^(?:\([^)]*)?\d{4,}/u.test(text) || words.beginsRegistration(text)

/** A company's number behind its name (`(123456-A)`, `002043319-W`) and marks at the edges are no part of it. */
const trimmed = (words: NameWords, all: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const end = all.findIndex(
    (_, at) => at > 0 && isNumber(words, textOf(all.slice(at))) && words.endsInForm(textOf(all.slice(0, at)))
  )
  const tokens = end < 0 ? all : all.slice(0, end)
  const from = tokens.findIndex(isPart)
  const to = tokens.findLastIndex(isPart)
  return from < 0 ? [] : tokens.slice(from, to + 1)
}

const letters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

interface Line {
  readonly row: number
  readonly from: number
  readonly to: number
  readonly tokens: ReadonlyArray<Token>
}

/** Where a shop is, how it is reached, and what the paper is: no name. */
const isNoName = (words: NameWords, text: string): boolean =>
  words.isTitle(text) || words.isContact(text) || words.isAboutReceipt(text) || words.isStreet(text)

const scoreOf = (words: NameWords, page: PageModel, { row, tokens }: Line, named: boolean): number => {
  const text = textOf(tokens)
  const size = Math.min(2.5, Math.max(...tokens.map(({ h }) => h)) / page.lineHeight)
  return (
    0.5 -
    0.035 * row +
    0.14 * (size - 1) +
    ((words.endsInForm(text) || words.holdsForm(text)) && !town.test(text) ? 0.3 : 0) +
    (words.isShop(text) ? 0.1 : 0) -
    (isNoName(words, text) ? 0.45 : 0) -
    (startsWithNumber.test(text) ? 0.2 : 0) -
    (town.test(text) ? 0.3 : 0) -
    (letters(text) < 4 ? 0.3 : 0) -
    (letters(text) < 0.6 * text.replace(/\s/gu, "").length ? 0.25 : 0) +
    (named ? 0.3 : 0)
  )
}

/** The lines at the head of a page that could hold a name. */
const headOf = (words: NameWords, page: PageModel): Array<Line> => {
  const top = page.rows[0]?.[0]?.y ?? 0
  return page.rows.slice(0, mostRows).flatMap((all, row): Array<Line> => {
    const tokens = trimmed(words, all)
    const [first, last] = [tokens[0], tokens.at(-1)]
    if (first === undefined || last === undefined) return []
    if (row > 2 && first.y - top > head * page.height) return []
    return [{ row, from: all.indexOf(first), to: all.indexOf(last), tokens }]
  })
}

const isNamed = (words: NameWords, text: string): boolean =>
  letters(text) > 3 && !isNoName(words, text) && !startsWithNumber.test(text)

/** A name over two lines: its second says nothing but what it is, such as `BISTRO & CAFE` or `RESTAURANT SDN BHD`. */
const joined = (words: NameWords, lines: ReadonlyArray<Line>): Array<Line> => {
  const goesOn = (line: Line, next: Line | undefined): boolean => {
    const text = textOf(line.tokens)
    return (
      next?.row === line.row + 1 &&
      isNamed(words, text) &&
      !words.endsInForm(text) &&
      words.saysOnlyWhat(textOf(next.tokens))
    )
  }
  return lines.flatMap((line, i) => {
    const [before, next] = [lines[i - 1], lines[i + 1]]
    if (next !== undefined && goesOn(line, next))
      return [{ ...line, tokens: [...line.tokens, ...next.tokens] }]
    return before !== undefined && goesOn(before, line) ? [] : [line]
  })
}

/** Ranks the lines at the head of a receipt by how well they could be the name of the shop: the first large one. */
export const merchantsOf = (reading: Reading, field: Field): Array<Ranked<string>> => {
  const page = reading.pages[0]
  if (page === undefined) return []
  const labelled = new Set(
    reading.labels
      .filter(({ label, span }) => label.names && label.field === field.name && span.page === 0)
      .map(({ span }) => span.row)
  )
  const words = nameWords(reading.lexicon)
  const ranked = joined(words, headOf(words, page)).flatMap((line): Array<Ranked<string>> => {
    const { from, row, to, tokens } = line
    const text = textOf(tokens)
    const value = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}.)]+$/gu, "")
    if (letters(value) < 3) return []
    const candidate: Candidate<string> = {
      span: { page: 0, row, from, to },
      bbox: around(tokens),
      text,
      value,
      quality: 0.9
    }
    const score = scoreOf(words, page, line, labelled.has(row))
    return [{ ...candidate, score: Math.max(0, Math.min(0.95, score)) }]
  })
  return best(ranked).filter(({ score }) => score >= 0.2)
}

/** Finds the name of the shop at the head of a receipt. */
export const merchantFinder: Finder = { find: merchantsOf }
