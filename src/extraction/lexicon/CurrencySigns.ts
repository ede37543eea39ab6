import { plain } from "./Fold.ts"
import { countryCurrencies } from "./CountryCurrencies.ts"
import { type Lexicon, ofLexicon } from "./Lexicon.ts"

/** The currencies of ISO 4217 that documents are written in. */
export const currencyCodes: ReadonlySet<string> = new Set(
  (
    "AED AMD AOA ARS AUD AZN BAM BDT BGN BHD BND BOB BRL BWP BYN CAD CHF CLP CNY COP CRC CZK DKK DOP DZD EGP ETB EUR " +
    "FJD GBP GEL GHS GTQ HKD HNL HRK HUF IDR ILS INR IQD ISK JMD JOD JPY KES KHR KRW KWD KZT LBP LKR MAD MDL MKD MMK " +
    "MNT MOP MUR MVR MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SEK SGD " +
    "THB TND TRY TTD TWD TZS UAH UGX USD UYU UZS VND XAF XOF XPF ZAR ZMW"
  ).split(" ")
)

/** Signs that several currencies share: what each can mean, the most common first. */
export const sharedSigns: Readonly<Record<string, ReadonlyArray<string>>> = {
  $: ["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "TWD", "MXN", "ARS", "CLP", "COP", "UYU"],
  "£": ["GBP", "EGP"],
  "¥": ["JPY", "CNY"],
  元: ["CNY", "TWD", "HKD"],
  KR: ["SEK", "NOK", "DKK", "ISK"],
  "KR.": ["DKK", "NOK", "SEK", "ISK"],
  RS: ["INR", "PKR", "LKR", "NPR", "MUR"],
  "RS.": ["INR", "PKR", "LKR", "NPR", "MUR"]
}

const dinars = ["TND", "DZD", "JOD", "KWD", "RSD", "MKD", "IQD", "BHD"]
const rupees = ["INR", "PKR", "LKR", "NPR", "MUR"]
const pesos = ["MXN", "ARS", "CLP", "COP", "UYU", "PHP", "DOP"]
const shillings = ["KES", "UGX", "TZS"]

/** Names that several currencies share, without accents: what each can mean, the most common first. */
export const sharedNames: Readonly<Record<string, ReadonlyArray<string>>> = {
  dollar: sharedSigns["$"] ?? [],
  dollars: sharedSigns["$"] ?? [],
  dinar: dinars,
  dinars: dinars,
  franc: ["CHF", "XOF", "XAF"],
  francs: ["CHF", "XOF", "XAF"],
  peso: pesos,
  pesos,
  pound: ["GBP", "EGP"],
  pounds: ["GBP", "EGP"],
  rupee: rupees,
  rupees,
  shilling: shillings,
  shillings
}

/** Signs and names that are also units and words: 5 kW, 10 K, real estate. */
const alsoWords: ReadonlySet<string> = new Set(
  "K KM KN KW KZ L MTN P Q R BR BS RF S/ ZK DRAM KUNA LEVA REAL SOL SOM".split(" ")
)

/** The sign of a currency as it is printed in a country. */
const signIn = (locale: string, currency: string, currencyDisplay: "symbol" | "narrowSymbol"): string =>
  new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay })
    .formatToParts(1)
    .find(({ type }) => type === "currency")
    ?.value.replace(/[\p{Cf}\s]/gu, "") ?? ""

/** The locales in which the sign of a currency is looked up: English, and the languages of its countries. */
const localesOf = (lexicon: Lexicon, code: string): ReadonlyArray<string> => [
  "en",
  ...lexicon.languages.flatMap(({ countries, tag }) =>
    countries
      .filter((country) => countryCurrencies.get(country) === code)
      .map((country) => `${tag}-${country}`)
  )
]

/** `EUR=Euro` of the lexicon's lists: code and name; the user's own come last, where they replace others. */
const entriesOf = (lexicon: Lexicon, list: "currencySigns" | "currencyNames") =>
  lexicon
    .words(list)
    .toReversed()
    .map((entry) => {
      const [code = "", name = ""] = entry.split("=").map((part) => part.trim())
      return [name, code] as const
    })

/** The code of each sign and abbreviation, in upper case: as `Intl` has them, then what the lexicon adds. */
export const currencySigns = ofLexicon((lexicon): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const code of currencyCodes)
    for (const locale of localesOf(lexicon, code))
      for (const display of ["symbol", "narrowSymbol"] as const) {
        const sign = signIn(locale, code, display).toUpperCase()
        if (sign !== code && !alsoWords.has(sign)) found.set(sign, sharedSigns[sign]?.[0] ?? code)
      }
  for (const [sign, code] of entriesOf(lexicon, "currencySigns")) {
    found.set(sign.toUpperCase(), code)
    // Abbreviations are printed with and without a full stop.
    if (/^\p{L}+$/u.test(sign)) found.set(`${sign.toUpperCase()}.`, code)
  }
  return found
})

/** The code of each name of one word, without accents: as `Intl` has them, then what the lexicon adds. */
export const currencyNames = ofLexicon((lexicon): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const tags = lexicon.languages.map(({ tag }) => tag).filter((tag) => tag !== "und")
  for (const tag of Intl.DisplayNames.supportedLocalesOf(tags)) {
    const names = new Intl.DisplayNames(tag, { type: "currency", fallback: "none" })
    for (const code of currencyCodes) {
      const name = names.of(code) ?? ""
      if (/^\p{L}{3,}$/u.test(name) && !alsoWords.has(name.toUpperCase())) found.set(plain(name), code)
    }
  }
  for (const [name, code] of entriesOf(lexicon, "currencyNames")) found.set(plain(name), code)
  return found
})

const shortestName = 6

/** The names of several words by the language that has them, without spaces and accents: `riyal saudi`. */
export const longCurrencyNames = ofLexicon(
  (lexicon): ReadonlyMap<string, ReadonlyArray<readonly [name: string, code: string]>> => {
    const tags = lexicon.languages.map(({ tag }) => tag).filter((tag) => tag !== "und")
    return new Map(
      Intl.DisplayNames.supportedLocalesOf(tags).map((tag) => {
        const names = new Intl.DisplayNames(tag, { type: "currency", fallback: "none" })
        const long = [...currencyCodes].flatMap((code) => {
          const name = names.of(code) ?? ""
          const folded = lexicon.fold(name)
          return name.includes(" ") && folded.length >= shortestName ? [[folded, code] as const] : []
        })
        return [tag, long] as const
      })
    )
  }
)

/** Signs that are printed as two capitals: RM, TL. In small letters they are units: 12 rm, 3 tl. */
export const capitalSigns = ofLexicon(
  (lexicon): ReadonlySet<string> =>
    new Set(
      [
        ...[...currencyCodes].map((code) => signIn("en", code, "narrowSymbol")),
        ...entriesOf(lexicon, "currencySigns").map(([sign]) => sign)
      ].filter((sign) => /^\p{Lu}{2}$/u.test(sign))
    )
)
