import type { Reading } from "../layout/Reading.ts"
import { countriesIn, type CountrySigns } from "../lexicon/CountrySigns.ts"

/** Which signs of countries a document has, by currency. */
export type CountryEvidence = ReadonlyMap<string, CountrySigns>

const known = new WeakMap<Reading, ReadonlyMap<string, CountrySigns>>()

const countriesOf = (reading: Reading): ReadonlyMap<string, CountrySigns> => {
  const before = known.get(reading) ?? countriesIn(reading.text, reading.lexicon)
  known.set(reading, before)
  return before
}

/** The signs of the countries of a document, together for those of one currency. */
export const countryEvidence = (reading: Reading): CountryEvidence => {
  const found = new Map<string, CountrySigns>()
  for (const [code, signs] of countriesOf(reading)) {
    const currency = reading.lexicon.countries.get(code)?.currency
    if (currency !== undefined) found.set(currency, { ...found.get(currency), ...signs })
  }
  return found
}

/** How much a sign says of the country of a document: its numbers more than the places that it names. */
const weights = [
  ["iban", 8],
  ["vatId", 8],
  ["register", 3],
  ["place", 2],
  ["phone", 2],
  ["domain", 2],
  ["language", 1]
] as const

/** The country (ISO 3166) that most signs of a document speak of. */
export const countryOf = (reading: Reading): string | undefined => {
  const weighed = [...countriesOf(reading)].map(([code, signs]) => ({
    code,
    weight: weights.reduce((sum, [sign, weight]) => sum + weight * (signs[sign] ?? 0), 0)
  }))
  return weighed.toSorted((a, b) => b.weight - a.weight)[0]?.code
}
