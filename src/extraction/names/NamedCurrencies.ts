import { longCurrencyNames } from "../lexicon/CurrencySigns.ts"
import { pageLanguages } from "../layout/PageLanguages.ts"
import type { Span, Token } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"

/** A currency whose name of several words is printed: `ريال سعودي`, `coroane cehe`. */
export interface NamedCurrency {
  readonly span: Span
  readonly code: string
}

/** How much must speak for a language, compared with the most likely one, for the names that it has. */
const likely = 0.6

/** The words of a row that make a name, one after the other. */
const placeIn = (
  row: ReadonlyArray<Token>,
  name: string
): readonly [from: number, to: number] | undefined => {
  for (const from of row.keys()) {
    let folded = ""
    for (let to = from; to < row.length && folded.length < name.length; to++) {
      folded += row[to]?.folded ?? ""
      if (folded === name) return [from, to]
      if (!name.startsWith(folded)) break
    }
  }
  return undefined
}

/** The currencies that a document names in its own languages, as `Intl` calls them. */
export const namedCurrencies = (reading: Reading): ReadonlyArray<NamedCurrency> => {
  const tags = [...pageLanguages(reading)].filter(([, share]) => share >= likely).map(([tag]) => tag)
  const rows = reading.pages.flatMap((page, index) =>
    page.rows.map((tokens, row) => ({
      page: index,
      row,
      tokens,
      folded: tokens.map(({ folded }) => folded).join("")
    }))
  )
  const text = rows.map(({ folded }) => folded).join(" ")
  const names = tags
    .flatMap((tag) => longCurrencyNames(reading.lexicon).get(tag) ?? [])
    .filter(([name]) => text.includes(name))
  return names.flatMap(([name, code]) =>
    rows.flatMap(({ folded, page, row, tokens }): ReadonlyArray<NamedCurrency> => {
      const place = folded.includes(name) ? placeIn(tokens, name) : undefined
      return place === undefined ? [] : [{ span: { page, row, from: place[0], to: place[1] }, code }]
    })
  )
}
