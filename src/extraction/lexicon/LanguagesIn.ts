import { plain } from "./Fold.ts"
import { type Language, type Lexicon, ofLexicon } from "./Lexicon.ts"
import { unspacedLetters } from "./WordPatterns.ts"

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
const unspaced = new RegExp(`[${unspacedLetters}]`, "u")

/** Scripts with their languages; the first language of each is the most likely one. */
const scripts: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [/[\p{sc=Hira}\p{sc=Kana}]/u, ["ja"]],
  [/\p{sc=Han}/u, ["zh", "ja"]],
  [/\p{sc=Hang}/u, ["ko"]],
  [/\p{sc=Arab}/u, ["ar"]],
  [/\p{sc=Hebr}/u, ["he"]],
  [/\p{sc=Grek}/u, ["el"]],
  [/\p{sc=Cyrl}/u, ["ru", "uk", "bg", "sr"]],
  [/\p{sc=Thai}/u, ["th"]]
]
/** The first letter of Greek: characters before it are in none of these scripts. */
const firstOfScripts = "\u0370"
const latin = /\p{sc=Latn}/u
const letter = /\p{L}/u

const wordsOf = (text: string): ReadonlyArray<string> =>
  (text.match(word) ?? [])
    .map((found) => plain(found))
    .filter((found) => found.length > 1 || unspaced.test(found))

/** The words of a language's own labels and titles say which language it is, though less surely than its small words. */
const vocabularyOf = (language: Language): ReadonlyMap<string, number> => {
  const weights = new Map<string, number>()
  for (const phrase of phrasesOf(language))
    for (const found of wordsOf(phrase)) if (found.length > 3 || unspaced.test(found)) weights.set(found, 0.7)
  for (const found of language.common) weights.set(plain(found), 1)
  return weights
}

/** How much a word says for a language, by the place of the language among the known ones. */
interface Clue {
  readonly language: number
  readonly points: number
}

const vocabularies = ofLexicon((lexicon: Lexicon) => {
  const known = lexicon.languages.filter(({ tag }) => tag !== "und")
  const clues = new Map<string, Array<Clue>>()
  for (const [language, own] of known.entries())
    for (const [found, points] of vocabularyOf(own)) {
      const same = clues.get(found)
      if (same === undefined) clues.set(found, [{ language, points }])
      else same.push({ language, points })
    }
  const weighted = [...clues].map(([found, all]) => {
    const rarity = rarityOf(known.length, all.length)
    return [found, all.map(({ language, points }) => ({ language, points: points * rarity }))] as const
  })
  return {
    letters: lettersOfLexicon(known),
    languages: known.map(({ tag }) => ({ tag, isFirst: scripts.some(([, [first]]) => first === tag) })),
    clues: new Map<string, ReadonlyArray<Clue>>(weighted)
  }
})

const phrasesOf = ({ common, fields, kinds, words }: Language): ReadonlyArray<string> =>
  [
    common,
    ...Object.values(fields).flatMap((own) => [own.labels, own.weak, own.not]),
    ...Object.values(kinds).flatMap((kind) => [kind?.titles ?? [], kind?.words ?? []]),
    ...Object.values(words).map((list) => list ?? [])
  ].flat()

/** Every letter that some language writes its labels and words with. */
const lettersOfLexicon = (languages: ReadonlyArray<Language>): ReadonlySet<string> =>
  new Set(
    languages.flatMap((language) => [...new Set(phrasesOf(language).join("").toLowerCase().normalize())])
  )

/** The more languages share a word, the less it says. */
const rarityOf = (languages: number, shared: number): number => Math.log(1 + languages / shared)

const isAsciiLetter = (character: string): boolean =>
  (character >= "a" && character <= "z") || (character >= "A" && character <= "Z")

/** How many letters of each script a string has; of letters in no script here, only the sum is known. */
const lettersOf = (text: string) => {
  const characters = new Map<string, number>()
  const ofScripts = scripts.map(() => 0)
  let [all, ofLatin] = [0, 0]
  for (const character of text)
    if (character > "\u007F") characters.set(character, (characters.get(character) ?? 0) + 1)
    else if (isAsciiLetter(character)) {
      all++
      ofLatin++
    }
  for (const [character, count] of characters) {
    const script = character < firstOfScripts ? -1 : scripts.findIndex(([pattern]) => pattern.test(character))
    if (script !== -1) ofScripts[script] = (ofScripts[script] ?? 0) + count
    else if (latin.test(character)) ofLatin += count
    if (letter.test(character)) all += count
  }
  return { all, ofLatin, ofScripts }
}

