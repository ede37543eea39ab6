import { textOfWords } from "../../domain/LineText.ts"
import type { Field } from "../lexicon/Field.ts"
import { type PageModel, type Token, tokensOf } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { computeFeatures, type Features, type FeatureTable } from "../Features.ts"
import {
  greatestAmount,
  isUnusual,
  lostPoint,
  type AmountRole,
  amountRole,
  amountRowsBelow
} from "./AmountRoles.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"

/** An amount with what it is to the others. */
interface Amount {
  readonly reading: Reading
  readonly candidate: Candidate
  /** With the point that it may have lost. */
  readonly value: number
  /** Readings of a meter add up as well: where amounts have cents, numbers without them are no sums. */
  readonly isSum: boolean
  readonly role: AmountRole
  /** The amounts of its row. */
  readonly inRow: ReadonlyArray<Candidate>
}

const amountOf = (reading: Reading, candidate: Candidate, printed: number): Amount => ({
  reading,
  candidate,
  value: lostPoint(reading, candidate) ? printed / 100 : printed,
  isSum: !isUnusual(reading, candidate) || lostPoint(reading, candidate),
  role: amountRole(reading, candidate),
  inRow: (reading.moneyByRow.get(rowKey(candidate.span.page, candidate.span.row)) ?? []).filter(
    ({ quality }) => quality >= 0.7
  )
})

/** What an amount is, for fields of type `money`. */
const amountTable = {
  /** The sum of two amounts near it. */
  whole: ({ isSum, role }) => isSum && role.whole,
  /** The greater part of such a sum. */
  base: ({ isSum, role }) => isSum && role.base,
  /** The smaller part of such a sum. */
  top: ({ isSum, role }) => isSum && role.top,
  /** The sum of the amounts above it in its column. */
  ofColumn: ({ isSum, role }) => isSum && role.ofColumn,
  /** No amount is greater. */
  greatest: ({ isSum, reading, value }) => isSum && Math.abs(value) >= greatestAmount(reading),
  /** How much smaller than the greatest, on a logarithmic scale. */
  smallness: ({ reading, value }) =>
    Math.min(6, Math.log(Math.max(1, greatestAmount(reading) / Math.max(0.01, Math.abs(value))))),
  /** 0.00. */
  nothing: ({ value }) => value === 0,
  /** Rows with amounts below it. */
  rowsBelow: ({ candidate, reading }) => amountRowsBelow(reading, candidate),
  /** Other amounts in its row. */
  others: ({ inRow }) => Math.min(3, Math.max(0, inRow.length - 1)),
  /** The last amount of its row. */
  lastInRow: ({ candidate, inRow }) => inRow.at(-1)?.span.to === candidate.span.to,
  /** Printed with its currency. */
  currency: ({ candidate }) => candidate.currency !== undefined,
  /** Without cents, where others have them. */
  unusual: ({ candidate, reading }) => isUnusual(reading, candidate),
  /** Recognized without cents, where others have them. */
  lostPoint: ({ candidate, reading }) => lostPoint(reading, candidate)
} satisfies FeatureTable<Amount>

/** What a number looks like, for fields of type `identifier`. */
const identifierTable = {
  /** How many figures it has. */
  figures: (value) => Math.min(12, value.match(/\d/gu)?.length ?? 0) / 12,
  /** Fewer than four letters and figures. */
  short: (value) => value.length < 4,
  /** Contains a year of this century. */
  hasYear: (value) => /(?:^|\D)?20[12]\d/u.test(value),
  /** Contains a dash or a slash. */
  separated: (value) => /[-/]/u.test(value),
  /** Contains two small letters in a row. */
  smallLetters: (value) => /\p{Ll}{2}/u.test(value)
} satisfies FeatureTable<string>

const ownDates = new WeakMap<Reading, ReadonlyArray<Candidate<string>>>()

