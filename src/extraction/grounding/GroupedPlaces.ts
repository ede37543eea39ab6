import { around, type Token } from "../layout/PageModel.ts"
import { parseIdentifier } from "../values/CheckedNumbers.ts"
import type { SearchableText } from "./SearchableText.ts"
import { normal } from "./Normal.ts"
import type { Place } from "./Place.ts"

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
