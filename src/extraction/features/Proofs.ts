import { inCents } from "../../support/Cents.ts"
import { isKnownCreditNote } from "../candidates/CreditedInvoices.ts"
import { isInRowOfLabel, type Ranked } from "../candidates/Ranked.ts"
import type { Field } from "../lexicon/Field.ts"
import type { Reading } from "../layout/Reading.ts"
import { isCorrection } from "../sums/CorrectedSums.ts"
import { numberProofs } from "./NumberProofs.ts"
import type { FeatureName, Features } from "../Features.ts"
import { greatestAmount } from "../candidates/ValueFeatures.ts"
import { percentagesOf } from "../sums/Percentages.ts"

/** Documents print hundreds of amounts. Among more, some fit by chance, and comparing all of them takes long. */
const mostAmounts = 2_000

const isAbout = (one: number, two: number): boolean => Math.abs(one - two) <= 0.011 + 0.00002 * Math.abs(two)

/**
 * Whether a printed percentage leads from one printed amount to another in the way that the field says: a tax from its base, a
 * base to its tax, a total to the tax that it contains.
 */
const isByRate = (reading: Reading, field: Field, value: number): boolean => {
  const amounts = new Set(reading.money.map((amount) => Math.abs(amount.value)))
  const printed = amounts.size > mostAmounts ? [] : [...amounts].filter((amount) => amount > 0)
  const own = Math.abs(value)
  return percentagesOf(reading).some((rate) =>
    printed.some((amount) =>
      field.adds
        ? isAbout((amount * rate) / 100, own) || isAbout((amount * rate) / (100 + rate), own)
        : amount < own &&
          (isAbout((own * rate) / 100, amount) || isAbout((own * rate) / (100 + rate), amount))
    )
  )
}

/** A total with the tax and the base that it consists of. */
interface RatedSum {
  readonly base: number
  readonly tax: number
}

const ratedSums = new WeakMap<Reading, ReadonlyArray<RatedSum>>()

/** The pairs of printed amounts that add up to the greatest one, the smaller being a printed percentage of the other. */
const ratedSumsOf = (reading: Reading): ReadonlyArray<RatedSum> => {
  const known = ratedSums.get(reading)
  if (known !== undefined) return known
  const greatest = greatestAmount(reading)
  const amounts = new Set(reading.money.map(({ value }) => inCents(Math.abs(value))))
  const printed = amounts.size > mostAmounts ? [] : [...amounts]
  const sums = printed.flatMap((amount): ReadonlyArray<RatedSum> => {
    const [base, tax] = [amount / 100, (inCents(greatest) - amount) / 100]
    const isRated =
      tax > 0 &&
      amounts.has(inCents(tax)) &&
      percentagesOf(reading).some((rate) => isAbout((base * rate) / 100, tax))
    return isRated ? [{ base, tax }] : []
  })
  ratedSums.set(reading, sums)
  return sums
}

/**
 * Whether an amount has its part in the greatest printed sum of a base and its tax at a printed rate. A row of a tax breakdown
 * is such a sum as well, but not the greatest amount.
 */
const inGreatestSum = (reading: Reading, field: Field, value: number): boolean => {
  const own = Math.abs(value)
  return ratedSumsOf(reading).some(({ base, tax }) =>
    field.adds ? isAbout(tax, own) : isAbout(base, own) || isAbout(base + tax, own)
  )
}

const yes = (is: boolean): number => (is ? 1 : 0)

/** From which size, compared with the lines of the page, letters are larger (0.1: a tenth). */
const larger = 0.1
const farLarger = 0.3
const insideBlock = 0.8

/** What the block of a seller has, or where else its name is. */
const shown = [
  "registrationBelow",
  "contactBelow",
  "inDomain",
  "printedAgain",
  "ownLabel",
  "ownBlock"
] as const

/**
 * How the seller of a document shows itself besides the score of its name: nobody prints a customer larger than the rest.
 * Recognition loses the small print with a seller's name, and letters seem larger than they are: a recognised name that nothing shows
 * to be the seller's may be the customer's.
 */
export const nameProofs = ({ features }: Ranked, others: ReadonlyArray<Ranked>): Features => {
  const has = (name: FeatureName): number => features?.[name] ?? 0
  const size = has("large")
  const isRegistered = has("registrationBelow") === 1
  // A customer is not printed smaller than a seller who is registered as well; a sole trader has no legal form.
  const isAnotherLarger = others.some(
    ({ features: other }) =>
      (other?.large ?? 0) - Math.max(0, size) >= farLarger &&
      other?.registrationBelow === 1 &&
      other.rivalLabel === 0 &&
      other.rivalBlock === 0
  )
  const isLabelled = has("ownLabel") >= insideBlock || has("ownBlock") >= insideBlock
  const isAnotherRegistered = others.some((other) => other.features?.registrationBelow === 1)
  return {
    larger: yes(size >= larger),
    letterhead: yes(size >= larger && has("form") === 1 && has("firstOfBlock") === 1),
    // The sender's line in small print above the window of an envelope.
    senderLine: has("senderLine"),
    // A firm that shares a word with the name may be the seller instead.
    relatedFirm: has("relatedFirm"),
    largerRival: yes(isAnotherLarger && !isLabelled),
    // Who issues a document for another firm is not its seller.
    agent: has("agent"),
    unshown: yes(has("wordDoubt") > 0 && shown.every((name) => has(name) === 0)),
    // A logo in large letters may be unlike the name of its firm, which may be anywhere or in words that are not known.
    logo: yes(
      has("bare") === 1 &&
        size >= farLarger &&
        !isRegistered &&
        has("ownLabel") < insideBlock &&
        has("ownBlock") < insideBlock
    ),
    onlyRegistered: yes(size >= farLarger && isRegistered && !isAnotherRegistered),
    sellersBlock: yes(has("ownBlock") >= insideBlock && has("form") === 1 && isRegistered)
  }
}

