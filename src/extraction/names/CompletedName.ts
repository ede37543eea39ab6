import type { Candidate } from "../layout/Candidate.ts"
import type { Ranked } from "../candidates/Ranked.ts"
import { textOfWords } from "../../domain/LineText.ts"
import type { Features } from "../Features.ts"
import { around, type Token } from "../layout/PageModel.ts"
import { type PartyContext, partyFeatures } from "./PartyFeatures.ts"
import { isForm } from "../lexicon/NameWords.ts"

/** The fewest letters of a name that is looked for in running text. */
export const shortest = 5
/** The most words of a legal form: `S.A. de C.V.` */
const mostWords = 4

/** From which quality a label says that a name is the other party's: one above it, and one next to it. */
export const clearBlock = 0.7
export const clearLabel = 0.5

/** Whether a name is in the block of the other party, or behind a label of it, and not right behind one of its own: `Remit to: Firm Inc.` */
export const isOtherParty = ({
  addressed = 0,
  ownLabel = 0,
  rivalBlock = 0,
  rivalLabel = 0
}: Features): boolean =>
  addressed === 1 || (rivalBlock >= clearBlock && ownLabel < clearBlock) || rivalLabel >= clearLabel

/** Where a row has the words of a name, the first of them. */
export const placesIn = (row: ReadonlyArray<Token>, name: ReadonlyArray<string>): ReadonlyArray<number> =>
  row.flatMap(({ folded }, from) =>
    folded === name[0] && name.every((word, at) => row[from + at]?.folded === word) ? [from] : []
  )

const rest = /[,;:]$/u

/** The most words between a name and the legal form of the firm whose name begins with it. */
const mostBetween = 5
const dash = /^[-–—]$/u

/** Where the firm ends whose name goes on behind a shorter one: `NETTOLYA SERVICES SARL`, `Vale Sobreiro – Sociedade Agrícola, Lda.` */
const longerEnd = (
  { words }: PartyContext,
  row: ReadonlyArray<Token>,
  from: number,
  end: number
): number | undefined => {
  // In the middle of a phrase, what is in front may be part of another firm's name.
  if (row[from - 1]?.phrase === row[from]?.phrase) return undefined
  for (let to = end; to < Math.min(row.length, end + mostBetween); to++) {
    const [before, token] = [row[to - 1], row[to]]
    if (before === undefined || token === undefined || token.phrase !== row[from]?.phrase) return undefined
    const goesOn =
      /^\p{Lu}/u.test(token.text) || words.goesOn(token.text) || (to === end && dash.test(token.text))
    if (!goesOn || /\d|[:;]/u.test(token.text)) return undefined
    if (to > end && words.endsInForm(textOfWords(row.slice(from, to + 1)).replace(rest, ""))) return to
  }
  return undefined
}

/** Whether the word in front of a name belongs to a longer one: `FERRETERIA EL YUNQUE SA`. */
const isEndOfLonger = ({ words }: PartyContext, row: ReadonlyArray<Token>, from: number): boolean => {
  const before = row[from - 1]
  return (
    before !== undefined &&
    before.phrase === row[from]?.phrase &&
    /^\p{Lu}.*\p{L}$/u.test(before.text) &&
    !words.goesOn(before.text) &&
    !isForm(words, before.text)
  )
}

/** The name with the legal form that is printed right behind it, or right in front where its phrase begins. */
const completed = (
  context: PartyContext,
  row: ReadonlyArray<Token>,
  from: number,
  end: number
): readonly [from: number, to: number] | undefined => {
  const { words } = context
  if (isEndOfLonger(context, row, from)) return undefined
  for (let to = Math.min(row.length, end + mostWords) - 1; to >= end; to--) {
    const form = textOfWords(row.slice(end, to + 1)).replace(rest, "")
    const isClosed = row.slice(end, to).every(({ text }) => !rest.test(text))
    // `Bergslagens El & Automation AB`: the sign for and is no form.
    const isOne = /\p{L}/u.test(form) && isForm(words, form)
    if (isClosed && row[to]?.phrase === row[end - 1]?.phrase && isOne) return [from, to]
  }
  const longer = longerEnd(context, row, from, end)
  if (longer !== undefined) return [from, longer]
  const [before, first] = [row[from - 1], row[from]]
  const begins = before !== undefined && row[from - 2]?.phrase !== before.phrase
  const isInFront = begins && before.phrase === first?.phrase && /^\p{Lu}/u.test(before.text)
  return isInFront && isForm(words, before.text) ? [from - 1, end - 1] : undefined
}

/** Every place where a name is printed with its legal form, the other party left out. */
const places = (context: PartyContext, name: ReadonlyArray<string>): ReadonlyArray<Candidate<string>> =>
  context.reading.pages.flatMap(({ rows }, page) =>
    rows.flatMap((row, at) =>
      placesIn(row, name).flatMap((first): ReadonlyArray<Candidate<string>> => {
        const found = completed(context, row, first, first + name.length)
        if (found === undefined) return []
        const [from, to] = found
        const tokens = row.slice(from, to + 1)
        const text = textOfWords(tokens)
        const value = text.replace(rest, "")
        const candidate = {
          span: { page, row: at, from, to },
          bbox: around(tokens),
          text,
          value,
          quality: 0.9
        }
        return isOtherParty(partyFeatures(context, candidate, value)) ? [] : [candidate]
      })
    )
  )

/**
 * A name without a legal form as it is printed with one elsewhere: a logo shows `WESSEX CATERING`, the terms at the foot
 * say `property of Wessex Catering Ltd until paid`. Only where all places with a form agree.
 */
export const completedName = (context: PartyContext, name: Ranked<string>): Ranked<string> => {
  const { reading, words } = context
  if (words.endsInForm(name.value)) return name
  const parts = name.value.split(/\s+/u).map(reading.lexicon.fold)
  if (parts.join("").length < shortest) return name
  const found = places(context, parts)
  const [first] = found
  const plain = ({ value }: Candidate<string>) => reading.lexicon.fold(value)
  if (first === undefined || found.some((other) => plain(other) !== plain(first))) return name
  // The point of a sentence is no part of `Ltd`: the shortest of several prints has none.
  const [best = first] = found.toSorted((a, b) => a.value.length - b.value.length)
  return { ...name, ...best }
}
