import type { Field } from "../lexicon/Field.ts"
import type { FeatureName, Features } from "../Features.ts"

/** Below which score, and which lead over the next value, a value that labels find needs more than its score. */
const leastScore = 0.6
const leastLead = 0.15
/** The same for names of sellers, in log-odds. */
const leastLeadOfName = 2.5
const clearLeadOfName = 3.5
/** With fewer labels that the lexicon knows, wording or layout are new to the rules. */
const fewLabels = 3
const hardlyAny = 2
/** Labels of numbers: `No` has 2 letters of 16. And the lead of a value with an exact label of its field. */
const shortLabel = 0.18
const clearLead = 0.25

type Rule = (has: (name: FeatureName) => number, field: Field) => boolean

/** A sum that breaks a relation; an amount with a minus in a document that does not say that it is a credit note. */
const contradicted: Rule = (has) => has("violates") > 0 || has("negative") === 1

/** An amount without a label of its own and without a printed rate that leads to it. */
const unprovenAmount: Rule = (has, { adds }) =>
  has("ownLabel") === 0 && has("byRate") === 0 && (adds || has("labelsKnown") < fewLabels)

/** Another amount has a label of this field, as exact as its own, and no sum and rate decide between them. */
const ambiguousAmount: Rule = (has, { adds }) =>
  has("rivalLabel") === 1 &&
  (adds || (has("base") === 0 && has("ofColumn") === 0 && (has("agrees") < 1 || has("byRate") === 0)))

/**
 * A net amount that neither a label of its own nor a printed rate proves: `MERCHANDISE` above `FREIGHT` is only a part of it, and the
 * greatest amount is rather the total of what is not taxed.
 */
const unlabelledNet: Rule = (has, { preset }) =>
  preset === "invoice.subtotal" &&
  has("ownLabel") === 0 &&
  has("byRate") === 0 &&
  (has("inGreatestSum") === 0 || has("greatest") === 1)

/** The day to pay by in a sentence of a credit note is rather that of what is still open on the account, or of the next invoice. */
const unprovenDate: Rule = (has) =>
  has("inSentenceOfCredit") === 1 ||
  (has("ownLabel") === 0 && has("alone") === 0) ||
  (has("labelled") === 0 && has("labelsKnown") < hardlyAny)

/** An exact label that may mean something else (`Invoice`), of more than two letters, and no value near it in score. */
const hasExactLabel = (has: (name: FeatureName) => number): boolean =>
  has("labelled") === 1 &&
  has("labelDoubt") < 0.01 &&
  has("longLabel") > shortLabel &&
  has("gap") >= clearLead

const unprovenNumber: Rule = (has) =>
  has("rivalLabel") === 1 ||
  has("behindLetters") === 1 ||
  has("ofInvoice") === 1 ||
  (has("ownLabel") === 0 &&
    !hasExactLabel(has) &&
    (has("alone") === 0 ||
      has("labelled") === 0 ||
      has("recognised") === 1 ||
      has("labelsKnown") < hardlyAny))

/** Numbers of documents look alike: a label says more than their score. */
const closeNumber: Rule = (has) =>
  has("gap") < leastLead || (has("ownLabel") === 0 && !hasExactLabel(has) && has("score") < leastScore)

/**
 * A recognised name that nothing shows to be the seller's, without a clear lead, may be the customer's; of a name without a legal form
 * and a firm that shares a word with it, either may be the seller; an agent is none; a sole trader
 * in larger letters may be; a logo may be no name at all.
 */
export const mayBeAnother = (has: (name: FeatureName) => number): boolean =>
  has("relatedFirm") === 1 ||
  has("agent") === 1 ||
  has("largerRival") === 1 ||
  has("logo") === 1 ||
  (has("unshown") === 1 && has("gapOdds") < clearLeadOfName)

const unprovenSeller: Rule = (has) =>
  has("gapOdds") < leastLeadOfName || has("labelsKnown") === 0 || mayBeAnother(has)

/** A recognised sign or code of another country than the one that the document is from. */
const misreadCurrency: Rule = (has) => has("recognised") === 1 && has("foreign") === 1

/** Amounts are converted at a printed rate, and the row of a sum names the other currency: either may be the document's. */
const otherTotals: Rule = (has) => has("otherTotals") === 1

/** Cash or change that no sum proves, and cash that is not the total either: `Bar` is cash in German, and a bar on the bill of a hotel. */
const unprovenTender: Rule = (has, { preset }) =>
  (preset === "receipt.cash" || preset === "receipt.change") &&
  has("agrees") < 1 &&
  has("inSum") === 0 &&
  has("printedAgain") === 0

const close: Rule = (has) => has("score") < leastScore || has("gap") < leastLead

const rulesOf = ({ finder, preset, type }: Field): ReadonlyArray<Rule> => {
  // Receipts print their shop, date and total without labels, and have been measured on their own.
  if (preset?.startsWith("receipt.") === true) return type === "money" ? [contradicted, unprovenTender] : []
  if (finder === "seller") return [unprovenSeller]
  if (finder === "currency") return [misreadCurrency, otherTotals]
  if (finder !== "label") return []
  if (type === "money") return [contradicted, unprovenAmount, ambiguousAmount, unlabelledNet, close]
  if (type === "date") return [unprovenDate, close]
  return type === "identifier" ? [unprovenNumber, closeNumber] : []
}

/** The doubt about a word from which one in five dates and names of receipts is misread. */
const doubtedWord = 0.2

/** Whether an amount is in a sum that holds, of the flow's relations or of the payments of a receipt. */
const isInSum = (features: Features): boolean => (features.agrees ?? 0) >= 1 || features.inSum === 1

/**
 * Whether a value of a recognised receipt may be misread without anything to show it: a date or a name with a doubted word, or a
 * total that is printed once and fits into no sum.
 */
export const mayBeMisread = ({ preset, type }: Field, features: Features): boolean => {
  if (preset?.startsWith("receipt.") !== true || features.recognised !== 1) return false
  return type === "money"
    ? (features.printedAgain ?? 0) === 0 && !isInSum(features)
    : (features.wordDoubt ?? 0) > doubtedWord
}

/**
 * Whether the total of a receipt may be only a part of what was paid: a greater amount fits as well, and the line between the two,
 * such as a tip or a voucher, is unknown or was lost in recognition.
 */
export const mayBePartOfTotal = ({ pointOfSale }: Field, features: Features): boolean =>
  pointOfSale && features.greaterRival === 1 && !isInSum(features)

/**
 * Whether a value of a receipt that was read as an invoice is one that receipts have not, such as a due date, or a part of its
 * total that no relation proves. `26.95` is hardly the sum before taxes where it is the greatest amount.
 */
export const isUnprovenOfReceipt = ({ preset }: Field, features: Features): boolean => {
  if (preset === "invoice.dueDate") return true
  if (preset !== "invoice.subtotal" && preset !== "invoice.taxAmount") return false
  const isInSum = (features.agrees ?? 0) >= 1 && (features.greatest ?? 0) === 0
  return !isInSum && features.inGreatestSum !== 1
}

/**
 * Whether a value lacks support that is independent of its score: a label of its own that no rival has as well, sums and
 * rates that lead to it, a clear lead, and a document whose wording the rules know. Weights are fitted on documents whose
 * layouts resemble each other. On others, values without this support are wrong far more often.
 */
export const isUnsupported = (field: Field, features: Features): boolean =>
  rulesOf(field).some((rule) => rule((name) => features[name] ?? 0, field))
