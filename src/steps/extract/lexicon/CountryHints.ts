const euro = "AT BE CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK"
const others: Readonly<Record<string, string>> = {
  GB: "GBP",
  CH: "CHF",
  PL: "PLN",
  CZ: "CZK",
  HU: "HUF",
  SE: "SEK",
  DK: "DKK",
  NO: "NOK",
  RO: "RON",
  BG: "BGN"
}

const byCountry = new Map([
  ...euro.split(" ").map((code) => [code, "EUR"] as const),
  ...Object.entries(others)
])

/** Names of countries as they end an address, and what is paid with there. */
const byName: ReadonlyArray<readonly [RegExp, string]> = [
  [/\bUnited Kingdom\b|\bEngland\b|\bScotland\b|\bWales\b/u, "GBP"],
  [/\bUnited States\b|\bUSA\b|\bU\.S\.A\./u, "USD"],
  [
    /\bDeutschland\b|\bGermany\b|\bÖsterreich\b|\bFrance\b|\bNederland\b|\bBelgi|\bEspaña\b|\bItalia\b/u,
    "EUR"
  ],
  [/\bPortugal\b|\bIreland\b|\bNetherlands\b|\bSpain\b|\bItaly\b|\bAustria\b|\bFinland\b/u, "EUR"],
  [/\bSchweiz\b|\bSuisse\b|\bSwitzerland\b/u, "CHF"],
  [/\bIndia\b|\bGSTIN\b/u, "INR"],
  [/\bAustralia\b|\bABN\b/u, "AUD"],
  [/\bCanada\b/u, "CAD"],
  [
    /\bMalaysia\b|\bS[Dd][Nn]\.? ?B[Hh][Dd]\b|\bKuala Lumpur\b|\bPetaling Jaya\b|\bDamansara\b|\bSelangor\b|\bJohor\b|\bPenang\b|\bMelaka\b|\bSabah\b|\bSarawak\b/iu,
    "MYR"
  ],
  [/\bSingapore\b/u, "SGD"],
  // Words of taxes and registers say least: only where nothing else is known.
  [/\bCHE-?\d/u, "CHF"],
  [/\bMwSt\b|\bUSt\b|\bSteuer-?Nr|\bSIRET\b|\bP\. ?IVA\b|\bKvK\b|\bBTW\b|\bCIF\b/u, "EUR"]
]

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
  for (const [, country = ""] of text.matchAll(numberWithCountry)) if (byCountry.has(country)) return country
  if (britishPostcode.test(text)) return "GB"
  const named = countryNames.find(([name]) => name.test(text))
  if (named !== undefined) return named[1]
  return americanPlace.test(text) ? "US" : undefined
}

/** The currency of the country that a text speaks of: by IBANs and VAT numbers, postcodes, names of countries. */
export const countryCurrency = (text: string): string | undefined => {
  for (const [, country = ""] of text.matchAll(numberWithCountry)) {
    const currency = byCountry.get(country)
    if (currency !== undefined) return currency
  }
  if (britishPostcode.test(text)) return "GBP"
  const named = byName.find(([name]) => name.test(text))
  if (named !== undefined) return named[1]
  return americanPlace.test(text) ? "USD" : undefined
}
