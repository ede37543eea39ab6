import { makeFold } from "./Fold.ts"
import type { Country } from "./CountryFile.ts"
import type { KindWithWords } from "./DocumentKinds.ts"
import type { WordList } from "./LexiconFile.ts"

/** The labels of a field in one language, the surest first. */
export interface FieldWords {
  readonly labels: ReadonlyArray<string>
  /** Labels that also mean something else. */
  readonly weak: ReadonlyArray<string>
  /** Labels that contain one of the others but mean another field. */
  readonly not: ReadonlyArray<string>
}

/** What tells a kind of document: phrases that head it, and phrases that occur in it. */
export interface KindWords {
  readonly titles: ReadonlyArray<string>
  readonly words: ReadonlyArray<string>
}

/** Everything docflow knows of one language. */
export interface Language {
  /** BCP 47; `und` holds what is written in any language. */
  readonly tag: string
  readonly name: string
  /** ISO 3166 codes of countries where it is written. */
  readonly countries: ReadonlyArray<string>
  /** Its most frequent words. */
  readonly common: ReadonlyArray<string>
  readonly words: Readonly<Partial<Record<WordList, ReadonlyArray<string>>>>
  readonly kinds: Readonly<Partial<Record<KindWithWords, KindWords>>>
  readonly fields: Readonly<Record<string, FieldWords>>
}

const noWords: FieldWords = { labels: [], weak: [], not: [] }

/** The number of labels whose folded form is kept. */
const mostFolded = 50_000

interface Placed {
  readonly text: string
  readonly place: number
}

/** What the files of a folder say. */
export interface LexiconParts {
  readonly languages: ReadonlyArray<Language>
  readonly countries: ReadonlyArray<Country>
}

/** The languages and countries that docflow knows, and the words of the languages together. Results are cached. */
export class Lexicon {
  readonly languages: ReadonlyArray<Language>
  /** By code (ISO 3166). */
  readonly countries: ReadonlyMap<string, Country>
  readonly #fields = new Map<string, FieldWords>()
  readonly #lists = new Map<WordList, ReadonlyArray<string>>()
  readonly #sources = new Map<string, ReadonlyMap<string, ReadonlySet<string>>>()

  readonly #folded = new Map<string, string>()
  /** A string in the form in which labels are compared. */
  readonly fold: (text: string) => string

  constructor({ countries, languages }: LexiconParts) {
    this.languages = languages
    this.countries = new Map(countries.map((country) => [country.code, country]))
    this.fold = makeFold(this.words("number"), this.words("numberEndings"), {
      titles: this.words("compoundTitles"),
      others: this.words("otherCompounds"),
      known: languages.flatMap(({ fields, kinds }) => [
        ...Object.values(kinds).flatMap((kind) => (kind?.titles ?? []).concat(kind?.words ?? [])),
        ...Object.values(fields).flatMap(({ labels, not, weak }) => labels.concat(weak, not))
      ])
    })
  }

  /** `fold` for labels: they are the same for every document, so their folded form is kept. */
  readonly foldLabel = (label: string): string => {
    const before = this.#folded.get(label)
    if (before !== undefined) return before
    const folded = this.fold(label)
    if (this.#folded.size < mostFolded) this.#folded.set(label, folded)
    return folded
  }

  /** The labels of a preset, or of a column of a table preset, in all languages. */
  field(name: string): FieldWords {
    const before = this.#fields.get(name)
    if (before !== undefined) return before
    const own = this.languages.map(({ fields }) => fields[name] ?? noWords)
    const words = {
      labels: this.merged(own.map(({ labels }) => labels)),
      weak: this.merged(own.map(({ weak }) => weak)),
      not: this.merged(own.map(({ not }) => not))
    }
    this.#fields.set(name, words)
    return words
  }

  /** A list of words in all languages, without repetition. */
  words(list: WordList): ReadonlyArray<string> {
    const before = this.#lists.get(list)
    if (before !== undefined) return before
    const words = [...new Set(this.languages.flatMap(({ words }) => words[list] ?? []))]
    this.#lists.set(list, words)
    return words
  }

  /** Lists of several languages as one: the first label of each comes before the second of any; none comes twice. */
  merged(lists: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> {
    const seen = new Set<string>()
    return lists
      .flatMap((list) => list.map((text, index): Placed => ({ text, place: index / list.length })))
      .toSorted((left, right) => left.place - right.place)
      .flatMap(({ text }) => {
        const folded = text.includes("*") ? text : this.foldLabel(text)
        if (seen.has(folded)) return []
        seen.add(folded)
        return [text]
      })
  }

  /** The languages (tags) that a folded label of a field belongs to; `und` agrees with every language. */
  languagesOf(name: string, folded: string): ReadonlySet<string> {
    const sources = this.#sources.get(name) ?? this.#sourcesOf(name)
    this.#sources.set(name, sources)
    return sources.get(folded) ?? new Set()
  }

  #sourcesOf(name: string): ReadonlyMap<string, ReadonlySet<string>> {
    const sources = new Map<string, Set<string>>()
    for (const { tag, fields } of this.languages) {
      const { labels, weak, not } = fields[name] ?? noWords
      for (const text of [...labels, ...weak, ...not]) {
        const folded = this.foldLabel(text.split("*")[0] ?? "")
        const tags = sources.get(folded)
        if (tags === undefined) sources.set(folded, new Set([tag]))
        else tags.add(tag)
      }
    }
    return sources
  }
}

/** A value derived from a lexicon once, such as a pattern of its words, and cached as long as the lexicon. */
export const ofLexicon = <A>(make: (lexicon: Lexicon) => A): ((lexicon: Lexicon) => A) => {
  const made = new WeakMap<Lexicon, { readonly value: A }>()
  return (lexicon) => {
    const before = made.get(lexicon)
    if (before !== undefined) return before.value
    const value = make(lexicon)
    made.set(lexicon, { value })
    return value
  }
}
