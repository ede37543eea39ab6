import { countryCurrencies } from "./CountryCurrencies.ts"
import { ofLexicon, type Lexicon } from "./Lexicon.ts"

/** Names of countries that are also names of people, places or goods. */
const ambiguous: ReadonlySet<string> = new Set([
  "Jersey",
  "Jordan",
  "Georgia",
  "Turkey",
  "Chile",
  "Peru",
  "Oman",
  "Panama",
  "Jamaica",
  "Armenia"
])

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

interface Countries {
  readonly byName: ReadonlyMap<string, string>
  /** The first words of the names: most words begin none. */
  readonly beginnings: ReadonlySet<string>
}

/** Countries by their names in the languages of a lexicon: as `Intl` has them, then what the lexicon adds. */
const countries = ofLexicon((lexicon): Countries => {
  const found = new Map<string, string>()
  const tags = lexicon.languages.map(({ tag }) => tag)
  for (const tag of Intl.DisplayNames.supportedLocalesOf(tags.filter((tag) => tag !== "und"))) {
    const names = new Intl.DisplayNames(tag, { type: "region", fallback: "none" })
    for (const country of countryCurrencies.keys()) {
      const name = names.of(country)
      if (name !== undefined && name.length >= shortest && !ambiguous.has(name)) found.set(name, country)
    }
  }
  for (const entry of lexicon.words("countryNames")) {
    const [country = "", name = ""] = entry.split("=").map((part) => part.trim())
    found.set(wordsOf(name).join(" "), country)
  }
  return { byName: found, beginnings: new Set([...found.keys()].map((name) => name.split(" ")[0] ?? "")) }
})

/** The countries (ISO 3166) that a string names, in the order in which it names them. */
export const countriesNamed = (text: string, lexicon: Lexicon): ReadonlySet<string> => {
  const { beginnings, byName } = countries(lexicon)
  const found = new Set<string>()
  for (const line of text.split("\n")) {
    const words = wordsOf(line)
    for (const [at, word] of words.entries()) {
      if (!beginnings.has(word) || !/^\p{Lu}/u.test(word)) continue
      for (let length = 1; length <= longest; length++) {
        const country = byName.get(words.slice(at, at + length).join(" "))
        if (country !== undefined) found.add(country)
      }
    }
  }
  return found
}
