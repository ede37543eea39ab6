import type { Ranked } from "../candidates/Ranked.ts"
import { isOtherParty } from "./CompletedName.ts"
import type { PartyContext } from "./PartyFeatures.ts"

/** The fewest letters of a word that distinguishes a name. */
const distinctive = 5

const wordsOf = ({ reading }: PartyContext, name: string): ReadonlyArray<string> =>
  name
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map(reading.lexicon.fold)

/** The names with a legal form that are not the other party's. */
const firmsAmong = (
  { words }: PartyContext,
  names: ReadonlyArray<Ranked<string>>
): ReadonlyArray<Ranked<string>> =>
  names.filter(
    ({ features = {}, value }) =>
      words.endsInForm(value) && features["likelyAddressee"] !== 1 && !isOtherParty(features)
  )

/**
 * The firms that share a word with a name without a legal form: a logo shows `larch telecom`, the foot `Larch Communications
 * Limited`. Words for what a shop is say nothing.
 */
const relatedFirms = (
  context: PartyContext,
  name: Ranked<string>,
  firms: ReadonlyArray<Ranked<string>>
): ReadonlyArray<Ranked<string>> => {
  const own = new Set(
    wordsOf(context, name.value).filter(
      (word) => [...word].length >= distinctive && !context.words.isShop(word)
    )
  )
  return firms.filter(({ value }) => wordsOf(context, value).some((word) => own.has(word)))
}

/**
 * The firm behind a name without a legal form, if the document names one that shares a word with it. If that firm has not all words of
 * the name, there are several, or the only firms share no word with it, `relatedFirm` is a doubt.
 */
export const firmBehind = (
  context: PartyContext,
  name: Ranked<string>,
  names: ReadonlyArray<Ranked<string>>
): Ranked<string> => {
  if (context.words.endsInForm(name.value)) return name
  const all = firmsAmong(context, names)
  const firms = relatedFirms(context, name, all)
  const [firm] = firms
  const inDoubt = { ...name, features: { ...name.features, relatedFirm: 1 } }
  if (firm === undefined) return all.length === 0 ? name : inDoubt
  const folded = new Set(firms.map(({ value }) => context.reading.lexicon.fold(value)))
  if (folded.size > 1) return inDoubt
  const { bbox, span, text, value } = firm
  const words = new Set(wordsOf(context, value))
  const isWhole = wordsOf(context, name.value).every((word) => words.has(word))
  return { ...(isWhole ? name : inDoubt), bbox, span, text, value }
}
