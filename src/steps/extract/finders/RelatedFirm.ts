import type { Ranked } from "../candidates/Ranked.ts"
import { isOtherParty } from "./CompletedName.ts"
import { isBeforeForm, isBeforeRegistration, issuingFirm, reachedFirm } from "./IssuingFirm.ts"
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
  context: PartyContext,
  names: ReadonlyArray<Ranked<string>>
): ReadonlyArray<Ranked<string>> =>
  names.filter(
    (name) =>
      (context.words.endsInForm(name.value) ||
        isBeforeForm(context, name) ||
        isBeforeRegistration(context, name)) &&
      name.features?.["likelyAddressee"] !== 1 &&
      // `Domicilio Comercial: Bv. Avellaneda` is an address.
      !/:\s*\S+$/u.test(name.value) &&
      !isOtherParty(name.features ?? {})
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

/** The most words by which the name above an address is longer than the one of a logo. */
const mostLonger = 3

/**
 * The names that begin with one that has no legal form and are longer, at the head of an address with a telephone number or a
 * registration: a logo shows `Pluk & Peper`, the address is that of `Pluk & Peper Catering`.
 */
const longerHeads = (
  context: PartyContext,
  name: Ranked<string>,
  names: ReadonlyArray<Ranked<string>>
): ReadonlyArray<Ranked<string>> => {
  const own = wordsOf(context, name.value)
  return names.filter(({ features = {}, value }) => {
    const longer = wordsOf(context, value)
    const isHead = features["firstOfBlock"] === 1 && features["addressBelow"] === 1
    const isReached = features["contactBelow"] === 1 || features["registrationBelow"] === 1
    return (
      longer.length > own.length &&
      longer.length <= own.length + mostLonger &&
      own.every((word, at) => longer[at] === word) &&
      isHead &&
      isReached &&
      !isOtherParty(features)
    )
  })
}

/** The distance of the firm's line below a logo, in lines. */
const rightBelow = 1.2

/** The firm whose line is right below a logo and above its address: `mot·à·mot`, `Services Larivière inc.` */
const firmBelow = (
  { reading }: PartyContext,
  { bbox, span }: Ranked<string>,
  firms: ReadonlyArray<Ranked<string>>
): Ranked<string> | undefined => {
  const line = reading.pages[span.page]?.lineHeight ?? bbox.h
  return firms.find((firm) => {
    const gap = firm.bbox.y - (bbox.y + bbox.h)
    const shared = Math.min(firm.bbox.x + firm.bbox.w, bbox.x + bbox.w) - Math.max(firm.bbox.x, bbox.x)
    const isAligned = shared > 0.5 * Math.min(firm.bbox.w, bbox.w)
    return (
      firm.span.page === span.page &&
      firm.span.row > span.row &&
      gap < rightBelow * line &&
      isAligned &&
      firm.features?.["addressBelow"] === 1
    )
  })
}

const withNameOf = (name: Ranked<string>, { bbox, span, text, value }: Ranked<string>): Ranked<string> => ({
  ...name,
  bbox,
  span,
  text,
  value
})

/**
 * The firm behind a name without a legal form, if the document names one that shares a word with it. If that firm has not all words of
 * the name, there are several, or the only firms share no word with it, `relatedFirm` is a doubt.
 */
export const firmBehind = (
  context: PartyContext,
  name: Ranked<string>,
  names: ReadonlyArray<Ranked<string>>
): Ranked<string> => {
  const all = firmsAmong(context, names)
  const inDoubt = { ...name, features: { ...name.features, relatedFirm: 1 } }
  if (context.words.endsInForm(name.value)) {
    const isOther = name.features?.["likelyAddressee"] === 1
    const issuer = isOther ? issuingFirm(context, name, all) : reachedFirm(context, name, all)
    return issuer === undefined
      ? name
      : withNameOf({ ...inDoubt, features: { ...inDoubt.features, likelyAddressee: 0 } }, issuer)
  }
  const firms = relatedFirms(context, name, all)
  const [firm] = firms
  if (firm === undefined) {
    const [head, ...others] = longerHeads(context, name, names)
    if (head !== undefined && others.length === 0) return withNameOf(all.length === 0 ? name : inDoubt, head)
    const below = firmBelow(context, name, all)
    if (below !== undefined) return withNameOf(inDoubt, below)
    const issuer = issuingFirm(context, name, all)
    if (issuer !== undefined) return withNameOf(inDoubt, issuer)
    // A word in small letters, such as `contabilidade`, may be of a logo and say what a person does.
    const isSmall = /^\p{Ll}+$/u.test(name.value)
    return all.length === 0 && !isSmall ? name : inDoubt
  }
  const plain = ({ value }: Ranked<string>): string => context.reading.lexicon.fold(value)
  const longer = firms.filter((one) => plain(one).startsWith(plain(name)))
  // `Brandtner Elektro` is short for `Brandtner Elektro-Fachgroßhandel GmbH`, not for `Brandtner Verwaltungs-GmbH`.
  if (longer.length > 0 && new Set(longer.map(plain)).size === 1)
    return withNameOf(inDoubt, longer[0] ?? firm)
  if (new Set(firms.map(plain)).size > 1) return inDoubt
  const words = new Set(wordsOf(context, firm.value))
  const isWhole = wordsOf(context, name.value).every((word) => words.has(word))
  return withNameOf(isWhole ? name : inDoubt, firm)
}
