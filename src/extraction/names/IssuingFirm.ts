import type { Ranked } from "../candidates/Ranked.ts"
import { textOfWords } from "../../domain/LineText.ts"
import { clearBlock, clearLabel } from "./CompletedName.ts"
import { isReachedBelow, registered } from "./NameBlock.ts"
import type { PartyContext } from "./PartyFeatures.ts"
import { isForm } from "../lexicon/NameWords.ts"

const separator = /^[-–—·•|,]$/u
/** The most words of a legal form: `S.A. de C.V.` */
const mostWords = 4

/** Whether a line begins with a name and goes on with its legal form, apart from it: `ADR RÉCEPTION – SARL au capital de 15 000 €`. */
export const isBeforeForm = ({ reading, words }: PartyContext, { span }: Ranked<string>): boolean => {
  const row = reading.pages[span.page]?.rows[span.row] ?? []
  if (span.from > 0 || !separator.test(row[span.to + 1]?.text ?? "")) return false
  const behind = row.slice(span.to + 2, span.to + 2 + mostWords)
  return behind.some((_, at) => {
    // `Sitz Verl · AG Gütersloh`: a name behind it may make something else of it.
    const next = row[span.to + at + 3]?.text ?? ""
    return !/^\p{Lu}/u.test(next) && isForm(words, textOfWords(behind.slice(0, at + 1)))
  })
}

/** Whether a line begins with a name that is printed elsewhere too and goes on with its registration: `Avv. Ilaria Castellani – C.F. CST …`. */
export const isBeforeRegistration = (
  { reading, words }: PartyContext,
  { features = {}, span }: Ranked<string>
): boolean => {
  const row = reading.pages[span.page]?.rows[span.row] ?? []
  if (span.from > 0 || features.printedAgain !== 1 || !separator.test(row[span.to + 1]?.text ?? ""))
    return false
  return words.beginsRegistration(textOfWords(row.slice(span.to + 2)))
}

/** A sign that a firm is the one that issues a document. */
type Sign = (context: PartyContext, firm: Ranked<string>) => boolean

/** Whether the block of a firm says how it is reached. */
const isReached: Sign = ({ reading, words }, firm) => {
  const page = reading.pages[firm.span.page]
  return page !== undefined && isReachedBelow(page, firm, words)
}

/** Whether a name itself heads the address and the registration of somebody without a legal form, who may be a person. */
const headsRegistration = ({ features = {} }: Ranked<string>): boolean =>
  features.registrationBelow === 1 && features.addressBelow === 1 && features.formBelow !== 1

/**
 * The only firm whose block says how it is reached, for one with an address and a registration and nothing else: customers print no
 * telephone number.
 */
export const reachedFirm = (
  context: PartyContext,
  name: Ranked<string>,
  firms: ReadonlyArray<Ranked<string>>
): Ranked<string> | undefined => {
  const { features = {} } = name
  const isOwn =
    (features.ownLabel ?? 0) >= clearLabel ||
    (features.ownBlock ?? 0) >= clearBlock ||
    features.senderLine === 1 ||
    features.printedAgain === 1
  if (isOwn || !headsRegistration(name) || isReached(context, name)) return undefined
  const [firm, ...others] = firms.filter(
    (other) => other.value !== name.value && other.features?.addressBelow === 1 && isReached(context, other)
  )
  return others.length === 0 ? firm : undefined
}

/** Whether nothing but an address says anything of a firm: no label, no registration, no telephone number, no web address. */
export const isBare: Sign = (context, firm) =>
  firm.features?.registrationBelow !== 1 &&
  firm.features?.contactBelow !== 1 &&
  firm.features?.senderLine !== 1 &&
  firm.features?.inDomain !== 1 &&
  firm.features?.laterPage !== 1 &&
  !isLabelled(context, firm) &&
  !isReached(context, firm)

/**
 * The only firm above its address, registration and telephone number, or in a line or in the columns of the foot that say how it is
 * registered, for one with an address and nothing else, as customers have it.
 */
