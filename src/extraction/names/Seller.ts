import { brokenNames } from "./BrokenNames.ts"
import { wrappedNames } from "./WrappedNames.ts"
import { isBankOfAccount } from "./BankOfAccount.ts"
import { wholeOfDashed } from "./DashedName.ts"
import { withoutFalseSpaces } from "./FalseSpaces.ts"
import type { Finder } from "./Finder.ts"
import type { Candidate } from "../layout/Candidate.ts"
import type { Field } from "../lexicon/Field.ts"
import { best, type Ranked } from "../candidates/Ranked.ts"
import { isForm, type NameWords } from "../lexicon/NameWords.ts"
import { namesIn } from "../layout/NamesIn.ts"
import { textOfWords } from "../../domain/LineText.ts"
import { clearBlock, clearLabel, completedName } from "./CompletedName.ts"
import type { Features } from "../Features.ts"
import type { LabelMatch } from "../layout/LabelMatches.ts"
import { around, tokensOf } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { segmentsOf, standsAlone } from "../layout/Segments.ts"
import { leastScore, rankingScore } from "../models/RankingWeights.ts"
import { upToForm, withMendedForm, withoutNameLabel, withoutStars } from "./NameEnds.ts"
import { blockAround, vatIdsBelow } from "./NameBlock.ts"
import { nameLengths } from "./NameLengths.ts"
import { partyInForm, type Party } from "./OfficialForms.ts"
import { footOf, isLikelyAddressee } from "./PageFoot.ts"
import { firmBehind } from "./RelatedFirm.ts"
import { companyTradingAs } from "./TradingName.ts"
import { partyContext, partyFeatures } from "./PartyFeatures.ts"
import { isSameVatId, payeeVatIds } from "./PayeeVatIds.ts"
import { beginsTitle, printedWhole } from "./PrintedWhole.ts"

/** `9187-4420 Québec inc.`, `1234567 Ontario Ltd.`: companies of Canada may have a number for a name. */
const numbered = /^(?:\d{4}-\d{4}|\d{6,8}) \p{Lu}/u

/** Reduces `Firm - Street 1 - Town`, `Firm Ltd, Street 1`, `Firm e.U., Inhaber Jo Doe` or `Firm Ltd. Registered in Wales` to the firm. */
const firstPart = (words: NameWords, text: string): string => {
  const isQuoted = /^[^„«]+[„«][^„«]+[“”»]$/u.test(text)
  if ((numbered.test(text) || isQuoted) && words.endsInForm(text)) return text
  const part = (text.split(/\s[-–—|•·●]\s|\s{2,}|, \d|\s?[-–—|•·●]\s?(?=\d)/u)[0] ?? text).trim()
  // `CONSTRUÇÕES LTDA – ME`: a second form, which ends the name, may have a dash before it.
  const [, second = ""] = /^\s[-–—]\s(.+)$/u.exec(text.slice(part.length)) ?? []
  if (words.endsInForm(part) && isForm(words, second)) return text
  const pieces = part.split(", ")
  // `Firm, Inc., PO Box 12`: the form may have a comma before it.
  for (const end of [1, 2]) {
    const name = pieces.slice(0, end).join(", ")
    const isBehind = (line: string) => /\d/u.test(line) || words.beginsWithOwner(line)
    if (pieces.slice(end).some(isBehind) && words.endsInForm(name)) return name
  }
  return upToForm(words, part)
}

/** `東海運輸株式会社 御中`: in some languages, the form of address comes behind the name. */
const isAddressee = (words: NameWords, value: string): boolean => {
  const [, last] = /\s(\S+)$/u.exec(value) ?? []
  return (last !== undefined && words.isHonorific(last)) || /(?:御中|귀중|귀하)$/u.test(value)
}

/** `合同会社あおぞら出版   御中`: the form of address is apart from the name, in its row. */
const isAddressedApart = ({ pages }: Reading, { span }: Candidate): boolean =>
  /^(?:御中|귀중|귀하)$/u.test(pages[span.page]?.rows[span.row]?.[span.to + 1]?.text ?? "")

/** `Inh. Holger Zschunke e.K.`: with its legal form, the owner is the company. */
const withoutOwner = (words: NameWords, text: string): string =>
  words.beginsWithOwner(text) && words.endsInForm(text) ? text.replace(/^\P{L}*\p{L}+[.:]?\s*/u, "") : text

/** `A division of Piedmont Distributors, LLC`, below the name of the division: the company is behind the words. */
const withoutTradingName = (words: NameWords, text: string): string => words.afterTradingNameOf(text) ?? text

const isRecognised = ({ pages }: Reading, { span }: Candidate): boolean =>
  pages[span.page]?.rows[span.row]?.[span.to]?.confidence !== undefined

/** How small letters are, compared with those in front of them, that are no part of the same name. */
const smaller = 0.85

