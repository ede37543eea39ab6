import type { SearchableText } from "./SearchableText.ts"
import { holds, type Place } from "./Place.ts"
import { textPlaces } from "./TextPlaces.ts"

const omission = /\s*(?:\.{3}|…|\[\.\.\.\])\s*/u

/**
 * Where the words are that a model gives as its source. It proves no value: it only tells which of several places is
 * meant. Parts that the model left out are not asked for.
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
