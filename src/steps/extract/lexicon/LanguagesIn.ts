import { plain } from "../page/Fold.ts"
import { type Language, type Lexicon, ofLexicon } from "./Lexicon.ts"

/** A language that a string may be in, and how much speaks for it compared with the most likely one, 0–1. */
export interface LikelyLanguage {
  readonly tag: string
  readonly share: number
}

/** What is known of a string's languages. */
export interface TextLanguages {
  /** The most likely first; empty where no known word occurs. */
  readonly languages: ReadonlyArray<LikelyLanguage>
  /** Whether the text has enough words and hardly any is of a language in the lexicon. */
  readonly unknown: boolean
}

const word = /\p{L}[\p{L}\p{M}'’]*/gu

/** Scripts without spaces between words: any piece of a string may be a word. */
const unspaced = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]/u

const scripts: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/[\p{sc=Hira}\p{sc=Kana}]/gu, ["ja"]],
  [/\p{sc=Han}/gu, ["zh", "ja"]],
  [/\p{sc=Hang}/gu, ["ko"]],
  [/\p{sc=Arab}/gu, ["ar"]],
  [/\p{sc=Hebr}/gu, ["he"]],
  [/\p{sc=Grek}/gu, ["el"]],
  [/\p{sc=Cyrl}/gu, ["ru", "uk", "bg", "sr"]],
  [/\p{sc=Thai}/gu, ["th"]]
]
const latin = /\p{sc=Latn}/gu
const letter = /\p{L}/gu

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

const wordsOf = (text: string): ReadonlyArray<string> =>
  (text.match(word) ?? [])
    .map((found) => plain(found))
    .filter((found) => found.length > 1 || unspaced.test(found))

/** The words of a language's own labels and titles say which language it is, though less surely than its small words. */
const vocabularyOf = (language: Language): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  const { fields, kinds, words } = language
  const lists = [
    ...Object.values(fields).flatMap((own) => [own.labels, own.weak, own.not]),
    ...Object.values(kinds).flatMap((kind) => [kind?.titles ?? [], kind?.words ?? []]),
    ...Object.values(words).map((list) => list ?? [])
  ]
  for (const phrase of lists.flat())
    for (const found of wordsOf(phrase)) if (found.length > 3 || unspaced.test(found)) weights.set(found, 0.7)
  for (const found of language.common) weights.set(plain(found), 1)
  return weights
}

const vocabularies = ofLexicon((lexicon: Lexicon) => {
  const known = lexicon.languages.flatMap((language) =>
    language.tag === "und" ? [] : [{ tag: language.tag, words: vocabularyOf(language) }]
  )
  const spread = new Map<string, number>()
  for (const { words } of known)
    for (const found of words.keys()) spread.set(found, (spread.get(found) ?? 0) + 1)
  return { known, spread }
})

/** The more languages share a word, the less it says. */
const rarity = (languages: number, shared: number): number => Math.log(1 + languages / shared)

/** The letters of the scripts that a language is written in, as a share of all letters of a string. */
const scriptShares = (text: string): ((tag: string) => number) => {
  const letters = Math.max(1, count(text, letter))
  const inLatin = count(text, latin) / letters
  const shares = scripts.map(([pattern, tags]) => ({ tags, share: count(text, pattern) / letters }))
  return (tag) => {
    const own = shares.filter(({ tags }) => tags.includes(tag))
    return own.length === 0 ? inLatin : own.reduce((sum, { share }) => sum + share, 0)
  }
}

const fewestWords = 12
const fewestHits = 3
const longestText = 20_000

/** The languages a string may be in, by its words and its letters. */
export const languagesIn = (lexicon: Lexicon, whole: string): TextLanguages => {
  const text = whole.slice(0, longestText)
  const { known, spread } = vocabularies(lexicon)
  const shareOf = scriptShares(text)
  const found = new Set(wordsOf(text))
  const scored = known.map(({ tag, words }) => {
    const share = shareOf(tag)
    let points = 0
    let hits = 0
    if (share > 0.05) {
      for (const candidate of found) {
        const weight = words.get(candidate)
        if (weight === undefined) continue
        hits++
        points += weight * rarity(known.length, spread.get(candidate) ?? 1)
      }
      if (hits === 0 && share > 0.3 && scripts.some(([, tags]) => tags[0] === tag)) hits = fewestHits
      points += 4 * (scripts.some(([, tags]) => tags[0] === tag) ? share : 0)
    }
    return { tag, points, hits }
  })
  const best = scored.toSorted((left, right) => right.points - left.points)
  const most = best[0]?.points ?? 0
  const hits = Math.max(0, ...scored.map((language) => language.hits))
  return {
    languages: best.flatMap(({ points, tag }) => (points > 0 ? [{ tag, share: points / most }] : [])),
    unknown: found.size >= fewestWords && (hits < fewestHits || hits < 0.04 * found.size)
  }
}

/** The languages of a string by their tags, with how much speaks for each compared with the most likely one, 0–1. */
export const sharesOfLanguages = (lexicon: Lexicon, text: string): ReadonlyMap<string, number> =>
  new Map(languagesIn(lexicon, text).languages.map(({ share, tag }) => [tag, share] as const))
