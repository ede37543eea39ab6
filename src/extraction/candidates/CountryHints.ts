import type { Reading } from "../layout/Reading.ts"
import { countriesNamed } from "../lexicon/CountryNames.ts"

/** Countries whose IBANs and VAT numbers tell where a document comes from. */
const countries: ReadonlySet<string> = new Set(
  "AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK GB CH PL CZ HU SE DK NO RO BG".split(" ")
)

/** Legal forms and registers of one country only. */
const forms: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bGmbH\b/u, "DE"],
  [/\bB\.V\./u, "NL"],
  [/\bSp\. z o\.o/u, "PL"],
  [/\bGSTIN\b/u, "IN"],
  [/\bS[Dd][Nn]\.? ?B[Hh][Dd]\b/u, "MY"]
]

const numberWithCountry = /\b([A-Z]{2})\s?(?:\d{2}\s?[A-Z0-9]{4}[A-Z0-9\s]{8,26}|U?\d{8,12}\b)/gu
const britishPostcode = /\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/u
const americanPlace = /\b[A-Z]{2},? \d{5}(?:-\d{4})?\b/u

/** The country (ISO 3166) that a string speaks of: by IBANs and VAT numbers, postcodes, names of countries. */
export const countryOf = ({ lexicon, text }: Pick<Reading, "lexicon" | "text">): string | undefined => {
  for (const [, country = ""] of text.matchAll(numberWithCountry)) if (countries.has(country)) return country
  if (britishPostcode.test(text)) return "GB"
  const [named] = countriesNamed(text, lexicon)
  const registered = named ?? forms.find(([form]) => form.test(text))?.[1]
  if (registered !== undefined) return registered
  return americanPlace.test(text) ? "US" : undefined
}
