import { textOfWords } from "../../domain/LineText.ts"
import type { Field } from "../lexicon/Field.ts"
import { tokensOf } from "../layout/PageModel.ts"
import { withoutTendered } from "./Tendered.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Features } from "../models/Scoring.ts"
import { taxSummaryRows } from "./TaxSummary.ts"
import { isIban } from "./CheckedNumbers.ts"
import { amountRole, amountRowsBelow } from "./AmountRoles.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"
import { isOfPeriod, isReferenceDate } from "./OtherDates.ts"

const yes = (is: boolean): number => (is ? 1 : 0)

const withCents = /[.,]\s?\d{2}\D*$/u
const usual = new WeakMap<Reading, boolean>()

/** Whether most amounts of a document are printed with cents: a number without them is rather none. */
const centsAreUsual = (reading: Reading): boolean => {
  const known = usual.get(reading)
  if (known !== undefined) return known
  const amounts = reading.money.filter(({ quality }) => quality >= 0.7)
  const are = 2 * amounts.filter(({ text }) => withCents.test(text)).length > amounts.length
  usual.set(reading, are)
  return are
}

const isUnusual = (reading: Reading, { text }: Candidate): boolean =>
  centsAreUsual(reading) && !withCents.test(text)

const greatest = new WeakMap<Reading, number>()

/** The greatest amount of a document, cash handed over aside; where amounts have cents, numbers without them are none. */
export const greatestAmount = (reading: Reading): number => {
  const known = greatest.get(reading)
  if (known !== undefined) return known
  const most = withoutTendered(reading, reading.money).reduce(
    (all, amount) =>
      amount.quality >= 0.7 && !isUnusual(reading, amount) ? Math.max(all, Math.abs(amount.value)) : all,
    0
  )
  greatest.set(reading, most)
  return most
}

/** A recognised amount without cents, where others have them, may have lost its point: 7125 was 71.25. */
const lostPoint = (reading: Reading, candidate: Candidate): boolean =>
  isUnusual(reading, candidate) &&
  tokensOf(reading.pages, candidate.span).some(({ confidence }) => confidence !== undefined)

const amountFeatures = (reading: Reading, candidate: Candidate, printed: number): Features => {
  const value = lostPoint(reading, candidate) ? printed / 100 : printed
  const { span } = candidate
  // Readings of a meter add up as well: where amounts have cents, numbers without them are no sums.
  const isSum = !isUnusual(reading, candidate) || lostPoint(reading, candidate)
  const role = amountRole(reading, candidate)
  const most = greatestAmount(reading)
  const inRow = (reading.moneyByRow.get(rowKey(span.page, span.row)) ?? []).filter(
    ({ quality }) => quality >= 0.7
  )
  return {
    whole: yes(isSum && role.whole),
    base: yes(isSum && role.base),
    top: yes(isSum && role.top),
    ofColumn: yes(isSum && role.ofColumn),
    greatest: yes(isSum && Math.abs(value) >= most),
    smallness: Math.min(6, Math.log(Math.max(1, most / Math.max(0.01, Math.abs(value))))),
    nothing: yes(value === 0),
    rowsBelow: amountRowsBelow(reading, candidate),
    others: Math.min(3, Math.max(0, inRow.length - 1)),
    lastInRow: yes(inRow.at(-1)?.span.to === span.to),
    currency: yes(candidate.currency !== undefined),
    unusual: yes(isUnusual(reading, candidate)),
    lostPoint: yes(lostPoint(reading, candidate)),
    taxSummary: yes(taxSummaryRows(reading).has(rowKey(span.page, span.row)))
  }
}

const identifierFeatures = (value: string): Features => ({
  figures: Math.min(12, value.match(/\d/gu)?.length ?? 0) / 12,
  short: yes(value.length < 4),
  onlyFigures: yes(/^\d+$/u.test(value)),
  hasYear: yes(/(?:^|\D)?20[12]\d/u.test(value)),
  separated: yes(/[-/]/u.test(value)),
  smallLetters: yes(/\p{Ll}{2}/u.test(value)),
  ofSomebody: yes(isIban(value.replace(/^IBAN|\s/giu, "")) || /^[A-Z]{2}\d{2}[A-Z]{4}/u.test(value))
})

const ownDates = new WeakMap<Reading, ReadonlyArray<Candidate<string>>>()

/** Whether a label right before a date says that it is that of something else: `Arrival`. */
const isNamedOther = (reading: Reading, { span }: Candidate): boolean => {
  const before = (reading.labelsByRow.get(rowKey(span.page, span.row)) ?? []).filter(
    (match) => match.span.to === span.from - 1
  )
  return before.length > 0 && before.every(({ label }) => !label.names)
}

