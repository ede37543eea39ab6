import type { Box } from "../../domain/DocumentIR.ts"
import { around, type PageModel, type Token } from "../layout/PageModel.ts"
import { normal } from "./Normal.ts"
import type { Place } from "./Place.ts"

/** Words set closely in one row, and their text without spaces and punctuation. */
interface Phrase {
  readonly row: number
  readonly tokens: ReadonlyArray<Token>
  readonly texts: ReadonlyArray<string>
}

/** A word as a loosened text run has it. */
const textOf = (token: Token): string =>
  normal(token.text)
    .replace(/[^\p{L}\p{N}\p{M}\p{Sc}%.,:/-]/gu, "")
    .replace(/(?<!\d)[.,:/-]|[.,:/-](?!\d)/gu, "")

const known = new WeakMap<PageModel, ReadonlyArray<Phrase>>()

/** Made once for a page, however many values are looked for. */
const phrasesOf = (model: PageModel): ReadonlyArray<Phrase> => {
  const phrases = known.get(model) ?? makePhrases(model)
  known.set(model, phrases)
  return phrases
}

const makePhrases = (model: PageModel): ReadonlyArray<Phrase> =>
  model.rows.flatMap((row, index) =>
    [...Map.groupBy(row, ({ phrase }) => phrase).values()].map((tokens) => ({
      row: index,
      tokens,
      texts: tokens.map(textOf)
    }))
  )

const mostRows = 3
const mostLines = 12

const sharesColumn = (above: Box, below: Box): boolean =>
  Math.min(above.x + above.w, below.x + below.w) - Math.max(above.x, below.x) > 0

interface Taken {
  readonly rest: string
  readonly tokens: ReadonlyArray<Token>
}

/** The tokens from `from` on, as far as the wanted text goes; undefined where they differ. */
const take = (phrase: Phrase, from: number, wanted: string): Taken | undefined => {
  let rest = wanted
  let to = from
  for (; to < phrase.tokens.length && rest !== ""; to++) {
    const text = phrase.texts[to] ?? ""
    if (!rest.startsWith(text)) return undefined
    rest = rest.slice(text.length)
  }
  return { rest, tokens: phrase.tokens.slice(from, to) }
}

/** The number of phrases that may still be compared: on a hostile page, the search would never end. */
export interface Budget {
  left: number
}

/** Enough for one value in a long document, in about 20 ms. */
export const columnBudget = (): Budget => ({ left: 10_000 })

interface Search {
  readonly rows: ReadonlyMap<number, ReadonlyArray<Phrase>>
  readonly budget: Budget
}

/** The lines that a string runs over, one under the other in a column; undefined where it does not. */
const follow = (
  search: Search,
  phrase: Phrase,
  from: number,
  wanted: string,
  depth: number
): ReadonlyArray<ReadonlyArray<Token>> | undefined => {
  const taken = take(phrase, from, wanted)
  if (taken === undefined || taken.tokens.length === 0) return undefined
  if (taken.rest === "") return [taken.tokens]
  if (depth >= mostLines) return undefined
  const box = around(phrase.tokens)
  for (let down = 1; down <= mostRows; down++) {
    for (const next of search.rows.get(phrase.row + down) ?? []) {
      if (--search.budget.left < 0) return undefined
      if (!sharesColumn(box, around(next.tokens))) continue
      const more = follow(search, next, 0, taken.rest, depth + 1)
      if (more !== undefined) return [taken.tokens, ...more]
    }
  }
  return undefined
}

/** Where a string of several lines is in a column next to which others are: `wanted` without spaces and punctuation. */
export const columnPlaces = (
  model: PageModel,
  page: number,
  wanted: string,
  budget: Budget
): ReadonlyArray<Place> => {
  const phrases = phrasesOf(model)
  const search: Search = { rows: Map.groupBy(phrases, ({ row }) => row), budget }
  return phrases.flatMap((phrase) =>
    phrase.texts.flatMap((text, from): Array<Place> => {
      if (text === "" || !wanted.startsWith(text)) return []
      const lines = follow(search, phrase, from, wanted, 0)
      if (lines === undefined || lines.length < 2) return []
      return [
        {
          page,
          lines: lines.map(around),
          text: lines.map((tokens) => tokens.map(({ text }) => text).join(" ")).join(" "),
          quality: 0.9
        }
      ]
    })
  )
}
