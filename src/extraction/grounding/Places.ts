import type { Field } from "../lexicon/Field.ts"
import { kindsOf } from "../names/Kind.ts"
import { phonesOf, typedValues } from "../candidates/TypedValues.ts"
import { isoDay } from "../values/Dates.ts"
import { datePlaces } from "./DatePlaces.ts"
import type { SearchableText } from "./SearchableText.ts"
import { numberPlaces } from "./NumberPlaces.ts"
import { type Place, placeOfSpan } from "./Place.ts"
import { textPlaces } from "./TextPlaces.ts"
import { currenciesOf } from "../names/CurrencyField.ts"
import { currencyOf, meaningsOfName, sharedSigns } from "../lexicon/CurrencySigns.ts"
import { around, type Token } from "../layout/PageModel.ts"
import { parseIdentifier } from "../values/CheckedNumbers.ts"
import { normal } from "./Normal.ts"

/** A value as models and rules return it. */
export type Scalar = string | number | boolean

const shortest = 9
/** The longest IBAN has 34. */
const longest = 40

/** Fewer digits are no telephone number. */
const fewestDigits = 7

/** Letters and digits only. */
const compact = (text: string): string =>
  normal(text)
    .replaceAll("(0)", "")
    .replace(/[^\p{L}\p{N}]/gu, "")

/**
 * Where the number of an account, a firm or a telephone is that is printed in groups, or with the signs of its kind:
 * `DE89 3704 0044 …`, `(030) 123-456`. Its words are close together in one row.
 */
export const groupedPlaces = (searchable: SearchableText, value: string): ReadonlyArray<Place> => {
  const wanted = compact(value)
  const digits = wanted.replace(/\D/gu, "").length
  if (wanted.length < shortest || wanted.length > longest || 2 * digits < wanted.length) return []
  // `+4930123456` is what `030 123456` means in its country.
  const country = value.startsWith("+") ? parseIdentifier("phone", value)?.country : undefined
  const stands = (text: string, printed: string): boolean =>
    printed === wanted ||
    (country !== undefined &&
      printed.length >= fewestDigits &&
      /^[(\d]/u.test(text) &&
      parseIdentifier("phone", text, country)?.value === `+${wanted}`)
  const placeAt = (row: ReadonlyArray<Token>, from: number, page: number): Array<Place> => {
    for (let to = from; to < row.length && row[to]?.phrase === row[from]?.phrase; to++) {
      const tokens = row.slice(from, to + 1)
      const text = tokens.map(({ text }) => text).join(" ")
      const printed = compact(text)
      // Another digit behind it makes it another number.
      const goesOn = row[to + 1]?.phrase === row[from]?.phrase && /^\d/u.test(row[to + 1]?.text ?? "")
      const alone = printed === wanted || !goesOn
      if (alone && stands(text, printed)) return [{ page, lines: [around(tokens)], text, quality: 0.9 }]
      if (printed.length > wanted.length + 2) return []
    }
    return []
  }
  return searchable.reading.pages.flatMap((model, page) =>
    model.rows.flatMap((row) => row.flatMap((_, from) => placeAt(row, from, page)))
  )
}

const ofText = (searchable: SearchableText, value: string): ReadonlyArray<Place> => {
  const found = textPlaces(searchable, value)
  return found.length > 0 ? found : groupedPlaces(searchable, value)
}

/**
 * An amount may be given without the minus that is printed with it: what a credit note or a deduction is says its label.
 * The other way round it is another amount.
 */
const ofNumber = (searchable: SearchableText, field: Field, value: number): ReadonlyArray<Place> => {
  const found = numberPlaces(searchable.numbers, value)
  if (found.length > 0 || value <= 0 || field.type !== "money") return found
  return numberPlaces(searchable.numbers, -value).map(({ page, lines, text, quality }) => ({
    page,
    lines,
    text,
    quality: 0.7 * quality
  }))
}

/** Numbers of accounts and firms, and telephone numbers, that the rules read in the form that the value has. */
const ofType = (searchable: SearchableText, field: Field, value: string): ReadonlyArray<Place> => {
  const { reading } = searchable
  const read =
    field.type === "phone"
      ? phonesOf(reading)
      : field.type === "iban" || field.type === "vatId"
        ? typedValues(reading, field.type)
        : []
  return read
    .filter((candidate) => candidate.value === value)
    .map(({ span }) => placeOfSpan(reading.pages, span, 1))
}

/** Where a currency (ISO 4217) is: its code, its sign or its name, alone or with an amount. */
export const currencyPlaces = (
  searchable: SearchableText,
  field: Field,
  code: string
): ReadonlyArray<Place> => {
  const { reading } = searchable
  const alikes = [...sharedSigns(reading.lexicon).values()].filter((codes) => codes.includes(code))
  // A sign that several currencies share is taken for the most common of them.
  const firsts = new Set(alikes.flatMap((codes) => codes.slice(0, 1)))
  const stands = (found: string | undefined): boolean =>
    found !== undefined && (found === code || firsts.has(found))
  const chosen = currenciesOf(reading, field)
    .filter(({ value }) => stands(value))
    .map(({ span }) => placeOfSpan(reading.pages, span, 1))
  const amounts = reading.money
    .filter(({ currency }) => stands(currency))
    .map(({ span }) => placeOfSpan(reading.pages, span, 0.9))
  const words = reading.pages.flatMap((model, page) =>
    model.rows.flatMap((row, rowIndex) =>
      row.flatMap((token, at) => {
        const bare = token.text.replace(/^[("]+|[)",.:;]+$/gu, "")
        const found = /^[A-Z]{3}$/u.test(bare) ? [currencyOf(bare)] : meaningsOfName(bare)
        return found.some(stands)
          ? [placeOfSpan(reading.pages, { page, row: rowIndex, from: at, to: at }, 0.8)]
          : []
      })
    )
  )
  return [...chosen, ...amounts, ...words]
}

/**
 * Where a value itself is in the document, in whatever way it may be written; none for a value that appears nowhere.
 * A boolean has no place of its own: it is found by its quote.
 */
export const placesOf = (searchable: SearchableText, field: Field, value: Scalar): ReadonlyArray<Place> => {
  if (typeof value === "boolean") return []
  if (typeof value === "number") return ofNumber(searchable, field, value)
  if (field.finder === "kind") {
    return kindsOf(searchable.reading)
      .filter((kind) => kind.value === value)
      .map(({ span }) => placeOfSpan(searchable.reading.pages, span, 1))
  }
  const typed = ofType(searchable, field, value)
  if (typed.length > 0) return typed
  if (field.type === "currency") return currencyPlaces(searchable, field, value)
  const found = field.type === "date" ? [] : ofText(searchable, value)
  return found.length === 0 && isoDay.test(value) ? datePlaces(searchable.dates, value) : found
}