/** A line up to a legal form behind which smaller letters say what the firm does: `GARAGE DES REMPARTS SÀRL` of a letterhead. */
const upToLargeForm = (
  reading: Reading,
  words: NameWords,
  candidate: Candidate<string>
): Candidate<string> => {
  const tokens = tokensOf(reading.pages, candidate.span)
  const end = tokens.findIndex(
    ({ h }, at) =>
      h < smaller * (tokens[at - 1]?.h ?? 0) && words.endsInForm(textOfWords(tokens.slice(0, at)))
  )
  if (end < 1) return candidate
  const text = textOfWords(tokens.slice(0, end))
  const span = { ...candidate.span, to: candidate.span.from + end - 1 }
  return { ...candidate, span, bbox: around(tokens.slice(0, end)), text, value: text }
}

const mostWords = 8
const mostLetters = 70
const mostWordsWithForm = 12
const mostLettersWithForm = 100

/** Whether a text is no longer than names are: those of companies may be long, `MATERIALES Y FERRETERIA EL YUNQUE DE ORO SA DE CV`. */
const isShort = (words: NameWords, value: string): boolean => {
  if (value.length > mostLettersWithForm) return false
  const all = value.split(/\s+/u).filter((word) => /[\p{L}\p{N}]/u.test(word))
  if (all.length <= mostWords && value.length <= mostLetters) return true
  const name = words.withoutForm(words.withoutForm(value)).split(/\s+/u)
  const areNames = name.every((word) => /^[\p{Lu}\p{N}("'„&]/u.test(word) || words.goesOn(word))
  // `Firm Ltd and Other Firm LLC` are two.
  const areSeveral = name.some((_, at) => at > 0 && words.endsInForm(name.slice(0, at + 1).join(" ")))
  return all.length <= mostWordsWithForm && areNames && !areSeveral && words.endsInForm(value)
}

/** An amount in Chinese words: `捌仟陆佰贰拾柒元整`. */
const isAmountInWords = (value: string): boolean =>
  /^[⊗⊕]?\s?[零〇壹贰貳叁參肆伍陆陸柒捌玖拾佰仟万萬亿億元圆圓角分整正]+$/u.test(value)

const isPossible = (words: NameWords, value: string): boolean =>
  (value.match(/\p{L}/gu)?.length ?? 0) >= 3 &&
  isShort(words, value) &&
  !words.isTitle(value) &&
  !isForm(words, value) &&
  !words.isNameLabel(value) &&
  !words.isContact(value) &&
  !isAmountInWords(value) &&
  !words.beginsTradingAs(value) &&
  (!/^\d/u.test(value) || (numbered.test(value) && words.endsInForm(value))) &&
  !isAddressee(words, value)

/** `Firma` above an address, without a colon, is a form of address and no label of the seller. */
const isFormOfAddress = (reading: Reading, { span }: LabelMatch): boolean => {
  const text = textOfWords(tokensOf(reading.pages, span))
  return namesIn(reading).isHonorific(text) && !text.endsWith(":")
}

const contextOf = (reading: Reading, field: Field) =>
  partyContext(
    reading,
    reading.labels.filter(
      (match) =>
        match.label.field === field.name &&
        standsAlone(reading, match) &&
        !(match.label.names && isFormOfAddress(reading, match))
    )
  )

const propose = (reading: Reading, field: Field): ReadonlyArray<Ranked<string>> => {
  const context = contextOf(reading, field)
  const segments = segmentsOf(reading, new Set([0, reading.pages.length - 1]))
  const wrapped = [
    ...wrappedNames(segments, context.words, reading.pages),
    ...brokenNames(segments, context.words, reading.pages)
  ]
  const parts = new Set(wrapped.flatMap(({ first, last }) => [first, last]))
  const whole = segments
    .filter((segment) => !parts.has(segment))
    .map((segment) => upToLargeForm(reading, context.words, segment))
  const found = [...whole, ...wrapped.map(({ joined }) => joined)].flatMap((candidate) => {
    // A label is no name.
    if (candidate.text.endsWith(":") || beginsTitle(context, candidate)) return []
    const { words } = context
    const printed = withoutOwner(
      words,
      firstPart(words, withoutTradingName(words, withoutNameLabel(words, withoutStars(candidate.value))))
    )
    const value = isRecognised(reading, candidate) ? withMendedForm(words, printed) : printed
    const name = { ...candidate, value }
    const isOther =
      isBankOfAccount(reading, words, name) ||
      isAddressedApart(reading, name) ||
      isOwnerOfFirm(reading, words, candidate)
    return isPossible(words, value) && !isOther ? [name] : []
  })
  const paid = payees(reading, found)
  const isKnown = [...paid.values()].includes(true)
  const names = isKnown ? found.filter((name) => paid.get(name) !== false) : found
  const lengths = nameLengths(reading.lexicon, names)
  const foot = footOf(context)
  const partyOf = partyInForm(reading)
  const featured = names.map((name) => ({
    name,
    own: {
      ...partyFeatures(context, name, name.value),
      ...lengths(name),
      ...labelsOf(partyOf?.(name))
    }
  }))
  const customers = labelledAsCustomers(reading, featured)
  return featured.map(({ name, own }): Ranked<string> => {
    const isOther =
      (context.others.length === 0 && isLikelyAddressee(context, foot, name.value, own)) ||
      (customers.has(reading.lexicon.fold(name.value)) && headsOnlyAddress(own)) ||
      paid.get(name) === false
    const features = { ...own, likelyAddressee: isOther ? 1 : 0 }
    return Object.assign(name, { features, score: rankingScore(field, features) })
  })
}

/** The place of a name on an official form is as good as a label. */
const labelsOf = (party: Party | undefined): Features =>
  party === undefined
    ? {}
    : party === "own"
      ? { ownLabel: 1, ownBlock: 1, rivalLabel: 0, rivalBlock: 0 }
      : { ownLabel: 0, ownBlock: 0, rivalLabel: 1, rivalBlock: 1 }

/** Whether a label right next to a name, or above it, is one of the seller or of the other party. */
const isLabelledAs = (
  { ownBlock = 0, ownLabel = 0, rivalLabel = 0 }: Features,
  party: "own" | "rival"
): boolean => (party === "own" ? ownLabel >= clearLabel || ownBlock >= clearBlock : rivalLabel >= clearLabel)

/** Whether a name heads an address, as customers do, and nothing says how it is reached or registered, or that it is the seller's. */
const headsOnlyAddress = (own: Features): boolean =>
  own.addressBelow === 1 &&
  [own.contactBelow, own.registrationBelow, own.senderLine, own.inDomain, own.foot].every((is) => is !== 1) &&
  !isLabelledAs(own, "own")

/** The names that are behind a label of the other party somewhere, folded: `Titular: Hotel Mas Oriol, S.L.`, which heads its address as well. */
const labelledAsCustomers = (
  { lexicon }: Reading,
  names: ReadonlyArray<{ readonly name: Candidate<string>; readonly own: Features }>
): ReadonlySet<string> =>
  new Set(
    names.flatMap(({ name, own }) =>
      isLabelledAs(own, "rival") && !isLabelledAs(own, "own") ? [lexicon.fold(name.value)] : []
    )
  )

/** The forms of firms that are one person. */
const ofOnePerson = /(?:^|\s)(?:e\.? ?K\.?|e\.? ?Kfm\.?|e\.? ?Kfr\.?|e\.? ?U\.?|s\.? ?p\.?|EI|EIRL)$/u

/** `Inh. Holger Zschunke e.K.` below `Tischlerei Holger Zschunke`; the owner in `Prop. Ahearne Services Ltd` is the firm. */
const isOwnerOfFirm = (reading: Reading, words: NameWords, name: Candidate<string>): boolean => {
  const page = reading.pages[name.span.page]
  const owner = withoutOwner(words, name.text)
  if (owner !== name.text && !ofOnePerson.test(owner)) return false
  return words.beginsWithOwner(name.text) && page !== undefined && !blockAround(page, name, words).first
}

/** Whether each name is of the one who is paid, by the VAT number below it and next to the account; undefined where it is open. */
const payees = (
  reading: Reading,
  names: ReadonlyArray<Candidate<string>>
): ReadonlyMap<Candidate<string>, boolean> => {
  const payee = payeeVatIds(reading)
  if (payee.length === 0) return new Map()
  return new Map(
    names.flatMap((name) => {
      const page = reading.pages[name.span.page]
      const vatIds = page === undefined ? [] : vatIdsBelow(page, name)
      return vatIds.length === 0
        ? []
        : [[name, vatIds.some((id) => payee.some((own) => isSameVatId(id, own)))] as const]
    })
  )
}

/** Ranks what could be the name of the one who issued the document: it is on the first page or the last. */
export const sellersOf = (reading: Reading, field: Field): Array<Ranked<string>> => {
  const proposed = propose(reading, field)
  const ranked = best(proposed).filter(({ score }) => score >= leastScore(field))
  const [first, ...others] = ranked
  if (first === undefined) return ranked
  const context = contextOf(reading, field)
  const named = companyTradingAs(
    context,
    completedName(context, withoutFalseSpaces(context, printedWhole(context, first)))
  )
  const firm = wholeOfDashed(context, firmBehind(context, named, proposed))
  return [firm, ...others.filter(({ value }) => value !== firm.value)]
}

/** Finds the name of the one who issued the document, by its place, its words and the labels of parties. */
export const sellerFinder: Finder = { find: sellersOf, propose }
