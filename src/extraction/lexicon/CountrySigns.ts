import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js"
import type { Country } from "./CountryFile.ts"
import { currencySignIn } from "./CurrencySigns.ts"
import { type Lexicon, ofLexicon } from "./Lexicon.ts"

/** A name of three letters is too often an abbreviation of something else. */
const shortest = 4
/** Words of the longest name that is looked for. */
const longest = 3

/** The words of a string, with initials put together: `U.S.A.` is the word `USA`. */
const wordsOf = (text: string): ReadonlyArray<string> =>
  text
    .replace(/(?<=\b\p{Lu})\.(?=\p{Lu}\b)/gu, "")
    .split(/[\s,;:.()/|·•–-]+/u)
    .filter((word) => word !== "")

const firstWord = (name: string): string => wordsOf(name)[0] ?? ""

interface Countries {
  readonly byName: ReadonlyMap<string, string>
  /** The first words of legal forms, which end the name of a firm behind its country: `Nordea Finland Plc`. */
  readonly forms: ReadonlySet<string>
  /** The first words of the names: most words begin none. */
  readonly beginnings: ReadonlySet<string>
}

/** Countries by their names in the languages of a lexicon: as `Intl` has them, then what the lexicon adds. */
const countries = ofLexicon((lexicon): Countries => {
  const found = new Map<string, string>()
  const tags = lexicon.languages.map(({ tag }) => tag)
  for (const tag of Intl.DisplayNames.supportedLocalesOf(tags.filter((tag) => tag !== "und"))) {
    const names = new Intl.DisplayNames(tag, { type: "region", fallback: "none" })
    for (const { code, nameIsWord } of lexicon.countries.values()) {
      const name = names.of(code)
      if (name !== undefined && name.length >= shortest && name !== nameIsWord) found.set(name, code)
    }
  }
  for (const entry of lexicon.words("countryNames")) {
    const [country = "", name = ""] = entry.split("=").map((part) => part.trim())
    found.set(wordsOf(name).join(" "), country)
  }
  return {
    byName: found,
    beginnings: new Set([...found.keys()].map(firstWord)),
    forms: new Set(
      [...lexicon.words("legalForms"), ...lexicon.words("legalFormsAtEnd")].map((form) =>
        firstWord(form).toLowerCase()
      )
    )
  }
})

/** `China Garden`, `Bank of Ireland`: the name of a country inside another name is not a place. */
const isInName = (before: string | undefined, after: string | undefined, { forms }: Countries): boolean =>
  before === "of" || (after !== undefined && /^\p{Lu}\p{Ll}/u.test(after) && !forms.has(after.toLowerCase()))

/** The countries (ISO 3166) that a string names, in the order in which it names them. */
export const countriesNamed = (text: string, lexicon: Lexicon): ReadonlySet<string> => {
  const known = countries(lexicon)
  const found = new Set<string>()
  for (const line of text.split(/[\n,;:()/|·•–]/u)) {
    const words = wordsOf(line)
    let next = 0
    for (const [at, word] of words.entries()) {
      if (at < next || !known.beginnings.has(word) || !/^\p{Lu}/u.test(word)) continue
      // The longest name counts: `New Mexico` is not Mexico.
      for (let length = longest; length > 0; length--) {
        const country = known.byName.get(words.slice(at, at + length).join(" "))
        if (country === undefined) continue
        if (!isInName(words[at - 1], words[at + length], known)) found.add(country)
        next = at + length
        break
      }
    }
  }
  return found
}

const callingCodeOf = (code: string): string | undefined =>
  isSupportedCountry(code) ? getCountryCallingCode(code) : undefined

const numbers = [
  ["iban", /\b([A-Z]{2})\d{2} ?[A-Z0-9]{4}[A-Z0-9 ]{8,26}\b/gu],
  ["vatId", /(?<![A-Z0-9])(?!AT ?\d)([A-Z]{2}) ?U?\d{8,12}(?:B\d\d)?\b/gu]
] as const

