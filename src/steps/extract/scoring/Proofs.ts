import { isKnownCreditNote } from "../candidates/CreditedInvoices.ts"
import { isInRowOfLabel, type Ranked } from "../candidates/Ranked.ts"
import type { Field } from "../Field.ts"
import type { Reading } from "../page/Reading.ts"
import { isCorrection } from "../relations/CorrectedSums.ts"
import { currencyProofs } from "./CurrencyProofs.ts"
import { numberProofs } from "./NumberProofs.ts"
import type { Features } from "./Scoring.ts"
import { nameProofs } from "./NameProofs.ts"
import { inGreatestSum, isByRate } from "./SumProofs.ts"

/** From which product of match and weight a label is one of the field's own, as the lexicon has it. */
const ownLabel = 0.9

const labelOf = ({ features = {} }: Ranked): number =>
  (features["labelQuality"] ?? 0) * (features["labelWeight"] ?? 0)

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