export const registeredFirm = (
  context: PartyContext,
  name: Ranked<string>,
  firms: ReadonlyArray<Ranked<string>>
): Ranked<string> | undefined => {
  if (name.features?.addressBelow !== 1 || !isBare(context, name)) return undefined
  const [firm, ...others] = firms.filter(
    (other) =>
      other.value !== name.value &&
      (other.features?.printedAgain ?? 0) >= (name.features?.printedAgain ?? 0) &&
      (isRegisteredInFoot(context, other) ||
        isInFoot(context, other) ||
        (other.span.page === name.span.page && isReachedAboveRegistration(context, other)))
  )
  return others.every(({ value }) => value === firm?.value) ? firm : undefined
}

/** The headings of a table may be under the label of something else, `Verkäufer` of the person who sold it: they are many in a row. */
const isLabelled: Sign = (_, { features: { amongMany = 0, ownBlock = 0, ownLabel = 0 } = {} }) =>
  (ownBlock >= clearBlock && amongMany === 0) || ownLabel >= clearLabel

/** `Firm GmbH · FN 318842 k · VAT ATU64490218 · IBAN …`: a line begins with it and goes on with what it is registered by. */
const isRegisteredInLine: Sign = ({ reading }, { span, text, value }) => {
  const row = reading.pages[span.page]?.rows[span.row] ?? []
  const [last, next] = [row[span.to], row[span.to + 1]]
  // What is in another column is not about the firm.
  const goesOn = next !== undefined && (separator.test(next.text) || next.phrase === last?.phrase)
  const behind = goesOn ? textOfWords(row.slice(span.to + 1)) : ""
  // `Firm Limited, registered in Wales 09440127.` is one phrase, of which the name is the beginning.
  const inPhrase = text.startsWith(value) ? text.slice(value.length) : ""
  return span.from === 0 && registered.test(`${inPhrase} ${behind}`)
}

const isAboveRegistration: Sign = (_, { features = {} }) =>
  features.addressBelow === 1 && features.registrationBelow === 1

/** The last rows of a page, where no customer is. */
const rowsOfFoot = 6

/** Where the lower part of a page begins, as a share of its rows. */
const lowerPart = 0.6

/** A line of the lower part of a page begins with it and goes on with what it is registered by. */
const isRegisteredInFoot: Sign = (context, firm) =>
  firm.span.row > lowerPart * (context.reading.pages[firm.span.page]?.rows.length ?? 0) &&
  isRegisteredInLine(context, firm)

/** In the columns of a foot: `Firm OÜ     Reg. no. 12774310     Tel. 5330 8127`. */
const isInFoot: Sign = ({ reading, words }, { span }) => {
  const rows = reading.pages[span.page]?.rows ?? []
  const text = textOfWords(rows[span.row] ?? [])
  return span.row >= rows.length - rowsOfFoot && words.isContact(text) && registered.test(text)
}

const isReachedAboveRegistration: Sign = (context, firm) =>
  isAboveRegistration(context, firm) && isReached(context, firm)

/** The clearest first. */
const signs: ReadonlyArray<Sign> = [isLabelled, isRegisteredInLine, isInFoot]

/**
 * The only firm with the clearest sign that it issues the document, for a name without a legal form. The firms are those that are not
 * the other party's. Of several side by side the first: `Firm GmbH & Co. KG     Partner: Firm Verwaltungs GmbH`.
 */
export const issuingFirm = (
  context: PartyContext,
  name: Ranked<string>,
  firms: ReadonlyArray<Ranked<string>>
): Ranked<string> | undefined => {
  const plain = ({ value }: Ranked<string>): string => context.reading.lexicon.fold(value)
  for (const has of headsRegistration(name)
    ? signs
    : [...signs, isReachedAboveRegistration, isAboveRegistration]) {
    const [firm, ...others] = firms
      .filter((candidate) => has(context, candidate))
      .toSorted((a, b) => a.span.from - b.span.from)
    if (firm === undefined) continue
    const areOne = others.every(
      (other) =>
        plain(other) === plain(firm) ||
        (other.span.page === firm.span.page && other.span.row === firm.span.row)
    )
    return areOne ? firm : undefined
  }
  return undefined
}
