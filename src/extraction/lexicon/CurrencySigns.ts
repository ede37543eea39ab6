import { plain } from "./Fold.ts"
import { type Lexicon, ofLexicon } from "./Lexicon.ts"
import { lexiconInUse } from "./ReadLexicon.ts"

/** The currencies (ISO 4217) of the countries of a lexicon. */
export const currencyCodes = ofLexicon(
  ({ countries }): ReadonlySet<string> =>
    new Set(
      [...countries.values()]
        .flatMap(({ currency, formerCurrencies = [] }) => formerCurrencies.concat(currency))
        .toSorted()
    )
)

/** Signs and names that are also units and words: 5 kW, 10 K, real estate. */
const alsoWords: ReadonlySet<string> = new Set(
  "K KM KN KW KZ L MTN P Q R BR BS RF S/ ZK DRAM KUNA LEVA REAL SOL SOM".split(" ")
)

/** The sign of a currency as it is printed in a country. */
export const currencySignIn = (
  locale: string,
  currency: string,
  currencyDisplay: "symbol" | "narrowSymbol"
): string =>
  new Intl.NumberFormat(locale, { style: "currency", currency, currencyDisplay })
    .formatToParts(1)
    .find(({ type }) => type === "currency")
    ?.value.replace(/[\p{Cf}\s]/gu, "") ?? ""

/** The locales in which the sign of a currency is looked up: English, and the languages of its countries. */
const localesOf = (lexicon: Lexicon, code: string): ReadonlyArray<string> => [
  "en",
  ...lexicon.languages.flatMap(({ countries, tag }) =>
    countries
      .filter((country) => lexicon.countries.get(country)?.currency === code)
      .map((country) => `${tag}-${country}`)
  )
]

interface Entry {
  readonly name: string
  /** The codes that it can mean, the most common first. */
  readonly codes: readonly [string, ...ReadonlyArray<string>]
}

/**
 * The entries of the lexicon's lists: `EUR=Euro`, `INR PKR=rupees`. Those of one currency come behind those of several, and the user's
 * own last: they replace others.
 */
const entriesOf = (
  lexicon: Lexicon,
  list: "currencySigns" | "currencyNames" | "currencyLetters"
): ReadonlyArray<Entry> =>
  lexicon
    .words(list)
    .toReversed()
    .map((entry): Entry => {
      const [meaning = "", name = ""] = entry.split("=").map((part) => part.trim())
      const [first = "", ...others] = meaning.split(" ")
      return { name, codes: [first, ...others] }
    })
    .toSorted((a, b) => Number(a.codes.length === 1) - Number(b.codes.length === 1))

/** Signs in upper case; abbreviations are printed with and without a full stop. */
const signEntries = (lexicon: Lexicon): ReadonlyArray<Entry> =>
  entriesOf(lexicon, "currencySigns").flatMap(({ codes, name }) => {
    const sign = name.toUpperCase()
    return (/^\p{L}+$/u.test(sign) ? [sign, `${sign}.`] : [sign]).map((one) => ({ codes, name: one }))
  })

const sharedOf = (entries: ReadonlyArray<Entry>, key: (name: string) => string) =>
  new Map(entries.flatMap(({ codes, name }) => (codes.length > 1 ? [[key(name), codes] as const] : [])))

/** What each sign that several currencies share can mean, by the sign in upper case. */
export const sharedSigns = ofLexicon((lexicon): ReadonlyMap<string, ReadonlyArray<string>> =>
  sharedOf(signEntries(lexicon), (sign) => sign)
)

/** What each name that several currencies share can mean, by the name without accents. */
const sharedNames = ofLexicon((lexicon): ReadonlyMap<string, ReadonlyArray<string>> =>
  sharedOf(entriesOf(lexicon, "currencyNames"), plain)
)

/** The currencies that a single letter in front of an amount with cents can mean: `R 1 250.00`. */
export const currencyLetters = ofLexicon(
  (lexicon): ReadonlyMap<string, Entry["codes"]> =>
    new Map(entriesOf(lexicon, "currencyLetters").map(({ codes, name }) => [name, codes]))
)

