import { hundredths } from "../../support/Cents.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { Field } from "../lexicon/Field.ts"
import type { SearchableText } from "./SearchableText.ts"
import { boxOf, holds, type Place } from "./Place.ts"
import { placesOf, type Scalar } from "./Places.ts"
import { answerOf } from "../lexicon/YesNo.ts"
import { isoDay } from "../values/Dates.ts"
import type { PageModel, Span } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { relation } from "../layout/SpatialRelation.ts"
import { textPlaces } from "./TextPlaces.ts"

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

const omission = /\s*(?:\.{3}|…|\[\.\.\.\])\s*/u

/**
 * Finds the words that a model quotes as its source. They prove no value: they only show which of several places is
 * meant. Parts that the model omitted are not required.
 */
export const quotePlaces = (searchable: SearchableText, quote: string | undefined): ReadonlyArray<Place> => {
  const bare = (quote ?? "").replace(/^> ?/gmu, "").trim()
  if (bare === "") return []
  const whole = textPlaces(searchable, bare)
  if (whole.length > 0) return whole
  return bare
    .split(omission)
    .filter((part) => part.length >= 3)
    .flatMap((part) => textPlaces(searchable, part))
}

/** Whether all of a place lies within one of the quotes. */
export const isQuoted = (quotes: ReadonlyArray<Place>, place: Place): boolean =>
  quotes.some(
    (quote) =>
      quote.page === place.page && place.lines.every((line) => quote.lines.some((box) => holds(box, line)))
  )

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

/** The tokens of a row that a place lies on; undefined where it lies on none. */
const spanOf = (model: PageModel, place: Place): Span | undefined => {
  const [box] = place.lines
  if (box === undefined) return undefined
  const middle = box.y + box.h / 2
  for (const [row, tokens] of model.rows.entries()) {
    const own = tokens.flatMap((token, index) =>
      holds(box, token) && middle >= token.y - 1 && middle <= token.y + token.h + 1 ? [index] : []
    )
    const [from] = own
    if (from !== undefined) return { page: place.page, row, from, to: own.at(-1) ?? from }
  }
  return undefined
}

/** How well a place fits the labels of a field, 0–1. */
export const labelFit = (reading: Reading, field: Field, place: Place): number => {
  const labels = reading.labels.filter(
    ({ label, span }) => label.names && label.field === field.name && span.page === place.page
  )
  const model = reading.pages[place.page]
  const [bbox] = place.lines
  if (labels.length === 0 || model === undefined || bbox === undefined) return 0
  const span = spanOf(model, place)
  if (span === undefined) return 0
  const value = { span, bbox }
  const fits = labels.map(
    (match) => relation(model, match, value, field.positions, () => 1) * match.quality * match.label.weight
  )
  return Math.max(...fits)
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

/** Fewer letters and digits are anywhere: `30` is a term of payment and the number of a house. */
const shortest = 4
const nearLabel = 0.25

const lettersIn = (text: string): number => text.replace(/[^\p{L}\p{N}]/gu, "").length

/** How much a text tells: decimals and the sign of a percentage or a currency make a figure less common. */
const strengthOf = (text: string): number =>
  lettersIn(text) + (/\p{Nd}[.,]\p{Nd}/u.test(text) ? 1 : 0) + (/[%٪\p{Sc}]/u.test(text) ? 2 : 0)

/** Whether a quote says more than the value itself does. */
const saysMore = (quote: string | undefined, place: Place): boolean =>
  /\p{L}{2}/u.test(quote ?? "") && lettersIn(quote ?? "") > lettersIn(place.text) + 1

/** Whether a place comes right after one of the quotes, in its line: `Total` quoted for the amount next to it. */
const isRightAfter = (quotes: ReadonlyArray<Place>, place: Place): boolean =>
  quotes.some((quote) => {
    const [end, start] = [quote.lines.at(-1), place.lines[0]]
    if (quote.page !== place.page || end === undefined || start === undefined) return false
    const middle = start.y + start.h / 2
    return start.x >= end.x + end.w - 1 && middle >= end.y && middle <= end.y + end.h
  })

/**
 * Whether a place is no proof of a claim: the value is so short that it is found everywhere, and neither its label nor
 * words that the document has say that it is this one; or the words given as the source name another figure.
 */
const isChance = (
  field: Field,
  claim: Claim,
  quotes: ReadonlyArray<Place>,
  place: Place,
  { labelled, quoted }: { readonly labelled: number; readonly quoted: boolean }
): boolean => {
  if (typeof claim.value === "boolean") return false
  if (
    (typeof claim.value === "number" || isoDay.test(claim.value)) &&
    quotes.length > 0 &&
    !quoted &&
    /\p{Nd}/u.test(claim.quote ?? "")
  )
    return !isRightAfter(quotes, place)
  // Codes of currencies and kinds of documents are looked for by what they mean.
  if (field.type === "currency" || field.finder === "kind" || strengthOf(place.text) >= shortest) return false
  return labelled < nearLabel && !(quoted && saysMore(claim.quote, place)) && !isRightAfter(quotes, place)
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
 * Finds a value in the document. It counts as found only where the value itself is, and not by chance: words that were
 * given as its source and are there prove nothing. Of several places the best is taken. Undefined for a value that
 * appears nowhere.
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
    if (isChance(field, claim, quotes, place, { labelled, quoted })) continue
    const value = worth(searchable, field, claim, quoted, labelled, place)
    if (value <= most) continue
    most = value
    best = { place, quoted, labelled, places: places.length }
  }
  return best
}

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
    bbox: { x: hundredths(box.x), y: hundredths(box.y), w: hundredths(box.w), h: hundredths(box.h) }
  }
}