/** What countries have in common with others, and are looked up by. */
const tables = ofLexicon(({ countries }: Lexicon) => {
  const all = [...countries.values()]
  const domains = all.map(({ code, domain }) => [domain ?? code.toLowerCase(), code] as const)
  return {
    byCallingCode: Map.groupBy(all, ({ code }) => callingCodeOf(code)),
    byDomain: new Map(domains.filter(([domain]) => domain !== "none"))
  }
})

/** What a document says of the country that it is from. */
export type CountrySign = "iban" | "vatId" | "phone" | "place" | "register" | "domain" | "language"

/** The kinds of signs that a document has of a country. */
export type CountrySigns = Readonly<Partial<Record<CountrySign, number>>>

/** The countries that a string comes from or speaks of, by IBANs, VAT numbers, telephone numbers, places, registers. */
export const countriesIn = (text: string, lexicon: Lexicon): ReadonlyMap<string, CountrySigns> => {
  const found = new Map<string, CountrySigns>()
  const add = (code: string, kind: CountrySign) => found.set(code, { ...found.get(code), [kind]: 1 })
  const { byCallingCode, byDomain } = tables(lexicon)
  // Of other countries' numbers, the letters in front are too often a word: `GST ID 000849812504`.
  for (const [kind, pattern] of numbers)
    for (const [, code = ""] of text.matchAll(pattern))
      if (lexicon.countries.get(code)?.vatId !== undefined) add(code, kind)
  for (const [, digits = ""] of text.matchAll(/\+(\d{1,3})(?=[\s().\-/]*\d)/gu)) {
    const prefix = [3, 2, 1].map((length) => digits.slice(0, length)).find((part) => byCallingCode.has(part))
    for (const { code } of prefix === undefined ? [] : (byCallingCode.get(prefix) ?? [])) add(code, "phone")
  }
  for (const code of countriesNamed(text, lexicon)) add(code, "place")
  for (const { code, places = [], registers = [], words = [] } of lexicon.countries.values()) {
    if (places.some((pattern) => pattern.test(text))) add(code, "place")
    if (registers.some((pattern) => pattern.test(text))) add(code, "register")
    if (words.some((pattern) => pattern.test(text))) add(code, "language")
  }
  for (const [, domain = ""] of text.matchAll(/[a-z0-9-]\.([a-z]{2})\b(?![.@])/gu)) {
    const code = byDomain.get(domain)
    if (code !== undefined) add(code, "domain")
  }
  return found
}

/** The signs of a country in a document in any language; half the world writes `$`. */
const signsOf = ({ code, currency, dates }: Country): ReadonlyArray<RegExp> => {
  const sign = currencySignIn("en", currency, "narrowSymbol")
  const own = /^(?!\$)\p{Sc}$/u.test(sign) ? `|${sign}` : ""
  const any = String.raw`\b${currency}\b|\+${callingCodeOf(code) ?? code}\b${own}`
  return [new RegExp(any, "u"), ...(dates?.signs ?? [])]
}

const dateSigns = ofLexicon(({ countries }) => {
  const dated = [...countries.values()].flatMap(({ dates, ...country }) =>
    dates === undefined ? [] : [{ ...country, dates }]
  )
  const others = dated.filter(({ dates }) => dates.order !== "MDY")
  const of = (order: string) => dated.filter(({ dates }) => dates.order === order).map(({ dates }) => dates)
  return {
    monthFirst: of("MDY"),
    yearFirst: of("YMD"),
    others: others.flatMap(signsOf)
  }
})

const anyIn = (text: string, patterns: ReadonlyArray<RegExp> = []): boolean =>
  patterns.some((pattern) => pattern.test(text))

/** How the country writes dates that a string has signs of; `open` where it has none. */
export const dateOrderIn = (text: string, lexicon: Lexicon): "DMY" | "MDY" | "open" => {
  const { monthFirst, others } = dateSigns(lexicon)
  if (monthFirst.some(({ proofs }) => anyIn(text, proofs))) return "MDY"
  if (anyIn(text, others)) return "DMY"
  return monthFirst.some(({ signs }) => anyIn(text, signs)) ? "MDY" : "open"
}

/** Whether a string has signs of a country that puts the year first, also where it has only two digits. */
export const putsYearFirst = (text: string, lexicon: Lexicon): boolean =>
  dateSigns(lexicon).yearFirst.some(({ signs }) => anyIn(text, signs))
