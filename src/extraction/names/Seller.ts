import { best, type Ranked } from "../candidates/Ranked.ts"
import type { Features } from "../Features.ts"
import type { Candidate } from "../layout/Candidate.ts"
import { around } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { segmentsOf, standsAlone } from "../layout/Segments.ts"
import type { Field } from "../lexicon/Field.ts"
import { isForm, type NameWords } from "../lexicon/NameWords.ts"
import { leastScore, rankingScore } from "../models/RankingWeights.ts"
import type { Finder } from "./Finder.ts"
import { upToForm, withoutNameLabel, nameLengths } from "./NameForms.ts"
import { partyInForm, type Party } from "./OfficialForms.ts"
import { partyContext, partyFeatures } from "./PartyFeatures.ts"

/** Reduces `Firm - Street 1 - Town` and `Firm Ltd, Street 1` to the firm. */
const firstPart = (words: NameWords, text: string): string => {
  if (words.endsInForm(text)) return text
  return upToForm(words, (text.split(/\s[-–—|•·●]\s|\s{2,}|, \d|\s?[-–—|•·●]\s?(?=\d)/u)[0] ?? text).trim())
}

/** The most words and letters of a name; with a legal form it may be longer. */
const [mostWords, mostLetters] = [8, 70]
const [mostWordsWithForm, mostLettersWithForm] = [12, 100]

const isShort = (words: NameWords, value: string): boolean => {
  const hasForm = words.endsInForm(value)
  return (
    value.length <= (hasForm ? mostLettersWithForm : mostLetters) &&
    value.split(/\s+/u).length <= (hasForm ? mostWordsWithForm : mostWords)
  )
}

/** `東海運輸株式会社 御中`: in some languages, the form of address comes behind the name. */
const afterAddressee = /(?:御中|귀중|귀하)$/u

/** A note after a title: `TAX INVOICE (ORIGINAL FOR RECIPIENT)`. */
const inBrackets = /^[(（].*[)）]$/u

const isPossible = (words: NameWords, value: string): boolean =>
  (value.match(/\p{L}/gu)?.length ?? 0) >= 3 &&
  isShort(words, value) &&
  !words.isTitle(value) &&
  (!words.goesOn(value) || words.endsInForm(value)) &&
  !afterAddressee.test(value) &&
  !inBrackets.test(value) &&
  !isForm(words, value) &&
  !words.isContact(value) &&
  !words.isNameLabel(value) &&
  (!/^\d/u.test(value) || words.endsInForm(value))

/** How far from a name its legal form is, below it or behind it, in heights of its letters. */
const nextLine = 1.2
const nextWord = 1.5

/** Whether a legal form is right under a name, at the same edge or in its middle, or right behind it. */
const belongsTo = (name: Candidate, form: Candidate): boolean => {
  const [one, two] = [name.bbox, form.bbox]
  const rows = form.span.row - name.span.row
  if (name.span.page !== form.span.page || rows < 0 || rows > 2) return false
  if (rows === 0) return form.span.from === name.span.to + 1 && two.x - one.x - one.w < nextWord * one.h
  const isAligned =
    Math.abs(one.x - two.x) < 0.5 * one.h || Math.abs(one.x + one.w / 2 - two.x - two.w / 2) < 0.5 * one.h
  return isAligned && two.y - one.y - one.h < nextLine * one.h
}

/** Lines that are nothing but a legal form, such as `Limited`, are the end of the name above them or in front of them. */
const withForms = (
  words: NameWords,
  lines: ReadonlyArray<Candidate<string>>
): ReadonlyArray<Candidate<string>> => {
  const forms = new Map(
    lines.flatMap((form) => {
      const name = isForm(words, form.value) ? lines.findLast((line) => belongsTo(line, form)) : undefined
      return name === undefined || words.endsInForm(name.value) ? [] : [[name, form] as const]
    })
  )
  return lines.map((line) => {
    const form = forms.get(line)
    if (form === undefined) return line
    const [text, value] = [`${line.text} ${form.text}`, `${line.value} ${form.value}`]
    return { ...line, bbox: around([line.bbox, form.bbox]), text, value }
  })
}

/** The place of a name on an official form is as good as a label. */
const labelsOf = (party: Party | undefined): Features =>
  party === undefined
    ? {}
    : party === "own"
      ? { ownLabel: 1, otherSeller: 0, rivalLabel: 0, inCustomer: -3 }
      : { ownLabel: 0, otherSeller: 6, rivalLabel: 1, inCustomer: 3 }

/** All lines of the first and the last page that can be a name, with their features. */
const propose = (reading: Reading, field: Field): ReadonlyArray<Ranked<string>> => {
  const context = partyContext(
    reading,
    reading.labels.filter((match) => match.label.field === field.name && standsAlone(reading, match))
  )
  const { words } = context
  const lines = segmentsOf(reading, new Set([0, reading.pages.length - 1]))
  const names = withForms(words, lines).flatMap((line) => {
    const value = firstPart(words, withoutNameLabel(words, line.value))
    return isPossible(words, value) ? [{ ...line, value }] : []
  })
  const lengths = nameLengths(reading.lexicon, names)
  const partyOf = partyInForm(reading)
  return names.map((name): Ranked<string> => {
    const features = {
      ...partyFeatures(context, name, name.value),
      ...lengths(name),
      ...labelsOf(partyOf?.(name))
    }
    return Object.assign(name, { features, score: rankingScore(field, features) })
  })
}

/** The firms whose names begin with one that has no legal form. */
const firmsOf = (
  { lexicon }: Reading,
  name: Ranked<string>,
  all: ReadonlyArray<Ranked<string>>
): ReadonlyArray<Ranked<string>> => {
  const own = lexicon.fold(name.value)
  return name.features?.form === 1
    ? []
    : all.filter(({ features, value }) => features?.form === 1 && lexicon.fold(value).startsWith(own))
}

/**
 * Ranks what could be the name of the one who issued the document: it is on the first page or the last. A name without a legal form is
 * short for the firm whose name begins with it: a letterhead shows `NORRVENT`, the foot `Norrvent Luft & Teknik AB`.
 */
export const sellersOf = (reading: Reading, field: Field): Array<Ranked<string>> => {
  const proposed = propose(reading, field)
  const ranked = best(proposed).filter(({ score }) => score >= leastScore(field))
  const [first, ...others] = ranked
  if (first === undefined) return ranked
  const [firm] = firmsOf(reading, first, proposed).toSorted((a, b) => b.score - a.score)
  if (firm === undefined) return ranked
  const features = { ...first.features, form: 1, shortName: 0, partOfLonger: 0 }
  const { score } = first
  return [{ ...firm, features, score }, ...others.filter(({ value }) => value !== firm.value)]
}

/** Finds the name of the one who issued the document, by its place, its words and the labels of parties. */
export const sellerFinder: Finder = { find: sellersOf, propose }