/** The code of each sign and abbreviation, in upper case: as `Intl` has them, then what the lexicon adds. */
export const currencySigns = ofLexicon((lexicon): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const shared = sharedSigns(lexicon)
  for (const code of currencyCodes(lexicon))
    for (const locale of localesOf(lexicon, code))
      for (const display of ["symbol", "narrowSymbol"] as const) {
        const sign = currencySignIn(locale, code, display).toUpperCase()
        if (sign !== code && !alsoWords.has(sign)) found.set(sign, shared.get(sign)?.[0] ?? code)
      }
  for (const { codes, name } of signEntries(lexicon)) found.set(name, codes[0])
  return found
})

/** The code of each name of one word, without accents: as `Intl` has them, then what the lexicon adds. */
const currencyNames = ofLexicon((lexicon): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const tags = lexicon.languages.map(({ tag }) => tag).filter((tag) => tag !== "und")
  for (const tag of Intl.DisplayNames.supportedLocalesOf(tags)) {
    const names = new Intl.DisplayNames(tag, { type: "currency", fallback: "none" })
    for (const code of currencyCodes(lexicon)) {
      const name = names.of(code) ?? ""
      if (/^\p{L}{3,}$/u.test(name) && !alsoWords.has(name.toUpperCase())) found.set(plain(name), code)
    }
  }
  for (const { codes, name } of entriesOf(lexicon, "currencyNames")) found.set(plain(name), codes[0])
  return found
})

/** The ISO 4217 code of a sign, an abbreviation or a code; undefined where the text is none. */
export const currencyOf = (text: string): string | undefined => {
  const upper = text.toUpperCase()
  return currencyCodes(lexiconInUse()).has(upper) ? upper : currencySigns(lexiconInUse()).get(upper)
}

/** The codes that the name of a currency in running text can mean, the most common first: `Rupees`. */
export const meaningsOfName = (text: string): ReadonlyArray<string> => {
  const name = plain(text).replace(/[^\p{L}]/gu, "")
  const code = currencyNames(lexiconInUse()).get(name)
  const shared = sharedNames(lexiconInUse()).get(name)
  return code === undefined ? [] : shared?.[0] === code ? shared : [code]
}

/** The ISO 4217 codes that a code, sign or abbreviation can mean, the most common first; none where it is no currency. */
export const meaningsOf = (text: string): ReadonlyArray<string> => {
  const code = currencyOf(text)
  const shared = sharedSigns(lexiconInUse()).get(text.toUpperCase())
  return code === undefined ? [] : shared?.[0] === code ? shared : [code]
}

/** Signs by their first letter, longest first where one begins another. */
const prefixes = ofLexicon((lexicon): ReadonlyMap<string, ReadonlyArray<string>> =>
  Map.groupBy(
    [...currencySigns(lexicon).keys()].toSorted((a, b) => b.length - a.length),
    (sign) => sign.charAt(0)
  )
)

/** Some write a letter: `R 1 250.00`, `P605.00`. It is so much else that only cents behind the amount prove it. */
const letter = /^([A-Z])\s?(?=-?\d[\d ,]*[.,]\d\d$)/u

/** Takes a currency off the beginning of a string: `€12` gives EUR and `12`. */
export const takePrefix = (
  text: string
): { readonly currency: string; readonly rest: string } | undefined => {
  const upper = text.toUpperCase()
  const [sign = "", capital = ""] = letter.exec(text) ?? []
  const written = capital === "" ? undefined : currencyLetters(lexiconInUse()).get(capital)?.[0]
  if (written !== undefined) return { currency: written, rest: text.slice(sign.length) }
  const code = upper.slice(0, 3)
  if (currencyCodes(lexiconInUse()).has(code) && /^[A-Z]{3}\s?[-(]?\s?[\d.,]/u.test(upper))
    return { currency: code, rest: text.slice(3) }
  const mark = prefixes(lexiconInUse())
    .get(upper.charAt(0))
    ?.find((mark) => upper.startsWith(mark) && !/^\p{L}/u.test(text.slice(mark.length)))
  const currency = currencySigns(lexiconInUse()).get(mark ?? "")
  return mark === undefined || currency === undefined
    ? undefined
    : { currency, rest: text.slice(mark.length) }
}

/** Takes a currency off the end of a string: `12€` gives EUR and `12`. */
export const takeSuffix = (
  text: string
): { readonly currency: string; readonly rest: string } | undefined => {
  const match = /^(.*\d[)-]?)(\D{1,6})$/u.exec(text)
  const [, rest = "", mark = ""] = match ?? []
  const currency = currencyOf(mark.trim())
  return currency === undefined ? undefined : { currency, rest }
}
