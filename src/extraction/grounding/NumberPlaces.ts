import { Effect } from "effect"
import { parseFigure } from "../values/Money.ts"
import { type Numeral, parseNumeral } from "../values/Numbers.ts"
import { mayJoin } from "../layout/MoneyCandidates.ts"
import type { Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { unspaced, normal } from "./Normal.ts"
import { type Place, placeOfSpan } from "./Place.ts"

/** Where each number of a document is, in whatever notation. */
export type NumberIndex = ReadonlyMap<number, ReadonlyArray<Place>>

interface Found {
  readonly value: number
  readonly to: number
  readonly quality: number
}

const longest = 5

/** Numbers are compared to a millionth. */
const key = (value: number): number => Math.round(value * 1e6) / 1e6

/** Upper case, for currencies are known by their codes. */
const printed = (token: Token): string => normal(token.text).toUpperCase()

/** What a number can mean: all where the document leaves its notation open. */
const meaningsOf = (numeral: Numeral | undefined, { decimal }: Reading): ReadonlyArray<number> => {
  if (numeral === undefined) return []
  const { other, value } = numeral
  return other === undefined || decimal !== undefined ? [value] : [value, other]
}

const valuesOf = (text: string, reading: Reading): ReadonlyArray<number> =>
  meaningsOf(parseFigure(text, reading.decimal), reading)

const run = /\d(?:[\d.,']*\d)?/gu
const before = /^$|[(:=#×*@+"'[|~\p{Sc}]$|(?:^|\P{L})X$/u
const behind = /^$|^(?:[)%\]*"'|;:!?×\p{Sc}]|[.,](?!\d))|^\/?\p{L}+(?!.*\d)/u

/** Numbers that are only a part of a word: `120kg`, `3×`, `合計1,234円`; not those of a date or an identifier. */
const inside = (text: string, reading: Reading): ReadonlyArray<number> =>
  [...text.matchAll(run)].flatMap((match) => {
    if (match[0].length === text.length) return []
    const [head, tail] = [text.slice(0, match.index), text.slice(match.index + match[0].length)]
    const opens = before.test(head) || unspaced.test(head.at(-1) ?? "")
    const closes = behind.test(tail) || unspaced.test(tail.charAt(0))
    return opens && closes ? meaningsOf(parseNumeral(match[0], reading.decimal), reading) : []
  })

const numbersAt = (tokens: ReadonlyArray<Token>, from: number, reading: Reading): ReadonlyArray<Found> => {
  // A number begins with its figures, or with a sign and a currency of a few letters.
  const first = tokens[from]?.text ?? ""
  if (first.length > 4 && !/\p{Nd}/u.test(first)) return []
  const found: Array<Found> = []
  let text = ""
  for (let to = from; to < tokens.length && to < from + longest; to++) {
    const [previous, token] = [tokens[to - 1], tokens[to]]
    if (token === undefined || (to > from && previous !== undefined && !mayJoin(previous, token))) break
    text = to === from ? printed(token) : `${text} ${printed(token)}`
    const bare = text.replace(/[.,;:]+$/u, "")
    const values = /\d/u.test(bare) ? valuesOf(bare, reading) : []
    // A number alone is a surer place than one with its neighbours.
    found.push(...values.map((value) => ({ value, to, quality: 1 - 0.02 * (to - from) })))
    if (to === from) found.push(...inside(text, reading).map((value) => ({ value, to, quality: 0.9 })))
  }
  return found
}

/** Finds every number of a document. Lets others run between pages. */
export const indexNumbers = Effect.fnUntraced(function* (reading: Reading): Effect.fn.Return<NumberIndex> {
  const index = new Map<number, Array<Place>>()
  for (const [page, model] of reading.pages.entries()) {
    yield* Effect.yieldNow
    for (const [row, tokens] of model.rows.entries()) {
      for (let from = 0; from < tokens.length; from++) {
        for (const { value, to, quality } of numbersAt(tokens, from, reading)) {
          const place = placeOfSpan(reading.pages, { page, row, from, to }, quality)
          const known = index.get(key(value))
          if (known === undefined) index.set(key(value), [place])
          else known.push(place)
        }
      }
    }
  }
  return index
})

/** Where a number is. */
export const numberPlaces = (index: NumberIndex, value: number): ReadonlyArray<Place> =>
  index.get(key(value)) ?? []
