/** Countries whose IBANs and VAT numbers tell where a document comes from. */
const countries: ReadonlySet<string> = new Set(
  "AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK GB CH PL CZ HU SE DK NO RO BG".split(" ")
)

const countryNames: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bUnited Kingdom\b|\bEngland\b|\bScotland\b|\bWales\b/u, "GB"],
  [/\bUnited States\b|\bUSA\b|\bU\.S\.A\./u, "US"],
  [/\bDeutschland\b|\bGermany\b|\bGmbH\b/u, "DE"],
  [/\bÖsterreich\b|\bAustria\b/u, "AT"],
  [/\bSchweiz\b|\bSuisse\b|\bSwitzerland\b/u, "CH"],
  [/\bFrance\b/u, "FR"],
  [/\bNederland\b|\bNetherlands\b|\bB\.V\./u, "NL"],
  [/\bEspaña\b|\bSpain\b/u, "ES"],
  [/\bItalia\b|\bItaly\b/u, "IT"],
  [/\bPortugal\b/u, "PT"],
  [/\bPolska\b|\bPoland\b|\bSp\. z o\.o/u, "PL"],
  [/\bSverige\b|\bSweden\b/u, "SE"],
  [/\bDanmark\b|\bDenmark\b/u, "DK"],
  [/\bIreland\b/u, "IE"],
  [/\bCanada\b/u, "CA"],
  [/\bAustralia\b/u, "AU"],
  [/\bIndia\b|\bGSTIN\b/u, "IN"],
  [/\bMalaysia\b|\bS[Dd][Nn]\.? ?B[Hh][Dd]\b/u, "MY"],
  [/\bSingapore\b/u, "SG"]
]

const numberWithCountry = /\b([A-Z]{2})\s?(?:\d{2}\s?[A-Z0-9]{4}[A-Z0-9\s]{8,26}|U?\d{8,12}\b)/gu
const britishPostcode = /\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/u
const americanPlace = /\b[A-Z]{2},? \d{5}(?:-\d{4})?\b/u

/** The country (ISO 3166) that a text speaks of: by IBANs and VAT numbers, postcodes, names of countries. */
export const countryOf = (text: string): string | undefined => {
  for (const [, country = ""] of text.matchAll(numberWithCountry)) if (countries.has(country)) return country
  if (britishPostcode.test(text)) return "GB"
  const named = countryNames.find(([name]) => name.test(text))
  if (named !== undefined) return named[1]
  return americanPlace.test(text) ? "US" : undefined
}
