import { plain } from "./Fold.ts"
import {
  currencyCodes,
  currencyLetters,
  currencyNames,
  currencySigns,
  sharedNames,
  sharedSigns
} from "./CurrencySigns.ts"
import { ofLexicon } from "./Lexicon.ts"
import { lexiconInUse } from "./ReadLexicon.ts"

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
