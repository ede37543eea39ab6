import { Effect } from "effect"
import { type DateOrder, parseCompactDate, parseDate } from "../values/Dates.ts"
import type { Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { unspaced, normal } from "./Normal.ts"
import { type Place, placeOfSpan } from "./Place.ts"

/** Where each day (YYYY-MM-DD) is, in whatever notation. */
export type DateIndex = ReadonlyMap<string, ReadonlyArray<Place>>

const longestDate = 40
const korean: Readonly<Record<string, string>> = { 년: "年", 월: "月", 일: "日" }

/** A row as one text, and the token of each of its characters. */
const rowText = (tokens: ReadonlyArray<Token>): { text: string; tokenAt: ReadonlyArray<number> } => {
  let text = ""
  const tokenAt: Array<number> = []
  for (const [index, token] of tokens.entries()) {
    const own = normal(token.text).replace(/[년월일]/gu, (sign) => korean[sign] ?? sign)
    const added = index === 0 ? own : ` ${own}`
    for (let at = 0; at < added.length; at++) tokenAt.push(index)
    text += added
  }
  return { text, tokenAt }
}

const canBegin = (text: string, at: number): boolean => {
  const [left, here] = [text.charAt(at - 1), text.charAt(at)]
  if (!/[\p{L}\d]/u.test(here)) return false
  return !/[\p{L}\d]/u.test(left) || (unspaced.test(left) && /\d/u.test(here))
}

const readings = (text: string, preferred: DateOrder, open: boolean) => {
  const date = parseDate(text, preferred)
  if (date === undefined) {
    const plain = parseCompactDate(text)
    return plain === undefined ? [] : [{ iso: plain.iso, length: plain.length, quality: 0.7 }]
  }
  const { ambiguous, iso, length, meanings, others } = date
  const [own, other] = meanings === undefined ? [ambiguous ? 0.95 : 1, 0.6] : [0.8, 0.8]
  const all = others.map((day) => ({ iso: day, length, quality: other }))
  return [{ iso, length, quality: own }].concat(open || meanings !== undefined ? all : [])
}

/**
 * Finds every date of a document. `03/04/2024` is both the third of April and the fourth of March unless a date of the
 * document, or the flow (`told`), says how they are written. Lets others run between pages.
 */
export const indexDates = Effect.fnUntraced(function* (
  reading: Reading,
  told: boolean
): Effect.fn.Return<DateIndex> {
  const open = !told && !reading.dates.some(({ printed }) => printed.proves !== undefined)
  const index = new Map<string, Array<Place>>()
  for (const [page, model] of reading.pages.entries()) {
    yield* Effect.yieldNow
    for (const [row, tokens] of model.rows.entries()) {
      if (!tokens.some((token) => /\p{Nd}/u.test(token.text))) continue
      const { text, tokenAt } = rowText(tokens)
      for (let at = 0; at < text.length; at++) {
        if (!canBegin(text, at)) continue
        for (const { iso, length, quality } of readings(
          text.slice(at, at + longestDate),
          reading.dateOrder,
          open
        )) {
          const span = { page, row, from: tokenAt[at] ?? 0, to: tokenAt[at + length - 1] ?? 0 }
          const place = placeOfSpan(reading.pages, span, quality)
          const known = index.get(iso)
          if (known === undefined) index.set(iso, [place])
          else known.push(place)
        }
      }
    }
  }
  return index
})

/** Where a day is. */
export const datePlaces = (index: DateIndex, iso: string): ReadonlyArray<Place> => index.get(iso) ?? []
