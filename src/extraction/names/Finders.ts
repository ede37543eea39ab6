import type { FinderName } from "../fields/Preset.ts"
import { currencyFinder } from "./CurrencyField.ts"
import type { Finder } from "./Finder.ts"
import { kindFinder } from "./Kind.ts"
import { labelFinder } from "./LabelFinder.ts"
import { merchantFinder, merchantsOf } from "./Merchant.ts"
import { sellerFinder } from "./Seller.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"
import type { Field } from "../lexicon/Field.ts"
import { around } from "../layout/PageModel.ts"
import { namesIn } from "../layout/NamesIn.ts"
import { best, type Ranked, scored } from "../candidates/Ranked.ts"
import type { Reading } from "../layout/Reading.ts"
import { rank } from "../candidates/Rank.ts"
import { segmentsOf } from "../layout/Segments.ts"
import { withoutNameLabel } from "./NameForms.ts"

/** A name begins with a large letter or a figure of its own, and is mostly letters: `3M Deutschland`, no `GE2020211`. */
const isName = (value: string): boolean => {
  const letters = value.match(/\p{L}/gu)?.length ?? 0
  return (
    /^[^\p{Ll}]/u.test(value) &&
    letters >= 3 &&
    letters >= 0.6 * value.replace(/\s/gu, "").length &&
    value.length <= 70 &&
    !/@|:\/\/|www\.|:$|^\p{L}{1,4}\.$/u.test(value)
  )
}

/** The line in small print in an address window: `Firm · Street 1 · 12345 Town`. What is under it is who is written to. */
const isSenderLine = (text: string): boolean =>
  /\d/u.test(text) && (text.match(/\s[·•|–-]\s|\d,\s/gu)?.length ?? 0) >= 2 && !/@|:/u.test(text)

const underSenderLine = (reading: Reading, names: ReadonlyArray<Ranked<string>>): Array<Ranked<string>> => {
  const page = reading.pages[0]
  const row = page?.rows.findIndex((tokens) => isSenderLine(tokens.map(({ text }) => text).join(" "))) ?? -1
  const first = page?.rows[row]?.[0]
  if (page === undefined || first === undefined || first.y > 0.4 * page.height) return []
  const under = names.filter(
    ({ span, bbox }) =>
      span.page === 0 &&
      span.row > row &&
      span.row <= row + 4 &&
      Math.abs(bbox.x - first.x) < 2 * page.lineHeight
  )
  return under.toSorted((a, b) => a.span.row - b.span.row).map((name, i) => scored(name, 0.65 / (i + 1)))
}

/** Whether a string is a label itself, or the value of a label that is none of the field's: `Nummer : 75969813`. */
const isElsewhere = (reading: Reading, own: ReadonlySet<string>, { span }: Candidate<string>): boolean => {
  const row = reading.pages[span.page]?.rows[span.row] ?? []
  const phrase = row[span.to]?.phrase
  const labels =
    row.slice(span.to).some((token) => /^:|:$/u.test(token.text) && token.phrase === phrase) ||
    row[span.to + 1]?.text === ":"
  const labelled = row.slice(0, span.from).some(({ text }) => text.endsWith(":"))
  return (
    labels ||
    (labelled &&
      row[span.from]?.phrase === row[span.from - 1]?.phrase &&
      !own.has(rowKey(span.page, span.row)))
  )
}

/** Reduces `Firm, Street 1, Town` to the firm. */
const firstPart = (text: string): string => (text.split(/, (?=.*\d)|\s[|•·]\s/u)[0] ?? text).trim()

const likely = ({ value, score }: Ranked<string>): number =>
  (/[.?!]$/u.test(value) && value.split(" ").length > 6 ? 0.4 : 1) * score

/** Ranks what could be the name of the one who is invoiced: next to or under a label, or in the address window. */
const customersOf = (reading: Reading, field: Field): Array<Ranked<string>> => {
  const own = new Set(
    reading.labels.flatMap(({ label, span }) =>
      label.field === field.name && label.names ? rowKey(span.page, span.row) : []
    )
  )
  const words = namesIn(reading)
  const names = segmentsOf(reading).flatMap((segment) => {
    const value = firstPart(withoutNameLabel(words, segment.value))
    return isName(value) && !words.isHonorific(value) && !isElsewhere(reading, own, segment)
      ? [{ ...segment, value }]
      : []
  })
  const labelled = rank(reading, field, names)
  if (labelled.length > 0) return labelled.map((name) => scored(name, likely(name)))
  return best(
    underSenderLine(
      reading,
      names.map((name) => scored(name, 0.6))
    )
  )
}

/** Finds the name of the one who is invoiced. */
const customerFinder: Finder = { find: customersOf }

/** A telephone number of North America, which ends the lines of an address on a receipt. */
const telephone = /^\W*\d{3}\W+\d{3}\W\d{4}\W*$/u
const place = /\d{4,6}|,/u
const mostRows = 6

/** A row with a date or an amount belongs to the receipt itself. */
const isGoods = (reading: Reading, row: number): boolean =>
  reading.dates.some(({ span }) => span.page === 0 && span.row === row) ||
  (reading.moneyByRow.get(rowKey(0, row)) ?? []).some(({ quality }) => quality >= 0.7)

/** The lines under the shop's name up to its telephone number, its tax number or the receipt itself. */
const addressesOf = (reading: Reading, field: Field): Array<Ranked<string>> => {
  const page = reading.pages[0]
  const [merchant] = merchantsOf(reading, field)
  if (page === undefined || merchant === undefined) return []
  const words = namesIn(reading)
  const isNumberOfCompany = (line: string): boolean =>
    /^\W*\d{4,}[\s-]?\w?\W*$/u.test(line) || (words.beginsRegistration(line) && /\d{4}/u.test(line))
  const rows: Array<number> = []
  for (let row = merchant.span.row + 1; row < page.rows.length && rows.length < mostRows; row++) {
    const text = (page.rows[row] ?? []).map((token) => token.text).join(" ")
    const belongsToName = isNumberOfCompany(text) || words.endsInForm(text) || merchant.text.endsWith(text)
    if (rows.length === 0 && belongsToName) continue
    if (telephone.test(text) || words.isContact(text) || words.isAboutReceipt(text) || isGoods(reading, row))
      break
    rows.push(row)
  }
  const tokens = rows.flatMap((row) => page.rows[row] ?? [])
  const [first] = rows
  if (first === undefined || tokens.length === 0) return []
  const text = tokens.map((token) => token.text).join(" ")
  const score = (place.test(text) || words.isStreet(text) ? 0.6 : 0.25) * (0.5 + 0.5 * merchant.score)
  const span = { page: 0, row: first, from: 0, to: (page.rows[first] ?? []).length - 1 }
  return [{ span, bbox: around(tokens), text, value: text, quality: 0.8, score }]
}

/** Finds the address under the name of a shop. */
const addressFinder: Finder = { find: addressesOf }

/** All finders by the names that presets ask for them with. */
export const finders = {
  label: labelFinder,
  seller: sellerFinder,
  customer: customerFinder,
  merchant: merchantFinder,
  address: addressFinder,
  currency: currencyFinder,
  kind: kindFinder
} as const satisfies Readonly<Record<FinderName, Finder>>
