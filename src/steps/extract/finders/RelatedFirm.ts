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

/**
 * The firms that share a word with a name without a legal form: a logo shows `larch telecom`, the foot `Larch Communications
 * Limited`. Words for what a shop is say nothing.
 */
const relatedFirms = (
  context: PartyContext,
  name: Ranked<string>,
  names: ReadonlyArray<Ranked<string>>
): ReadonlyArray<Ranked<string>> => {
  const own = new Set(
    wordsOf(context, name.value).filter(
      (word) => [...word].length >= distinctive && !context.words.isShop(word)
    )
  )
  return names.filter(
    (other) =>
      context.words.endsInForm(other.value) &&
      other.features?.["likelyAddressee"] !== 1 &&
      !isOtherParty(other.features ?? {}) &&
      wordsOf(context, other.value).some((word) => own.has(word))
  )
}

/**
 * The firm behind a name without a legal form, if the document names one that shares a word with it. If that firm has not all words of
 * the name, or there are several, `relatedFirm` is a doubt.
 */
export const firmBehind = (
  context: PartyContext,
  name: Ranked<string>,
  names: ReadonlyArray<Ranked<string>>
): Ranked<string> => {
  if (context.words.endsInForm(name.value)) return name
  const firms = relatedFirms(context, name, names)
  const [firm] = firms
  if (firm === undefined) return name
  const inDoubt = { ...name, features: { ...name.features, relatedFirm: 1 } }
  const folded = new Set(firms.map(({ value }) => context.reading.lexicon.fold(value)))
  if (folded.size > 1) return inDoubt
  const { bbox, span, text, value } = firm
  const words = new Set(wordsOf(context, value))
  const isWhole = wordsOf(context, name.value).every((word) => words.has(word))
  return { ...(isWhole ? name : inDoubt), bbox, span, text, value }
}
