import { Context, Effect, Layer } from "effect"
import { type FieldWords, type KindWords, type Language, Lexicon } from "./Lexicon.ts"
import {
  type LexiconProblem,
  lexiconInUse,
  readLexiconFolder,
  readShippedLexicon,
  shippedLexicon,
  useLexicon
} from "./ReadLexicon.ts"

/** The lexicon that steps use: the one that docflow ships, unless a folder of the user's own adds to it. */
export const CurrentLexicon = Context.Reference<Lexicon>("docflow/steps/CurrentLexicon", {
  defaultValue: lexiconInUse
})

type Lists = Readonly<Record<string, ReadonlyArray<string> | undefined>>

/** The lists of two records by their names, the second ones first. */
const joined = <A extends Lists>(shipped: A, own: A): A =>
  Object.assign(
    {},
    shipped,
    Object.fromEntries(
      Object.entries(own).map(([name, words]) => [
        name,
        [...new Set([...(words ?? []), ...(shipped[name] ?? [])])]
      ])
    )
  )

const fieldsOf = (shipped: Language, own: Language): Language["fields"] => ({
  ...shipped.fields,
  ...Object.fromEntries(
    Object.entries(own.fields).map(([name, words]): [string, FieldWords] => {
      const before = shipped.fields[name]
      return [name, before === undefined ? words : withoutContradiction(words, before)]
    })
  )
})

/** What the user's file calls a label is none that rules itself out, and the other way round. */
const withoutContradiction = (own: FieldWords, shipped: FieldWords): FieldWords => {
  const named = new Set([...own.labels, ...own.weak])
  const refused = new Set(own.not)
  return {
    labels: [...own.labels, ...shipped.labels.filter((label) => !refused.has(label))],
    weak: [...own.weak, ...shipped.weak.filter((label) => !refused.has(label))],
    not: [...own.not, ...shipped.not.filter((label) => !named.has(label))]
  }
}

const kindsOf = (shipped: Language, own: Language): Language["kinds"] => ({
  ...shipped.kinds,
  ...Object.fromEntries(
    Object.entries(own.kinds).map(([kind, words]): [string, KindWords] => {
      const before = Object.entries(shipped.kinds).find(([name]) => name === kind)?.[1]
      return [
        kind,
        {
          titles: [...words.titles, ...(before?.titles ?? [])],
          words: [...words.words, ...(before?.words ?? [])]
        }
      ]
    })
  )
})

/** The words of the user's own file come before those of the shipped one. */
const added = (shipped: Language, own: Language): Language => ({
  tag: shipped.tag,
  name: shipped.name,
  countries: [...new Set([...own.countries, ...shipped.countries])],
  common: [...new Set([...own.common, ...shipped.common])],
  words: joined(shipped.words, own.words),
  kinds: kindsOf(shipped, own),
  fields: fieldsOf(shipped, own)
})

/** The shipped lexicon with the files of a folder added: a language is extended, a country replaced. */
export const lexiconWith = (folder: string) =>
  Effect.map(readLexiconFolder(folder), (own) => {
    const { countries, languages } = shippedLexicon()
    const extended = languages.map((language) => {
      const more = own.languages.find(({ tag }) => tag === language.tag)
      return more === undefined ? language : added(language, more)
    })
    const more = own.languages.filter(({ tag }) => !languages.some((language) => language.tag === tag))
    return new Lexicon({
      languages: [...extended, ...more],
      countries: [...countries.values(), ...own.countries]
    })
  })

/**
 * The lexicon of a process. `folder` is the user's own, which is read at once, so that a mistake in it is reported at the
 * start. The shipped files take 0.3 s of CPU: alone, they are read when a step first needs them.
 */
export const layer = (folder: string | undefined): Layer.Layer<never, LexiconProblem> =>
  folder === undefined
    ? Layer.empty
    : Layer.effect(
        CurrentLexicon,
        Effect.tap(lexiconWith(folder), (lexicon) => Effect.sync(() => useLexicon(lexicon, folder)))
      )

/** The same for a service, which reads the shipped files in the background, before the first document needs them. */
export const serviceLayer = (folder: string | undefined): Layer.Layer<never, LexiconProblem> =>
  folder === undefined ? Layer.effectDiscard(Effect.forkScoped(readShippedLexicon)) : layer(folder)