/** The dates that are not those of other documents, or of something that a label names. */
const ownDatesOf = (reading: Reading): ReadonlyArray<Candidate<string>> => {
  const own =
    ownDates.get(reading) ??
    reading.dates.filter(
      (date) => !isReferenceDate(reading, date) && !isNamedOther(reading, date) && !isOfPeriod(reading, date)
    )
  ownDates.set(reading, own)
  return own
}

/** Words between a place and the day of a letter: `Faenza, lì 19 maggio`, `Wien, den 3. Mai`. */
const beforeDay = /^\p{Ll}{1,4}$/u
const longestPlace = 4
/** `Luzern, 30. Oktober 2025 / rz`: who wrote the letter. */
const signOfWriter = /^\/ ?\p{L}{2,3}$/u

/** How a letter begins: a date that is all its phrase says, or that has nothing but a place in front of it: `Tenero, 30.4.2025`. */
const ofLetter = (
  reading: Reading,
  { span }: Pick<Candidate, "span">
): "alone" | "behind place" | undefined => {
  const row = reading.pages[span.page]?.rows[span.row] ?? []
  const own = row[span.from]?.phrase
  const behind = row.slice(span.to + 1).filter(({ phrase }) => phrase === own)
  const isSigned = signOfWriter.test(textOfWords(behind))
  if (!isSigned && behind.some(({ text }) => !/^(?:r|p|g|m|года)?\.?$/u.test(text))) return undefined
  const isAlone = row[span.from - 1]?.phrase !== own
  const phrase = row[span.from - 1]?.phrase
  const before = row.slice(0, span.from).filter((token) => token.phrase === phrase)
  const last = before.at(-1)
  const isLed = last !== undefined && beforeDay.test(last.text)
  const place = isLed ? before.slice(0, -1) : before
  const isPlace = place.length <= longestPlace && place.at(-1)?.text.endsWith(",") === true
  // `Fulda, den      18.06.2025` in two columns.
  if (isPlace && (isLed || !isAlone) && /^\p{Lu}/u.test(place[0]?.text ?? "")) return "behind place"
  return isAlone ? "alone" : undefined
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

const dateFeatures = (reading: Reading, { span, value }: Candidate): Features => {
  const own = ownDatesOf(reading)
  const isOwn = own.some(
    (date) => date.span.page === span.page && date.span.row === span.row && date.span.from === span.from
  )
  if (!isOwn) return { ofOther: 1 }
  const days = [...new Set(own.map((date) => date.value))].toSorted()
  const times = reading.dates.filter((date) => date.value === value).length
  const letter = ofLetter(reading, { span })
  return {
    onlyDate: yes(days.length === 1),
    earliest: yes(days[0] === value),
    latest: yes(days.at(-1) === value),
    ofLetter: yes(letter !== undefined),
    ofPlace: yes(letter === "behind place"),
    firstPrinted: yes(own[0]?.value === value),
    withTime: yes(hasTime(reading, { span })),
    times: Math.min(3, times - 1)
  }
}

/** Labels of nothing that is known: `Zakázka:` before a value. */
const afterColon = (reading: Reading, { span }: Candidate): boolean => {
  const row = reading.pages[span.page]?.rows[span.row] ?? []
  const [before, first] = [row[span.from - 1], row[span.from]]
  return before !== undefined && before.text.endsWith(":") && before.phrase === first?.phrase
}

const made = new WeakMap<Candidate, Features>()

/** The features of a value without any label, by its type. */
export const valueFeatures = (reading: Reading, field: Field, candidate: Candidate): Features => {
  const known = made.get(candidate) ?? makeFeatures(reading, field, candidate)
  made.set(candidate, known)
  return known
}

const makeFeatures = (reading: Reading, field: Field, candidate: Candidate): Features => {
  const { bbox, span, value } = candidate
  const page = reading.pages[span.page]
  // A number over two lines is no higher than its letters.
  const height = Math.max(0, ...tokensOf(reading.pages, span).map(({ h }) => h)) || bbox.h
  const size = page === undefined ? 1 : height / Math.max(1, page.lineHeight)
  return {
    quality: Math.log(Math.max(0.05, candidate.quality)),
    down: page === undefined ? 0 : bbox.y / page.height,
    across: page === undefined ? 0 : (bbox.x + bbox.w) / page.width,
    large: Math.max(-0.5, Math.min(1.5, size - 1)),
    laterPage: yes(span.page > 0),
    lastPage: yes(span.page === reading.pages.length - 1),
    alone: yes(span.from === 0 && span.to === (page?.rows[span.row]?.length ?? 0) - 1),
    otherLabel: yes(afterColon(reading, candidate)),
    ...(typeof value === "number" ? amountFeatures(reading, candidate, value) : {}),
    ...(field.type === "identifier" && typeof value === "string" ? identifierFeatures(value) : {}),
    ...(field.type === "date" ? dateFeatures(reading, candidate) : {})
  }
}