/** What a document says of its country. A register alone is not enough for a sign that several countries share. */
const strong: ReadonlyArray<FeatureName> = ["iban", "vatId", "place"]
const weak: ReadonlyArray<FeatureName> = ["register", "domain", "language", "phone"]

const count = ({ features }: Ranked, names: ReadonlyArray<FeatureName>): number =>
  names.filter((name) => (features?.[name] ?? 0) > 0).length

/** Whether a currency has a sign that others share, how many signs of its country, and whether another currency has any. */
const currencyProofs = (chosen: Ranked, others: ReadonlyArray<Ranked>): Features => ({
  sharedSign: (chosen.features?.sharedSignRows ?? 0) > 0 ? 1 : 0,
  otherTotals: chosen.features?.otherTotals ?? 0,
  strongSigns: count(chosen, strong),
  rivalSigns: others.some((other) => count(other, [...strong, ...weak]) > 0) ? 1 : 0
})

/** From which product of match and weight a label is one of the field's own, as the lexicon has it. */
const ownLabel = 0.9

const labelOf = ({ features = {} }: Ranked): number =>
  (features.labelQuality ?? 0) * (features.labelWeight ?? 0)

/** More than the rounding of a total to what coins there are. */
const mostRounding = 0.05
/** How near the score of a greater amount is to that of the chosen one if both fit, in the row of a label and elsewhere. */
const nearIfLabelled = 0.1
const near = 0.05

/** Whether a greater amount fits as well, or is in the row of a label of the same field and fits nearly as well. */
const hasGreaterRival = (chosen: Ranked, others: ReadonlyArray<Ranked>): boolean =>
  others.some(
    (other) =>
      Number(other.value) > Number(chosen.value) + mostRounding &&
      other.score > chosen.score - (isInRowOfLabel(other) ? nearIfLabelled : near)
  )

const namedFields = new WeakMap<Reading, number>()

/** How many fields have a label of their own, exactly as the lexicon has it, somewhere in the document. */
const labelsKnown = (reading: Reading): number => {
  const known = namedFields.get(reading)
  if (known !== undefined) return known
  const fields = new Set(
    reading.labels
      .filter(({ label, quality }) => label.names && quality * label.weight >= ownLabel)
      .map(({ label }) => label.field)
  )
  namedFields.set(reading, fields.size)
  return fields.size
}

/** More words than a label has in front of a value, in the same run of words. */
const wordsOfSentence = 4

const isInSentence = ({ pages }: Reading, { span }: Ranked): boolean => {
  const row = pages[span.page]?.rows[span.row] ?? []
  const phrase = row[span.from]?.phrase
  return row.slice(0, span.from).filter((token) => token.phrase === phrase).length >= wordsOfSentence
}

/** What supports a value independently of its score, and what other values have as much support. */
export const proofs = (
  reading: Reading,
  field: Field,
  chosen: Ranked,
  others: ReadonlyArray<Ranked>
): Features => ({
  ownLabel: labelOf(chosen) >= ownLabel ? 1 : 0,
  inSentenceOfCredit:
    field.preset === "invoice.dueDate" && isInSentence(reading, chosen) && isKnownCreditNote(reading) ? 1 : 0,
  rivalLabel: others.some((other) => labelOf(other) >= ownLabel) ? 1 : 0,
  ...(typeof chosen.value === "number"
    ? {
        byRate: isByRate(reading, field, chosen.value) ? 1 : 0,
        greaterRival: hasGreaterRival(chosen, others) ? 1 : 0,
        notZero: chosen.value === 0 ? 0 : 1,
        inGreatestSum: inGreatestSum(reading, field, chosen.value) ? 1 : 0
      }
    : {}),
  labelsKnown: Math.min(8, labelsKnown(reading)),
  corrected: field.unsigned && field.type === "money" && isCorrection(reading) ? 1 : 0,
  negative: field.unsigned && Number(chosen.value) < 0 ? 1 : 0,
  ...(field.type === "identifier" ? numberProofs(reading, chosen) : {}),
  ...(field.finder === "seller" ? nameProofs(chosen, others) : {}),
  ...(field.finder === "currency" ? currencyProofs(chosen, others) : {})
})