/** Whether a label right before a date says that it is that of something else: `Arrival`. */
const isNamedOther = (reading: Reading, { span }: Candidate): boolean => {
  const before = (reading.labelsByRow.get(rowKey(span.page, span.row)) ?? []).filter(
    (match) => match.span.to === span.from - 1
  )
  return before.length > 0 && before.every(({ label }) => !label.names)
}

/** The dates that no label right before them gives to something else. */
const ownDatesOf = (reading: Reading): ReadonlyArray<Candidate<string>> => {
  const own = ownDates.get(reading) ?? reading.dates.filter((date) => !isNamedOther(reading, date))
  ownDates.set(reading, own)
  return own
}

/** The place in front of the day of a letter: `Tenero,`, `Wien, den`. */
const place = /^\p{Lu}[^,]{0,40},(?: \p{Ll}{1,4})?$/u
/** What may be behind it: a word for `year`, or who wrote the letter, `30. Oktober 2025 / rz`. */
const behindDay = /^(?:(?:r|p|g|m|года)\.?|\.|\/ ?\p{L}{2,3})?$/u

/**
 * How a letter begins: a date that is all that its phrase says, or has nothing but a place in front of it, with a gap as between
 * columns where a small word leads to it: `Fulda, den      18.06.2025`.
 */
const letterOf = (
  reading: Reading,
  { span }: Pick<Candidate, "span">
): "alone" | "behind place" | undefined => {
  const row = reading.pages[span.page]?.rows[span.row] ?? []
  const own = row[span.from]?.phrase
  const textOfPhrase = (tokens: ReadonlyArray<Token>, of = own) =>
    textOfWords(tokens.filter(({ phrase }) => phrase === of))
  if (!behindDay.test(textOfPhrase(row.slice(span.to + 1)))) return undefined
  const front = row.slice(0, span.from)
  const before = textOfPhrase(front)
  if (place.test(before)) return "behind place"
  if (before !== "") return undefined
  const column = textOfPhrase(front, front.at(-1)?.phrase)
  return place.test(column) && !column.endsWith(",") ? "behind place" : "alone"
}

/** How many words may be between a day and its time: `Time:`. */
const beforeTime = 2

/** Whether the time of day is printed next to a date, as tills print it: `28 Jan 2025 12:47`. */
const hasTime = (reading: Reading, { span }: Pick<Candidate, "span">): boolean => {
  const row = reading.pages[span.page]?.rows[span.row] ?? []
  const near = [
    ...row.slice(Math.max(0, span.from - beforeTime), span.from),
    ...row.slice(span.to + 1, span.to + 1 + beforeTime)
  ]
  return near.some(({ text }) => /^\d{1,2}[:h]\d{2}(?::\d{2})?(?:[ap]\.?m\.?)?$/iu.test(text))
}

/** A date, with the others. */
interface PrintedDate {
  readonly reading: Reading
  readonly candidate: Candidate
  /** All of them, as they are printed. */
  readonly own: ReadonlyArray<Candidate<string>>
  /** The different ones, the earliest first. */
  readonly days: ReadonlyArray<string>
  readonly letter: ReturnType<typeof letterOf>
}

/** What a date is to the others, for fields of type `date`. */
const dateTable = {
  /** No other day is printed. */
  onlyDate: ({ days }) => days.length === 1,
  /** No day is earlier. */
  earliest: ({ candidate, days }) => days[0] === candidate.value,
  /** No day is later. */
  latest: ({ candidate, days }) => days.at(-1) === candidate.value,
  /** Placed as letters begin. */
  ofLetter: ({ letter }) => letter !== undefined,
  /** The same, behind the place. */
  ofPlace: ({ letter }) => letter === "behind place",
  /** No date is printed before it. */
  firstPrinted: ({ candidate, own }) => own[0]?.value === candidate.value,
  /** Next to a time of day. */
  withTime: ({ candidate, reading }) => hasTime(reading, candidate),
  /** How often else it is printed. */
  times: ({ candidate, reading }) =>
    Math.min(3, reading.dates.filter(({ value }) => value === candidate.value).length - 1)
} satisfies FeatureTable<PrintedDate>

