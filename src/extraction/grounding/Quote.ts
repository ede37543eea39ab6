import type { SearchableText } from "./SearchableText.ts"
import { holds, type Place } from "./Place.ts"
import { textPlaces } from "./TextPlaces.ts"

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
