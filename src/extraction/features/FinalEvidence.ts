import { defined } from "../../support/Defined.ts"
import { type FieldEvidence, missing, sureFrom } from "../../domain/Evidence.ts"
import { meaningsOf } from "../lexicon/CurrencySigns.ts"
import type { Field } from "../lexicon/Field.ts"
import type { Reading } from "../layout/Reading.ts"
import { placeKey } from "../layout/Candidate.ts"
import { isLabelled, type Ranked } from "../candidates/Ranked.ts"
import type { Chosen } from "../sums/Sums.ts"
import type { Features } from "../Features.ts"
import { markOf } from "../names/CurrencyField.ts"
import { choiceFeatures, isInOther } from "./ChoiceFeatures.ts"
import { confidenceKind } from "../models/ConfidenceTrees.ts"
import { learnedConfidence } from "./Confidence.ts"

/** The chosen candidate of a field with all others, and the evidence by its score alone. */
export interface Settled {
  readonly evidence: FieldEvidence
  readonly ranked: ReadonlyArray<Ranked>
  readonly chosen: Ranked | Chosen | undefined
}

/**
 * What a document need not print, and the confidence below which the best of what is there is rather not the value. Names and
 * the days of letters have no labels as a rule, and the amount of a receipt is always printed.
 */
const leastUnlabelled: Readonly<Record<string, number>> = { money: 0.3, identifier: 0.3 }
const leastLabelled = 0.2

/**
 * A labelled amount takes the place of the chosen one if it is surer by so much, and likelier right than not; sure, where a printed
 * rate and a sum lead to the chosen one.
 */
const leastOther = 0.5
const surerBy = 0.1

const isGiven = (field: Field, { labelled }: Features, confidence: number): boolean => {
  const least = leastUnlabelled[confidenceKind(field)] ?? 0
  return confidence >= (labelled === 1 ? Math.min(leastLabelled, least) : least)
}

/** The share of the fields that have a value: a document of another kind has few of them. */
const shareFound = (settled: ReadonlyMap<string, Settled>): number => {
  const values = [...settled.values()]
  return values.filter(({ chosen }) => chosen !== undefined).length / Math.max(1, values.length)
}

/** The currency of the document, if it is asked for and printed. */
const currencyIn = (
  fields: ReadonlyArray<Field>,
  settled: ReadonlyMap<string, Settled>
): string | undefined => {
  const field = fields.find(({ finder }) => finder === "currency")
  const chosen = settled.get(field?.name ?? "")?.chosen
  return typeof chosen?.value === "string" && !("computed" in chosen && chosen.computed)
    ? chosen.value
    : undefined
}

/** Whether amounts are printed with the mark of another currency than the document's: one sum, perhaps at a rate of exchange. */
const hasTwoCurrencies = ({ money }: Reading, currency: string): boolean =>
  money.some(({ text }) => {
    const means = meaningsOf(markOf(text))
    return means.length === 1 && !means.includes(currency)
  })

/** Whether another amount is labelled as a field's in another currency than the document's: `Total: 1 783,50 EUR`. */
const hasRivalIn = (known: Settled | undefined, currency: string | undefined): boolean =>
  known?.ranked.some(
    (candidate) =>
      candidate.value !== known.chosen?.value && isLabelled(candidate) && isInOther(currency, candidate)
  ) ?? false

/** Where amounts are printed that are the values of two fields or more. */
const sharedPlaces = (settled: ReadonlyMap<string, Settled>): ReadonlySet<string> => {
  const places = [...settled.values()].flatMap(({ chosen }) =>
    typeof chosen?.value === "number" && !chosen.computed ? [placeKey(chosen)] : []
  )
  return new Set(places.filter((place, at) => places.indexOf(place) !== at))
}

interface DocumentFacts {
  readonly misfit: number
  /** The evidence of another candidate by its place alone. */
  readonly placeOf: (other: Ranked) => FieldEvidence
}

/** The confidence of the value of each field, and the features that determined it. */
export interface FinalEvidence {
  readonly evidence: ReadonlyMap<string, FieldEvidence>
  readonly features: ReadonlyMap<string, Features>
}

/**
 * The evidence of each field with the confidence that was learned. `misfit` is the evidence against the kind of document. A labelled
 * amount takes the place of an unlabelled one that is less sure.
 */
export const finalEvidence = (
  reading: Reading,
  settled: ReadonlyMap<string, Settled>,
  fields: ReadonlyArray<Field>,
  { misfit, placeOf }: DocumentFacts
): FinalEvidence => {
  const found = shareFound(settled)
  const currency = currencyIn(fields, settled)
  const shared = sharedPlaces(settled)
  const features = new Map<string, Features>()
  const evidence = new Map<string, FieldEvidence>()
  let isOpenCurrency = fields.some(
    ({ name, type }) => type === "money" && hasRivalIn(settled.get(name), currency)
  )
  // How sure the currency is says something about the amounts.
  const [currencies, others] = [
    fields.filter(({ type }) => type === "currency"),
    fields.filter(({ type }) => type !== "currency")
  ]
  for (const field of [...currencies, ...others]) {
    const known = settled.get(field.name)
    if (known === undefined) continue
    const { chosen, ranked } = known
    if (chosen === undefined) {
      evidence.set(field.name, known.evidence)
      continue
    }
    const judged = (one: Ranked | Chosen, place: FieldEvidence) => {
      const features = choiceFeatures({
        reading,
        field,
        evidence: place,
        ranked,
        chosen: one,
        found,
        misfit,
        isOpenCurrency,
        isShared: shared.has(placeKey(one)),
        ...defined({ currency })
      })
      return { features, place, confidence: learnedConfidence(place, field, features) }
    }
    // A tax is printed in parts as well, each with a label.
    const other =
      field.type === "money" && !field.adds && chosen.features?.labelled !== 1
        ? ranked.find((one) => isLabelled(one) && one.value !== chosen.value)
        : undefined
    const violates = "violates" in chosen ? chosen.violates : 0
    const own = judged(chosen, known.evidence)
    const rival =
      other === undefined
        ? undefined
        : judged({ ...other, inferred: false, agrees: 0, violates }, placeOf(other))
    const isProven = own.features.byRate === 1 && own.features.agrees !== 0
    const least = Math.max(isProven ? sureFrom : leastOther, own.confidence + surerBy)
    const isSurer = rival !== undefined && rival.confidence >= least
    const { confidence, features: why, place } = isSurer ? rival : own
    features.set(field.name, why)
    const evident = isGiven(field, why, confidence) ? { ...place, confidence } : missing
    evidence.set(field.name, evident)
    if (field.type === "currency" && typeof chosen.value === "string")
      isOpenCurrency ||= evident.confidence < sureFrom && hasTwoCurrencies(reading, chosen.value)
  }
  return { evidence, features }
}
