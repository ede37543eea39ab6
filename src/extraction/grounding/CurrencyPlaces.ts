import { currenciesOf } from "../names/CurrencyField.ts"
import { currencyOf, meaningsOfName } from "../lexicon/CurrencyMarks.ts"
import { sharedSigns } from "../lexicon/CurrencySigns.ts"
import type { Field } from "../lexicon/Field.ts"
import type { SearchableText } from "./SearchableText.ts"
import { type Place, placeOfSpan } from "./Place.ts"

/** Where a currency (ISO 4217) is: its code, its sign or its name, alone or with an amount. */
export const currencyPlaces = (
  searchable: SearchableText,
  field: Field,
  code: string
): ReadonlyArray<Place> => {
  const { reading } = searchable
  const alikes = [...sharedSigns(reading.lexicon).values()].filter((codes) => codes.includes(code))
  // A sign that several currencies share is taken for the most common of them.
  const firsts = new Set(alikes.flatMap((codes) => codes.slice(0, 1)))
  const stands = (found: string | undefined): boolean =>
    found !== undefined && (found === code || firsts.has(found))
  const chosen = currenciesOf(reading, field)
    .filter(({ value }) => stands(value))
    .map(({ span }) => placeOfSpan(reading.pages, span, 1))
  const amounts = reading.money
    .filter(({ currency }) => stands(currency))
    .map(({ span }) => placeOfSpan(reading.pages, span, 0.9))
  const words = reading.pages.flatMap((model, page) =>
    model.rows.flatMap((row, rowIndex) =>
      row.flatMap((token, at) => {
        const bare = token.text.replace(/^[("]+|[)",.:;]+$/gu, "")
        const isCode = /^[A-Z]{3}$/u.test(bare) && !/^sdn/iu.test(row[at - 1]?.text ?? "")
        const found = isCode ? [currencyOf(bare)] : meaningsOfName(bare)
        return found.some(stands)
          ? [placeOfSpan(reading.pages, { page, row: rowIndex, from: at, to: at }, 0.8)]
          : []
      })
    )
  )
  return [...chosen, ...amounts, ...words]
}
