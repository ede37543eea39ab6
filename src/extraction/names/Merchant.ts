import { isAddress, lineAt } from "../candidates/BlockRoles.ts"
import type { Finder } from "./Finder.ts"
import type { Candidate } from "../layout/Candidate.ts"
import type { Field } from "../lexicon/Field.ts"
import { around, type PageModel, type Token } from "../layout/PageModel.ts"
import { best, type Ranked } from "../candidates/Ranked.ts"
import type { NameWords } from "../lexicon/NameWords.ts"
import { namesIn } from "../layout/NamesIn.ts"
import type { Reading } from "../layout/Reading.ts"
import { leastScore, rankingScore } from "../models/RankingWeights.ts"
import { computeFeatures, type FeatureTable } from "../Features.ts"

/** `Boulder, CO 80302`: a state, and no company. */
const town = /, [A-Z]{2}(?: \d{5}(?:-\d{4})?)?(?:\s+Store)?$/u

const startsWithNumber = /^[\d(#*+]/u

/** How far down a page a shop still names itself. */
const head = 0.35
const mostRows = 9

const textOf = (tokens: ReadonlyArray<Token>): string => tokens.map(({ text }) => text).join(" ")

const isPart = ({ text }: Token): boolean => /\p{L}/u.test(text) && !/\d{4,}/u.test(text)

/** Marks and numbers at the edges of a line are no part of a name. */
const trimmed = (tokens: ReadonlyArray<Token>): ReadonlyArray<Token> => {
  const from = tokens.findIndex(isPart)
  return from < 0 ? [] : tokens.slice(from, tokens.findLastIndex(isPart) + 1)
}

const letters = (text: string): number => text.match(/\p{L}/gu)?.length ?? 0

interface Line {
  readonly row: number
  readonly from: number
  readonly to: number
  readonly tokens: ReadonlyArray<Token>
  /** Whether it is two lines of which only one is in capitals. */
  readonly isMixed?: boolean
}

/** Where a shop is, how it is reached, and what the paper is: no name. */
const isNoName = (words: NameWords, text: string): boolean =>
  words.isTitle(text) ||
  words.isContact(text) ||
  words.isAboutReceipt(text) ||
  // The words of streets are also those of shopping centres; streets have numbers.
  (words.isStreet(text) && /\d/u.test(text))

const isNamed = (words: NameWords, text: string): boolean =>
  letters(text) > 3 && !isNoName(words, text) && !startsWithNumber.test(text)

const isInCapitals = (text: string): boolean => !/\p{Ll}/u.test(text)

/** How unsure recognition is of the worst word of a line, 0–1. */
const doubtOf = (tokens: ReadonlyArray<Token>): number =>
  1 - Math.min(1, ...tokens.map(({ confidence = 1 }) => confidence))

const heightOf = (tokens: ReadonlyArray<Token>): number => Math.max(...tokens.map(({ h }) => h))

/** Whether a line is clearly larger than another one. */
const isLarger = (one: Line, other: Line): boolean => heightOf(one.tokens) > 1.2 * heightOf(other.tokens)

/** A line that may be the name of a shop, with those around it. */
interface HeadLine {
  readonly words: NameWords
  readonly page: PageModel
  readonly line: Line
  readonly text: string
  /** Its height, in lines of the page. */
  readonly size: number
  /** Whether it has a legal form. */
  readonly hasForm: boolean
  /** Whether one of the next two lines of its block is an address. */
  readonly isAboveAddress: boolean
  readonly before: ReadonlyArray<Line>
  readonly after: ReadonlyArray<Line>
  /** The lines before it that could be a name as well. */
  readonly possible: ReadonlyArray<Line>
}

/** What a line at the head of a receipt says as the name of the shop. */
const merchantTable = {
  /** How far down it is. */
  row: ({ line }) => line.row / 4,
  /** How much larger than the lines of the page. */
  large: ({ size }) => size - 1,
  /** Has a legal form. */
  form: ({ hasForm }) => hasForm,
  /** Has a legal form below a name with a word for a kind of shop. */
  formBelowShop: ({ hasForm, possible, words }) =>
    hasForm && possible.some(({ tokens }) => words.isShop(textOf(tokens))),
  /** Right above an address. */
  addressBelow: ({ isAboveAddress }) => isAboveAddress,
  /** The first line that can be a name, above an address, and more than what the shop is. */
  headsAddress: ({ isAboveAddress, possible, text, words }) =>
    possible.length === 0 &&
    isNamed(words, text) &&
    isAboveAddress &&
    !words.saysOnlyWhat(text) &&
    !/^\p{Ll}/u.test(text),
  /** Has a word for a kind of shop. */
  shop: ({ text, words }) => words.isShop(text),
  /** Begins with a word for the owner. */
  owner: ({ text, words }) => words.beginsWithOwner(text),
  /** Says where the shop is, how it is reached, or what the paper is. */
  noName: ({ text, words }) => isNoName(words, text),
  /** Begins with a figure or a mark. */
  startsWithNumber: ({ text }) => startsWithNumber.test(text),
  /** A town with its state. */
  town: ({ text }) => town.test(text),
  /** Fewer than four letters. */
  short: ({ text }) => letters(text) < 4,
  /** Rather figures and marks than letters. */
  fewLetters: ({ text }) => letters(text) < 0.6 * text.replace(/\s/gu, "").length,
  /** One word. */
  oneWord: ({ line }) => line.tokens.length === 1,
  /** Begins with a small letter. */
  smallFirst: ({ text }) => /^\p{Ll}/u.test(text),
  /** In capitals. */
  capitals: ({ text }) => isInCapitals(text),
  /** Says only what the shop is, or one of its two lines does, as their capitals tell. */
  onlyWhat: ({ line, text, words }) => line.isMixed === true || words.saysOnlyWhat(text),
  /** How unsure recognition is of the worst word, 0–1. */
  wordDoubt: ({ line }) => doubtOf(line.tokens)
} satisfies FeatureTable<HeadLine>

export type MerchantFeature = keyof typeof merchantTable

/** The gap between columns, in heights of letters: names are set with less between their words. */
const betweenColumns = 4

/** The parts of a row that are in columns of their own: receipts on paper of full size have two. */
const columnsOf = (row: ReadonlyArray<Token>): ReadonlyArray<ReadonlyArray<Token>> => {
  const starts = row.flatMap((token, at) => {
    const before = row[at - 1]
    return before === undefined || token.x - before.x - before.w > betweenColumns * token.h ? [at] : []
  })
  return starts.map((start, i) => row.slice(start, starts[i + 1]))
}

/** The lines at the head of a page that could hold a name. */
const headOf = (page: PageModel): Array<Line> => {
  const top = page.rows[0]?.[0]?.y ?? 0
  return page.rows.slice(0, mostRows).flatMap((all, row): Array<Line> => {
    return columnsOf(all).flatMap((column): Array<Line> => {
      const tokens = trimmed(column)
      const [first, last] = [tokens[0], tokens.at(-1)]
      if (first === undefined || last === undefined) return []
      if (row > 2 && first.y - top > head * page.height) return []
      return [{ row, from: all.indexOf(first), to: all.indexOf(last), tokens }]
    })
  })
}

/** A name over two lines: its second says nothing but what it is, such as `BISTRO & CAFE` or `RESTAURANT SDN BHD`. */
const joined = (words: NameWords, lines: ReadonlyArray<Line>): Array<Line> => {
  const goesOn = (line: Line, next: Line | undefined): boolean => {
    const text = textOf(line.tokens)
    return (
      next?.row === line.row + 1 &&
      !isLarger(line, next) &&
      isNamed(words, text) &&
      !words.endsInForm(text) &&
      words.saysOnlyWhat(textOf(next.tokens))
    )
  }
  return lines.flatMap((line, i) => {
    const [before, next] = [lines[i - 1], lines[i + 1]]
    if (next !== undefined && goesOn(line, next))
      return [
        {
          ...line,
          tokens: [...line.tokens, ...next.tokens],
          isMixed: isInCapitals(textOf(line.tokens)) !== isInCapitals(textOf(next.tokens))
        }
      ]
    return before !== undefined && goesOn(before, line) ? [] : [line]
  })
}

/** Whether the words before a line in its row are its label, as in `Payment method    Visa`. A title is no label. */
const isValue = (words: NameWords, { rows }: PageModel, { from, row }: Line): boolean => {
  const before = textOf(rows[row]?.slice(0, from) ?? [])
  return words.isAboutReceipt(before) && !words.isTitle(before)
}

/** The lines at the head of a receipt that could be the name of the shop, with their features. */
const propose = (reading: Reading, field: Field): ReadonlyArray<Ranked<string>> => {
  const page = reading.pages[0]
  if (page === undefined) return []
  const words = namesIn(reading)
  const lines = joined(words, headOf(page))
  return lines.flatMap((line, at): Array<Ranked<string>> => {
    const { from, row, to, tokens } = line
    const text = textOf(tokens)
    const value = text.replace(/^[^\p{L}\p{N}]+|\s*\([^)]*$|[^\p{L}\p{N}.)]+$/gu, "")
    const isDay = reading.dates.some(
      ({ span }) => span.page === 0 && span.row === row && span.from <= from && span.to >= to
    )
    if (letters(value) < 3 || isDay || isValue(words, page, line)) return []
    const candidate: Candidate<string> = {
      span: { page: 0, row, from, to },
      bbox: around(tokens),
      text,
      value,
      quality: 0.9
    }
    const before = lines.slice(0, at)
    const place = lineAt(reading, candidate.span)
    const below = place?.block.lines.slice(place.line + 1, place.line + 3) ?? []
    const features = computeFeatures(merchantTable, {
      words,
      page,
      line,
      text,
      before,
      isAboveAddress: below.some((next) => isAddress(words, next.text)),
      size: Math.min(2.5, heightOf(tokens) / page.lineHeight),
      hasForm: words.endsInForm(text) || words.holdsForm(text),
      after: lines.slice(at + 1),
      possible: before.filter((other) => isNamed(words, textOf(other.tokens)))
    })
    return [{ ...candidate, features, score: rankingScore(field, features) }]
  })
}

/** Ranks the lines at the head of a receipt by how well they could be the name of the shop. */
export const merchantsOf = (reading: Reading, field: Field): Array<Ranked<string>> =>
  best(propose(reading, field)).filter(({ score }) => score >= leastScore(field))

/** Finds the name of the shop at the head of a receipt. */
export const merchantFinder: Finder = { find: merchantsOf, propose }
