import { type Candidate, rowKey } from "../layout/Candidate.ts"
import type { Lexicon } from "../lexicon/Lexicon.ts"
import { type NameWords, nameWords } from "../lexicon/NameWords.ts"
import type { Features } from "../Features.ts"

const shortest = 4
const mostWords = 8
const mostForms = 30
/** A few words that all could be a name's. */
const goesOnInCapitals = /^(?:(?:\p{Lu}\S*|&|and|und|et|y|e|de|du|of) ?){2,6}$/u
const nearRows = 3
/** A row of more is one of a table, and not of a letterhead. */
const mostInRow = 12

/** Names without a legal form that are shown in letters of a logo: their own word, or the initials of a longer name. */
const acronym = /^\p{Lu}{3,6}$/u

/** The words of a name, folded; marks between them are none. */
const wordsOf = (lexicon: Lexicon, value: string): ReadonlyArray<string> =>
  value.split(/[^\p{L}\p{N}'’-]+/u).flatMap((word) => lexicon.fold(word) || [])

const initialsOf = (value: string): string =>
  value
    .split(/[^\p{L}]+/u)
    .map((word) => word.charAt(0).toUpperCase())
    .join("")

/** Whether the words of a name are in a longer one, in their order and next to each other, or their initials begin it. */
const isPartOf = (short: ReadonlyArray<string>, long: ReadonlyArray<string>): boolean =>
  short.length < long.length && ` ${long.join(" ")} `.includes(` ${short.join(" ")} `)

/** Whether every word of a line may be one of a name. */
const isLikeName = ({ goesOn }: NameWords, value: string): boolean => {
  const all = value.split(/\s+/u)
  return all.length <= mostWords && all.every((word) => /^[\p{Lu}&]/u.test(word) || goesOn(word))
}

/** The names that are inside a longer line that looks like one, right below: `Poggio Sereno`, `Azienda Agricola Poggio Sereno di Landi Chiara`. */
const insideLineBelow = (
  words: NameWords,
  inParts: ReadonlyMap<Candidate<string>, ReadonlyArray<string>>
): ReadonlySet<Candidate<string>> => {
  const inside = new Set<Candidate<string>>()
  const rows = Map.groupBy(inParts.keys(), ({ span }) => rowKey(span.page, span.row))
  const inRow = (page: number, row: number) => {
    const found = rows.get(rowKey(page, row)) ?? []
    return found.length > mostInRow ? [] : found
  }
  for (const { page, row } of new Map(
    [...inParts.keys()].map(({ span }) => [rowKey(span.page, span.row), span])
  ).values())
    for (const long of inRow(page, row)) {
      const parts = inParts.get(long) ?? []
      if (parts.length < 2 || !isLikeName(words, long.value)) continue
      for (let above = row - 1; above >= row - nearRows; above--)
        for (const short of inRow(page, above))
          if (isPartOf(inParts.get(short) ?? [], parts)) inside.add(short)
    }
  return inside
}

/** The whole of a shorter name, with a legal form and without, the short form of a longer one, and a part of a longer one. */
export type LengthFeature = "wholeName" | "longName" | "shortName" | "partOfLonger"

/**
 * Whether a name is the whole of a shorter one that is printed elsewhere, or the shorter part of one with a legal form: the
 * head of a page shows `fenland energy`, `SCHROEDER` or `BSMF`, its footer `Fenland Energy Supply Limited`, `Menuiserie
 * Schroeder & Fils S.à r.l.` or `Big Sioux Motor Freight, Inc.`
 */
export const nameLengths = (
  lexicon: Lexicon,
  names: ReadonlyArray<Candidate<string>>
): ((name: Candidate<string>) => Features) => {
  const words = nameWords(lexicon)
  const folded = new Map(names.map((name) => [name, lexicon.fold(name.value)]))
  const all = [...new Set(folded.values())].filter((text) => text.length >= shortest)
  const withForm = new Set(
    names.flatMap((name) => (words.endsInForm(name.value) ? [folded.get(name) ?? ""] : []))
  )
  const forms = names.filter(({ value }) => words.endsInForm(value)).slice(0, mostForms)
  const inParts = new Map(names.map((name) => [name, wordsOf(lexicon, name.value)]))
  /** Pairs of a name with a legal form and one that is a part of it. */
  const parts = forms.flatMap((long) =>
    names.flatMap((short) => {
      const text = folded.get(short) ?? ""
      if (text.length < 3 || text === folded.get(long)) return []
      const isInitials = acronym.test(short.value) && initialsOf(long.value).startsWith(short.value)
      // A logo and the name of the company under it share a word: `Rincón Gráfica`, `IMPRENTA RINCÓN S.A.`
      const isLogo =
        !withForm.has(text) &&
        short.span.page === long.span.page &&
        long.span.row > short.span.row &&
        long.span.row - short.span.row <= nearRows &&
        (inParts.get(short) ?? []).some((word) => word.length >= 5 && inParts.get(long)?.includes(word))
      const isPart = text.length >= shortest && isPartOf(inParts.get(short) ?? [], inParts.get(long) ?? [])
      return isInitials || isLogo || isPart ? [{ long, short }] : []
    })
  )
  const texts = names.flatMap(({ value }) => (goesOnInCapitals.test(value) ? [value] : []))
  const inside = insideLineBelow(words, inParts)
  const wholes = new Set(parts.map(({ long }) => folded.get(long) ?? ""))
  const pieces = new Set(parts.map(({ short }) => folded.get(short) ?? ""))
  return (name) => {
    const own = folded.get(name) ?? ""
    const hasShorter =
      wholes.has(own) || all.some((other) => other.length < own.length && own.startsWith(other))
    const hasLonger =
      pieces.has(own) ||
      (own.length >= shortest &&
        [...withForm].some((other) => other.length > own.length && other.startsWith(own)))
    return {
      wholeName: hasShorter && withForm.has(own) ? 1 : 0,
      longName: hasShorter && !withForm.has(own) ? 1 : 0,
      shortName: hasLonger ? 1 : 0,
      partOfLonger:
        pieces.has(own) || inside.has(name) || texts.some((text) => text.startsWith(`${name.value} `)) ? 1 : 0
    }
  }
}
