import type { Field } from "../lexicon/Field.ts"
import { kindsOf } from "../names/Kind.ts"
import { phonesOf, typedValues } from "../candidates/TypedValues.ts"
import { isoDay } from "../values/Dates.ts"
import { currencyPlaces } from "./CurrencyPlaces.ts"
import { datePlaces } from "./DatePlaces.ts"
import { groupedPlaces } from "./GroupedPlaces.ts"
import type { SearchableText } from "./SearchableText.ts"
import { numberPlaces } from "./NumberPlaces.ts"
import { type Place, placeOfSpan } from "./Place.ts"
import { textPlaces } from "./TextPlaces.ts"

/** A value as models and rules return it. */
export type Scalar = string | number | boolean

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
