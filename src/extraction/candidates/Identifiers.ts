import { type Candidate, rowKey } from "../layout/Candidate.ts"
import { asksForNumber } from "./LabelFeatures.ts"
import type { LabelMatch } from "../layout/LabelMatches.ts"
import { checkVatId } from "../values/CheckedNumbers.ts"
import { type Lexicon, ofLexicon } from "../lexicon/Lexicon.ts"
import { around, type Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Box } from "../../domain/DocumentIR.ts"
import { textOfWords } from "../../domain/LineText.ts"

const identifier = /^[\p{L}\d][\p{L}\d_./\\#&+-]*$/u
const prefix = /^(?:#|№|(?:no|nr|n°|nº|num)[.:]?\s?(?=\d)|(?:br|č|čís|št|sz|nro)\.(?=\d))+/iu
/** Recognition loses the space behind the word for number, and its accent: `Št. 25-0088`, `č. 20250088`. */
const misreadPrefix = /^(?:c|cis|st)\.(?=\d)/iu
const otherThings = /@|:\/\/|^www\.|^\+\d|%$|^\(?\d{1,4}\)?$/iu
const capitals = /^\p{Lu}{1,5}(?:-\p{Lu})?[-/]?$/u
const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}(?:-|$)/iu
const amount = /^\p{Sc}?-?\d{1,3}(?:[.,]\d{3})*[.,]\d{2}\p{Sc}?$/u

/** `CLJ nr. 004418`: a series and a number in it. */
const series = /^(\p{Lu}{1,5})\s+(?:nr|no|n°|nº)\.?\s+(?=\d)/iu
const numberWord = /^(?:nr|no|n°|nº)\.?$/iu

/** The hyphens of Unicode, with and without a line break behind them, that typesetting uses for `-`. */
const hyphens = /[\u2010\u2011]/gu

const clean = (text: string, isRecognised: boolean): string =>
  text
    .replace(hyphens, "-")
    .replace(series, "$1 ")
    .replace(prefix, "")
    .replace(isRecognised ? misreadPrefix : "", "")
    .replace(/^[("'[]+|[)"'\].,;:/·•]+$/gu, "")

/** `1187/16.12.2025`: the number and the day of a record, an order or a contract. */
const withDate = /\/\d{1,2}\.\d{1,2}\.\d{4}$/u

/** `FOLHA 1/1`: a page and how many there are. */
const pageOfPages = /^\p{Lu}{4,} [1-9]\/[1-9]$/u

/** What countries know of numbers: which are none of a document, and what is before the second part of one that is. */
const ofCountries = ofLexicon(({ countries }) => ({
  notDocuments: [...countries.values()].flatMap(({ notDocuments = [] }) => notDocuments),
  pointsOfSale: [...countries.values()].flatMap(({ pointOfSale }) => pointOfSale ?? [])
}))

const qualityOf = (value: string, lexicon: Lexicon): number => {
  if (ofCountries(lexicon).notDocuments.some((pattern) => pattern.test(value))) return 0.35
  if (otherThings.test(value)) return /^\d{2,4}$/u.test(value) ? 0.75 : 0.35
  if (amount.test(value)) return 0.25
  if (withDate.test(value) || pageOfPages.test(value)) return 0.35
  // IBANs and VAT numbers are identifiers, but of somebody.
  if (checkVatId(value) === "valid") return 0.3
  if (/^(?:IBAN)?[A-Z]{2}\d{2}[A-Z0-9]{10,}$/u.test(value.replaceAll(" ", ""))) return 0.4
  // Registers of tax offices give such numbers to documents, next to the number that the seller gave.
  if (uuid.test(value)) return 0.3
  return value.length > 30 ? 0.4 : 1
}

const figures = /^\d{1,4}$/u
/** Where a number printed in groups of figures ends: all of `7 701 882 340`, if nothing else is close behind it. */
const groupsEnd = (row: ReadonlyArray<Token>, begin: number, letters: 0 | 1): number | undefined => {
  const from = begin + letters
  const first = row[from]
  if (first === undefined || !figures.test(first.text) || figures.test(row[from - 1]?.text ?? ""))
    return undefined
  let to = from
  while (row[to + 1]?.phrase === first.phrase && figures.test(row[to + 1]?.text ?? "")) to++
  const groups = row.slice(from + 1, to + 1).map(({ text }) => text.length)
  const [size = 0] = groups
  const last = groups.at(-1) ?? 0
  // `AV 7100 44 2189`: behind letters, groups may be of any length.
  const areGroups =
    letters === 1
      ? groups.length > 0
      : groups.length > 1 && groups.slice(0, -1).every((length) => length === size) && last <= size
  return areGroups && size >= 2 && row[to + 1]?.phrase !== first.phrase ? to : undefined
}

/** How many tokens an identifier takes: `INV 2021-004` and `RE - 12` are one, and no date is a part of one. */
const endOf = (row: ReadonlyArray<Token>, from: number, isDate: (at: number) => boolean): number => {
  let to = from
  const [first, word, number] = row.slice(from, from + 3)
  if (first !== undefined && word !== undefined && number !== undefined && word.phrase === number.phrase)
    if (capitals.test(first.text) && numberWord.test(word.text) && /^\d{2,}$/u.test(number.text))
      return from + 2
  const letters = first !== undefined && capitals.test(first.text) && word?.phrase === first.phrase ? 1 : 0
  const grouped = groupsEnd(row, from, letters)
  if (grouped !== undefined) return grouped
  for (let i = from + 1; i < row.length && i < from + 4; i++) {
    const [before, token] = [row[i - 1], row[i]]
    if (before === undefined || token === undefined || isDate(i)) break
    if (token.x - (before.x + before.w) > 0.7 * token.h) break
    // `DURAL NSW 2158` is a place.
    if (capitals.test(before.text) && capitals.test(token.text)) break
    const joins = /[-/]$/u.test(before.text) || /^[-/]/u.test(token.text) || capitals.test(before.text)
    // `2025 - OMAGGIO`: a word behind a dash is none of a number's letters.
    if (before.text === "-" && /^\p{L}{6,}$/u.test(token.text)) break
    if (!joins || !/^[-/]$|^[-/]?[A-Z\d][A-Z\d/-]*$/u.test(token.text)) break
    to = i
  }
  // What a hyphen or slash leads to is no part of it: `03 - Transfer`, `90118822 / 16.09.2025`.
  return to > from && /^[-/]$/u.test(row[to]?.text ?? "") ? to - 1 : to
}

/** The text of words, without a space where they touch because the direction changes: `INV` and `-10452` in a line of Arabic. */
const glued = (tokens: ReadonlyArray<Token>): string =>
  tokens.reduce((text, { text: next, x }, at) => {
    const before = tokens[at - 1]
    return before === undefined ? next : `${text}${x < before.x + before.w ? "" : " "}${next}`
  }, "")

/** The words and the number in front of the number of a form. */
const wordsOfPoint = 6

/** `Punto de Venta: 00006 Comp. Nro: 00014482`: some forms print `00006-00014482` in two parts. */
const withPointOfSale = (before: ReadonlyArray<Token>, value: string, lexicon: Lexicon): string => {
  if (!/^\d{8}$/u.test(value)) return value
  const words = textOfWords(before.slice(-wordsOfPoint))
  const points = ofCountries(lexicon).pointsOfSale.map((pattern) => pattern.exec(words)?.[1])
  return [...points.filter((point) => point !== undefined).slice(0, 1), value].join("-")
}

const figureGroups = /^(?:\p{Lu}{1,5} )?\d{1,4}(?: \d{1,4})+(?: [\dA-Z]{2,5})?$/u

/** A series of one or two letters with its number: `R 2026/198`. */
const seriesAndNumber = /^\p{Lu}{1,2} \d[\d/.-]+$/u

/**
 * The numbers of a row without those that are a part of another one: `44` in `AV 7100 44 2189`, and `2026/198` behind a series,
 * unless its letters are a label.
 */
const withoutGroups = (
  found: ReadonlyArray<Candidate<string>>,
  labels: ReadonlyArray<LabelMatch>
): ReadonlyArray<Candidate<string>> => {
  const inGroups = new Set(
    found.flatMap(({ span: { from, to }, value }) =>
      to - from > 1 && figureGroups.test(value)
        ? Array.from({ length: to - from + 1 }, (_, i) => from + i)
        : []
    )
  )
  const behindSeries = new Set(
    found.flatMap(({ span: { from, to }, value }) =>
      seriesAndNumber.test(value) && !labels.some(({ span }) => span.from <= from && from <= span.to)
        ? [to]
        : []
    )
  )
  return found.filter(
    ({ span: { from, to }, value }) =>
      !(inGroups.has(from) && figures.test(value)) && !(from === to && behindSeries.has(to))
  )
}

/** From a day to another one: `20.-29.10.2025`, `01.10.2025-31.10.2025`. */
const period = /^\d{1,2}[./]?(?:\d{1,2}[./]?(?:\d{4}|\d{2})?)?[-–]\d{1,2}[./]\d{1,2}[./](?:\d{4}|\d{2})\.?$/u

/** How far from each other two boxes begin or end. */
const shift = (one: Box, two: Box): number =>
  Math.min(Math.abs(one.x - two.x), Math.abs(one.x + one.w - two.x - two.w))

/**
 * Whether a place is right behind a label that asks for a number, `Numer faktury 2/11/2023`, or begins the cell below. There, one
 * with points is a day: `03.03.2025`.
 */
const isAskedFor = (reading: Reading, page: number, row: number, at: number, token: Token): boolean => {
  const here = reading.labelsByRow.get(rowKey(page, row)) ?? []
  const above = reading.labelsByRow.get(rowKey(page, row - 1)) ?? []
  const begins = reading.pages[page]?.rows[row]?.[at - 1]?.phrase !== token.phrase
  return (
    here.some((match) => match.span.to === at - 1 && asksForNumber(match)) ||
    (begins &&
      !token.text.includes(".") &&
      above.some((match) => asksForNumber(match) && shift(match.bbox, token) < match.bbox.h))
  )
}

/**
 * Everything that could be a number of an invoice, an order or a customer: tokens with a digit that are no date. Some number
 * their documents by month and year, or by the day: only where a number is asked for, such a token may be one.
 */
export const identifiersOf = (reading: Reading): Array<Candidate<string>> => {
  const dates = new Set(
    reading.dates.flatMap(({ span }) =>
      Array.from({ length: span.to - span.from + 1 }, (_, i) => `${span.page}:${span.row}:${span.from + i}`)
    )
  )
  return reading.pages.flatMap((page, pageIndex) =>
    page.rows.flatMap((row, rowIndex) => {
      const found = row.flatMap((token, from): Array<Candidate<string>> => {
        const isDate = (at: number) => dates.has(`${pageIndex}:${rowIndex}:${at}`)
        if (!/\d/u.test(token.text) && !capitals.test(token.text)) return []
        if (isDate(from) && !isAskedFor(reading, pageIndex, rowIndex, from, token)) return []
        const to = endOf(row, from, isDate)
        const tokens = row.slice(from, to + 1)
        const text = glued(tokens)
        const printed = clean(text, token.confidence !== undefined)
        const value = withPointOfSale(row.slice(0, from), printed, reading.lexicon)
        if (!/\d/u.test(value) || !identifier.test(value.replaceAll(" ", ""))) return []
        if (period.test(text.replaceAll(" ", ""))) return []
        const span = { page: pageIndex, row: rowIndex, from, to }
        return [{ span, bbox: around(tokens), text, value, quality: qualityOf(value, reading.lexicon) }]
      })
      return withoutGroups(found, reading.labelsByRow.get(rowKey(pageIndex, rowIndex)) ?? [])
    })
  )
}