/** The letters of the scripts that a language is written in, as a share of all letters of a string. */
const scriptShares = (text: string): ((tag: string) => number) => {
  const { all, ofLatin, ofScripts } = lettersOf(text)
  const letters = Math.max(1, all)
  return (tag) => {
    const own = scripts.flatMap(([, tags], script) => (tags.includes(tag) ? [ofScripts[script] ?? 0] : []))
    return (own.length === 0 ? ofLatin : own.reduce((sum, count) => sum + count, 0)) / letters
  }
}

const fewestWords = 12
const fewestHits = 3
const leastKnown = 0.04
/**
 * Of so many words or more, one in eight is known on every form in a language that the lexicon has. Of more words than a form
 * has, fewer are: prose and lists of names.
 */
const enoughWords = 22
/** Shorter words are the same in many languages. */
const shortWord = 2
const mostOfForm = 150
/** Prose has many words that no form has, but repeats the small ones: a quarter of all is known. */
const knownOfProse = 0.25
/** Names alone, of which nobody knows the language, have no small letters at their beginning. */
const leastSmall = 0.3
const usuallyKnown = 0.13
/** Words with letters that no language of the lexicon writes: names have them as well, but few. */
const fewestStrange = 3
const strangeShare = 0.06
const longestText = 20_000
/** The least share of its scripts in the letters of a string, for a language that the string may be in. */
const leastShare = 0.05

/** Scripts in which the letters of a language are few. */
const alphabetic = /[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}]/u

/** The share of all words, each as often as it occurs, that are known. */
const shareKnown = (text: string, isKnown: (one: string) => boolean): number => {
  const all = wordsOf(text)
  return all.filter(isKnown).length / Math.max(1, all.length)
}

/** Whether most letters are of a script that several languages share. */
const isShared = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return 2 * (text.match(/[\p{sc=Latn}\p{sc=Cyrl}]/gu)?.length ?? 0) > letters
}

/** The different words of a document, and which of them the most likely language has. */
interface FoundWords {
  readonly found: ReadonlySet<string>
  readonly hits: number
  readonly isKnown: (one: string) => boolean
}

/** Whether a document has too few known words for its length, or too many with letters of another language. */
const isUnknown = (
  text: string,
  { found, hits, isKnown }: FoundWords,
  letters: ReadonlySet<string>
): boolean => {
  if (found.size < fewestWords) return false
  if (hits < fewestHits || hits < leastKnown * found.size) return true
  const long = [...found].filter(({ length }) => length > shortWord)
  if (long.length < enoughWords || !isShared(text)) return false
  const words = [...new Set(text.match(word))]
  const small = words.filter((one) => /^\p{Ll}\P{Lu}{2}/u.test(one)).length
  if (
    long.length <= mostOfForm &&
    small >= leastSmall * long.length &&
    long.filter(isKnown).length < usuallyKnown * long.length &&
    shareKnown(text, isKnown) < knownOfProse
  )
    return true
  const isStrange = (sign: string) => alphabetic.test(sign) && !letters.has(sign)
  const strange = words.filter((one) => [...one.toLowerCase().normalize()].some(isStrange)).length
  return strange >= Math.max(fewestStrange, strangeShare * words.length)
}

/** The languages a string may be in, by its words and its letters. */
export const languagesIn = (lexicon: Lexicon, whole: string): TextLanguages => {
  const text = whole.slice(0, longestText)
  const { clues, languages, letters } = vocabularies(lexicon)
  const shareOf = scriptShares(text)
  const found = new Set(wordsOf(text))
  const scored = languages.map(({ isFirst, tag }) => ({
    tag,
    isFirst,
    share: shareOf(tag),
    points: 0,
    hits: 0
  }))
  for (const candidate of found)
    for (const { language, points } of clues.get(candidate) ?? []) {
      const one = scored[language]
      if (one === undefined || one.share <= leastShare) continue
      one.hits++
      one.points += points
    }
  for (const one of scored) {
    if (!one.isFirst || one.share <= leastShare) continue
    if (one.hits === 0 && one.share > 0.3) one.hits = fewestHits
    one.points += 4 * one.share
  }
  const best = scored.toSorted((left, right) => right.points - left.points)
  const most = best[0]?.points ?? 0
  const hits = Math.max(0, ...scored.map((language) => language.hits))
  const first = best[0]?.tag
  const isKnown = (one: string): boolean =>
    clues.get(one)?.some(({ language }) => languages[language]?.tag === first) === true
  return {
    languages: best.flatMap(({ points, tag }) => (points > 0 ? [{ tag, share: points / most }] : [])),
    unknown: isUnknown(text, { found, hits, isKnown }, letters)
  }
}

/** Languages by their tags, with how much speaks for each compared with the most likely one, 0–1. */
export const sharesOf = ({ languages }: TextLanguages): ReadonlyMap<string, number> =>
  new Map(languages.map(({ share, tag }) => [tag, share] as const))