const dateFeatures = (reading: Reading, candidate: Candidate): Features => {
  const { span } = candidate
  const own = ownDatesOf(reading)
  if (
    own.every(
      (date) => date.span.page !== span.page || date.span.row !== span.row || date.span.from !== span.from
    )
  )
    return { ofOther: 1 }
  const days = [...new Set(own.map(({ value }) => value))].toSorted()
  return computeFeatures(dateTable, { reading, candidate, own, days, letter: letterOf(reading, candidate) })
}

/** Labels of nothing that is known: `Zakázka:` before a value. */
const afterColon = (reading: Reading, { span }: Candidate): boolean => {
  const row = reading.pages[span.page]?.rows[span.row] ?? []
  const [before, first] = [row[span.from - 1], row[span.from]]
  return before !== undefined && before.text.endsWith(":") && before.phrase === first?.phrase
}

const made = new WeakMap<Candidate, Features>()

/** A value and its page. */
interface Placed {
  readonly reading: Reading
  readonly candidate: Candidate
  readonly page: PageModel | undefined
}

/** Where and how a value is printed, for every type. */
const valueTable = {
  /** How surely the text is a value of its type, on a logarithmic scale. */
  quality: ({ candidate }) => Math.log(Math.max(0.05, candidate.quality)),
  /** How far down its page, 0–1. */
  down: ({ candidate: { bbox }, page }) => (page === undefined ? 0 : bbox.y / page.height),
  /** How far right its end is, 0–1. */
  across: ({ candidate: { bbox }, page }) => (page === undefined ? 0 : (bbox.x + bbox.w) / page.width),
  /** How much larger than the lines of the page; a number over two lines is no higher than its letters. */
  large: ({ candidate: { bbox, span }, page, reading }) => {
    const height = Math.max(0, ...tokensOf(reading.pages, span).map(({ h }) => h)) || bbox.h
    const size = page === undefined ? 1 : height / Math.max(1, page.lineHeight)
    return Math.max(-0.5, Math.min(1.5, size - 1))
  },
  /** Not on the first page. */
  laterPage: ({ candidate: { span } }) => span.page > 0,
  /** On the last page. */
  lastPage: ({ candidate: { span }, reading }) => span.page === reading.pages.length - 1,
  /** Alone in its row. */
  alone: ({ candidate: { span }, page }) =>
    span.from === 0 && span.to === (page?.rows[span.row]?.length ?? 0) - 1,
  /** Behind a colon that ends no known label. */
  otherLabel: ({ candidate, reading }) => afterColon(reading, candidate)
} satisfies FeatureTable<Placed>

/** Also `ofOther`, of a date that belongs to something else; and what ranking knows of the value and its label together. */
export type ValueFeature =
  | "ofOther"
  | "greatestLabelled"
  | "unusualLabelled"
  | "otherField"
  | "ruledOut"
  | "product"
  | "inSum"
  | keyof typeof valueTable
  | keyof typeof amountTable
  | keyof typeof identifierTable
  | keyof typeof dateTable

/** The features of a value without any label, by its type. */
export const valueFeatures = (reading: Reading, field: Field, candidate: Candidate): Features => {
  const before = made.get(candidate)
  if (before !== undefined) return before
  const { span, value } = candidate
  const features = {
    ...computeFeatures(valueTable, { reading, candidate, page: reading.pages[span.page] }),
    ...(typeof value === "number" ? computeFeatures(amountTable, amountOf(reading, candidate, value)) : {}),
    ...(field.type === "identifier" && typeof value === "string"
      ? computeFeatures(identifierTable, value)
      : {}),
    ...(field.type === "date" ? dateFeatures(reading, candidate) : {})
  }
  made.set(candidate, features)
  return features
}
