import { ofLexicon, type Lexicon } from "./Lexicon.ts"

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
