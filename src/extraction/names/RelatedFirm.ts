import type { Ranked } from "../candidates/Ranked.ts"
import { clearLabel, isOtherParty } from "./CompletedName.ts"
import {
  isBare,
  isBeforeForm,
  isBeforeRegistration,
  issuingFirm,
  reachedFirm,
  registeredFirm
} from "./IssuingFirm.ts"
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
      name.features?.likelyAddressee !== 1 &&
      // `Domicilio Comercial: Bv. Avellaneda` is an address.
      !/:\s*\S+$/u.test(name.value) &&
      !isOtherParty(name.features ?? {})
  )

/** The fewest letters of a word that has another ending elsewhere, and the most letters of the ending. */
const [stem, ending] = [6, 2]

/** Whether two words are forms of one: `Trælast` and `TRÆLASTEN`. */
const areForms = (one: string, two: string): boolean => {
  const [short, long] = one.length < two.length ? [one, two] : [two, one]
  return short.length >= stem && long.length - short.length <= ending && long.startsWith(short)
}

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
  return firms.filter(({ value }) =>
    wordsOf(context, value).some((word) => own.has(word) || [...own].some((one) => areForms(one, word)))
  )
}

/** The most words by which the name above an address is longer than the one of a logo. */
const mostLonger = 3
const mostAround = 5

/** The distance of the firm's line below a logo, in lines. */
const rightBelow = 1.2

/** Whether a line is right below another one, over or under a half of it. */
const isRightBelow = (
  { reading }: PartyContext,
  { bbox, span }: Ranked<string>,
  below: Ranked<string>
): boolean => {
  const line = reading.pages[span.page]?.lineHeight ?? bbox.h
  const gap = below.bbox.y - (bbox.y + bbox.h)
  const shared = Math.min(below.bbox.x + below.bbox.w, bbox.x + bbox.w) - Math.max(below.bbox.x, bbox.x)
  return (
    below.span.page === span.page &&
    below.span.row > span.row &&
    gap < rightBelow * line &&
    shared > 0.5 * Math.min(below.bbox.w, bbox.w)
  )
}

/** Whether a name has another one in its middle or at its end: `Azienda Agricola Colle Sereno di Tommaso Fabbri`. */
const isAround = (own: ReadonlyArray<string>, longer: ReadonlyArray<string>): boolean =>
  longer.some((_, from) => from > 0 && own.every((word, at) => longer[from + at] === word))

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
  return names.filter((one) => {
    const { features = {}, value } = one
    const longer = wordsOf(context, value)
    const isHead = features.firstOfBlock === 1 && features.addressBelow === 1
    const isReached = features.contactBelow === 1 || features.registrationBelow === 1
    return (
      longer.length > own.length &&
      longer.length <= own.length + mostAround &&
      (own.every((word, at) => longer[at] === word)
        ? isHead
        : isAround(own, longer) && features.addressBelow === 1 && isRightBelow(context, name, one)) &&
      isReached &&
      !isOtherParty(features)
    )
  })
}

/** How much larger than usual the letters of a logo are. */
const largeLogo = 0.4

/** The only firm that shares a word with the logo in the first row: `rentex` above, the firm in the foot of the last page. */
const firmOfLogo = (
  context: PartyContext,
  names: ReadonlyArray<Ranked<string>>,
  firms: ReadonlyArray<Ranked<string>>
): Ranked<string> | undefined => {
  const logo = names.find(
    ({ features = {} }) => features.firstRow === 1 && (features.large ?? 0) >= largeLogo
  )
  const [firm, ...others] = logo === undefined ? [] : relatedFirms(context, logo, firms)
  return others.every(({ value }) => value === firm?.value) ? firm : undefined
}

/**
 * The firm of the logo, for one with an address and nothing else that is printed once, as customers have it: `rhemolit` above, in the foot
 * `Rhemolit Chemie GmbH`.
 */
const firmOfLogoForBare = (
  context: PartyContext,
  name: Ranked<string>,
  names: ReadonlyArray<Ranked<string>>,
  firms: ReadonlyArray<Ranked<string>>
): Ranked<string> | undefined =>
  name.features?.addressBelow === 1 && name.features.firstRow !== 1 && isBare(context, name)
    ? firmOfLogo(context, names, firms)
    : undefined

/** Words of the firms that manage another one of the same name. */
const managing = /verwaltung|beteiligung|management|holding|geschäftsführung/iu

/** The fewest letters of an abbreviation. */
const shortestAbbreviation = 3

/** Whether the letters of a word are in a longer one, in their order, and both begin alike: `StBGes` and `Steuerberatungsgesellschaft`. */
const abbreviates = (short: string, long: string): boolean => {
  if (short.length < shortestAbbreviation || short.length >= long.length || short[0] !== long[0]) return false
  let at = 0
  for (const letter of long) if (letter === short[at]) at++
  return at === short.length
}

/** Whether words are those of a longer name, one of them shortened. */
const isAbbreviated = (own: ReadonlyArray<string>, longer: ReadonlyArray<string>): boolean => {
  const different = own.flatMap((word, at) => (word === longer[at] ? [] : [at]))
  const [only, ...others] = different
  return (
    own.length === longer.length &&
    own.length > 2 &&
    only !== undefined &&
    others.length === 0 &&
    only > 0 &&
    abbreviates(own[only] ?? "", longer[only] ?? "")
  )
}

/**
 * The longer name of a firm in the foot: `Hollmeier GmbH · Ziegelkamp 14` above the address window is
 * `Hollmeier Dach und Bauklempnerei GmbH`. It has all words of the short one, the first and the last as its own.
 */
const longerFirm = (
  context: PartyContext,
  name: Ranked<string>,
  firms: ReadonlyArray<Ranked<string>>
): Ranked<string> | undefined => {
  if ((name.features?.ownLabel ?? 0) >= clearLabel) return undefined
  const own = wordsOf(context, name.value)
  const [firm, ...others] = firms.filter(({ features = {}, value }) => {
    const words = wordsOf(context, value)
    return (
      features.foot === 1 &&
      (isAbbreviated(own, words) ||
        (words.length > own.length &&
          words.length <= own.length + mostLonger &&
          words[0] === own[0] &&
          words.at(-1) === own.at(-1) &&
          own.every((word) => words.includes(word)))) &&
      !managing.test(value)
    )
  })
  return others.length === 0 ? firm : undefined
}

/** The firm whose line is right below a logo and above its address: `mot·à·mot`, `Services Larivière inc.` */
const firmBelow = (
  context: PartyContext,
  name: Ranked<string>,
  firms: ReadonlyArray<Ranked<string>>
): Ranked<string> | undefined =>
  firms.find((firm) => firm.features?.addressBelow === 1 && isRightBelow(context, name, firm))

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
    const isOther = name.features?.likelyAddressee === 1
    const issuer = isOther
      ? (issuingFirm(context, name, all) ?? firmOfLogo(context, names, all))
      : (reachedFirm(context, name, all) ??
        registeredFirm(context, name, all) ??
        longerFirm(context, name, all) ??
        firmOfLogoForBare(context, name, names, all))
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
