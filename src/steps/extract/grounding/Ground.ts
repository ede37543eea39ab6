import type { FieldEvidence } from "../../../domain/Evidence.ts"
import type { Field } from "../Field.ts"
import { labelFit } from "./Adjacency.ts"
import type { SearchableText } from "./SearchableText.ts"
import { boxOf, type Place } from "./Place.ts"
import { placesOf, type Scalar } from "./Places.ts"
import { isQuoted, quotePlaces } from "./Quote.ts"
import { answerOf } from "../lexicon/YesNo.ts"

/** A value that somebody says is in the document, and where. */
export interface Claim {
  readonly value: Scalar
  /** The words it is said to be in. */
  readonly quote?: string
  /** The number of the page it is said to be on. */
  readonly page?: number
  /** The numbers of the pages that whoever says so has seen; all where they are left out. */
  readonly seen?: ReadonlySet<number>
  /** Its page was seen as a picture. */
  readonly pictured?: boolean
}

/** Where a value was found. */
export interface Grounded {
  readonly place: Place
  /** Whether it is in the words that were given as its source. */
  readonly quoted: boolean
  /** How well a label of its field is next to it, 0–1. */
  readonly labelled: number
  /** At how many places it is. */
  readonly places: number
}

/** The word that says yes or no in the words given as the source: nowhere else does it mean this field. */
const answerPlaces = (
  searchable: SearchableText,
  value: boolean,
  quotes: ReadonlyArray<Place>
): ReadonlyArray<Place> => {
  return quotes.flatMap((quote) => {
    const rows = searchable.reading.pages[quote.page]?.rows ?? []
    return rows.flat().flatMap((token): Array<Place> => {
      if (answerOf(searchable.reading.lexicon, token.text.replace(/[.,;:!]+$/u, "")) !== value) return []
      const place = { page: quote.page, lines: [token], text: token.text, quality: 0.9 }
      return isQuoted([quote], place) ? [place] : []
    })
  })
}

/** Words given as the source count most, then labels, then the page; sums are late and most else early. */
const worth = (
  searchable: SearchableText,
  field: Field,
  claim: Claim,
  quoted: boolean,
  labelled: number,
  place: Place
): number => {
  const pages = searchable.reading.pages
  const model = pages[place.page]
  const height = (place.lines[0]?.y ?? 0) / Math.max(1, model?.height ?? 1)
  const through = (place.page + height) / Math.max(1, pages.length)
  const order = field.pick === "last" ? through : -through
  return (
    place.quality +
    (quoted ? 2 : 0) +
    1.2 * labelled +
    (model?.pageNumber === claim.page ? 0.6 : 0) +
    0.2 * order
  )
}

const mostPlaces = 200

/** Of very many places those on the page that was named, and the first and the last. */
const fewer = (
  searchable: SearchableText,
  places: ReadonlyArray<Place>,
  page: number | undefined
): ReadonlyArray<Place> => {
  if (places.length <= mostPlaces) return places
  const named = places.filter((place) => searchable.reading.pages[place.page]?.pageNumber === page)
  const half = mostPlaces / 2
  return [...named.slice(0, mostPlaces), ...places.slice(0, half), ...places.slice(-half)]
}

/**
 * Finds a value in the document. It counts as found only where the value itself is: words that were given as its
 * source and do are there prove nothing. Of several places the best is taken. Undefined for a value that appears nowhere.
 */
export const ground = (searchable: SearchableText, field: Field, claim: Claim): Grounded | undefined => {
  const quotes = fewer(searchable, quotePlaces(searchable, claim.quote), claim.page)
  const places =
    typeof claim.value === "boolean"
      ? answerPlaces(searchable, claim.value, quotes)
      : placesOf(searchable, field, claim.value)
  let best: Grounded | undefined
  let most = -Infinity
  const { seen } = claim
  for (const place of fewer(searchable, places, claim.page)) {
    if (seen !== undefined && !seen.has(searchable.reading.pages[place.page]?.pageNumber ?? 0)) continue
    const quoted = isQuoted(quotes, place)
    const labelled = labelFit(searchable.reading, field, place)
    const value = worth(searchable, field, claim, quoted, labelled, place)
    if (value <= most) continue
    most = value
    best = { place, quoted, labelled, places: places.length }
  }
  return best
}

const cents = (value: number): number => Math.round(value * 100) / 100

/** Page and box (on the page as it is) of a place, as evidence names them. */
export const evidenceAt = (
  searchable: SearchableText,
  place: Pick<Place, "page" | "lines">
): Pick<FieldEvidence, "page" | "bbox"> => {
  const model = searchable.reading.pages[place.page]
  const upright = boxOf(place)
  const box = model?.toPage(upright) ?? upright
  return {
    page: model?.pageNumber ?? 1,
    bbox: { x: cents(box.x), y: cents(box.y), w: cents(box.w), h: cents(box.h) }
  }
}
