import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { Ranked } from "../candidates/Ranked.ts"
import { isOfOnlyItem } from "../candidates/AmountRoles.ts"
import type { Candidate } from "../layout/Candidate.ts"
import { isOrderOpen, mayBeginWithYear } from "../layout/DateCandidates.ts"
import { isLongAgo, recentness } from "../layout/Recent.ts"
import type { Field } from "../lexicon/Field.ts"
import { markOf } from "../names/CurrencyField.ts"
import { meaningsOf } from "../lexicon/CurrencyMarks.ts"
import { pageLanguages } from "../layout/PageLanguages.ts"
import { tokensOf } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import type { Chosen } from "../sums/Sums.ts"
import { confidenceWeights } from "../models/ConfidenceWeights.ts"
import { proofs } from "./Proofs.ts"
import { isProven } from "./Proven.ts"
import type { FeatureName, Features } from "../Features.ts"
import { scoreOf } from "../models/Scoring.ts"
import { isUnprovenOfReceipt, isUnsupported, mayBeMisread, mayBePartOfTotal } from "./Unsupported.ts"

/** The input for evaluating the doubt about a field's value. */
export interface Judged {
  readonly reading: Reading
  readonly field: Field
  /** Evidence with the confidence of its score alone. */
  readonly evidence: FieldEvidence
  /** All candidates, the best first. */
  readonly ranked: ReadonlyArray<Ranked>
  readonly chosen: Ranked | Chosen
  /** The share of the step's fields that have a value. */
  readonly found: number
  /** The evidence against the document being of the kind that the fields are for, 0–1. */
  readonly misfit: number
  /** Whether the document is a receipt, and the fields are those of invoices. */
  readonly isReceipt?: boolean
  /** The currency of the document. */
  readonly currency?: string
  /** Whether amounts are printed in two currencies, and neither is surely that of the document. */
  readonly isOpenCurrency?: boolean
  /** Whether its amount is that of another field as well, in the same place. */
  readonly isShared?: boolean
}

/** Log-odds of a share, kept within ±4. */
const logOdds = (share: number): number => {
  const inside = Math.min(0.982, Math.max(0.018, share))
  return Math.log(inside / (1 - inside))
}

const isSum = (chosen: Ranked | Chosen): chosen is Chosen => "agrees" in chosen

/** How unsure recognition is of a value, 0–1, and of the rest of its page. */
const recognition = (reading: Reading, { span }: Ranked): Features => {
  const confidences = tokensOf(reading.pages, span).flatMap(({ confidence }) => confidence ?? [])
  if (confidences.length === 0) return {}
  const page = (reading.pages[span.page]?.rows ?? []).flat().map(({ confidence }) => confidence ?? 1)
  const mean = page.reduce((sum, confidence) => sum + confidence, 0) / page.length
  return { recognised: 1, wordDoubt: 1 - Math.min(...confidences), pageDoubt: 1 - mean }
}

/** In how many rows, up to three, a value is printed besides its own. */
const printedAgain = (reading: Reading, field: Field, chosen: Ranked): number => {
  const all = field.type === "money" ? reading.money : field.type === "date" ? reading.dates : []
  const rows = new Set(
    all
      .filter(({ quality, value }) => value === chosen.value && quality >= 0.7)
      .map(({ span }) => `${span.page}:${span.row}`)
  )
  return Math.min(3, Math.max(0, rows.size - 1))
}

/** The features that determine the confidence of a value. */
export const doubtFeatures = (judged: Judged): Features => {
  const features = ownFeatures(judged)
  return {
    ...features,
    partOfTotal: mayBePartOfTotal(judged.field, features) ? 1 : 0,
    misread: mayBeMisread(judged.field, features) ? 1 : 0,
    notOfReceipt: judged.isReceipt === true && isUnprovenOfReceipt(judged.field, features) ? 1 : 0,
    unsupported: isUnsupported(judged.field, features) ? 1 : 0
  }
}

/** An order has the currency of an invoice, and a kind of its own, unless nothing shows which. */
const isOfAnyKind = ({ finder, type }: Field, value: unknown): boolean =>
  type === "currency" || (finder === "kind" && value !== "other")

const ownFeatures = ({
  chosen,
  currency,
  evidence,
  field,
  found,
  isOpenCurrency = false,
  isShared = false,
  misfit,
  ranked,
  reading
}: Judged): Features => {
  const others = ranked.filter(({ value }) => value !== chosen.value)
  const closest = Math.max(0, ...others.map(({ score }) => score))
  const page = reading.pages[chosen.span.page]
  const { features = {} } = chosen
  return {
    prior: logOdds(evidence.confidence),
    score: chosen.score,
    gap: Math.min(0.5, Math.max(-0.2, chosen.score - closest)),
    rivals: Math.min(4, others.filter(({ score }) => score > chosen.score - 0.1).length),
    alone: others.length === 0 ? 1 : 0,
    quality: chosen.quality,
    labelled: features.labelled ?? 0,
    labelDoubt: features.labelled === undefined ? 0 : 1 - (features.labelQuality ?? 0),
    labelWeight: features.labelWeight ?? 0,
    labelFit: features.labelFit ?? 0,
    ...recognition(reading, chosen),
    agrees: isSum(chosen) ? Math.min(2, chosen.agrees) : 0,
    violates: isSum(chosen) ? chosen.violates : 0,
    violatesAlone: isSum(chosen) && chosen.violates > 0 && chosen.agrees < 1 ? 1 : 0,
    computed: evidence.status === "inferred" ? 1 : 0,
    printedAgain: printedAgain(reading, field, chosen),
    withCurrency: chosen.currency === undefined ? 0 : 1,
    low: page === undefined ? 0 : chosen.bbox.y / page.height,
    laterPage: chosen.span.page > 0 ? 1 : 0,
    longAgo: field.recent && isLongAgo(chosen.value, reading.today) ? 1 : 0,
    shared: isShared ? 1 : 0,
    yearFirst: field.type === "date" && mayBeginWithYear(chosen.text) ? 1 : 0,
    otherCurrency:
      (field.type === "money" && isInOther(currency, chosen)) ||
      (isOpenCurrency && (field.type === "money" || field.type === "currency"))
        ? 1
        : 0,
    farFromToday: field.recent && recentness(chosen.value, reading.today) < 1 ? 1 : 0,
    bareYear: /^(?:19|20)\d{2}$/u.test(String(chosen.value)) && field.type === "identifier" ? 1 : 0,
    notAsLabelled: field.type === "money" && isLineInsteadOfSum(reading, chosen, others) ? 1 : 0,
    openOrder: field.type === "date" && isOpenDate(reading, chosen) ? 1 : 0,
    found,
    misfit: isOfAnyKind(field, chosen.value) ? 0 : misfit,
    scoreOdds: logOdds(chosen.score),
    gapOdds: Math.min(4, logOdds(chosen.score) - logOdds(closest)),
    ...proofs(reading, field, chosen, others),
    ...Object.fromEntries(asRanked.map((name) => [name, features[name] ?? 0]))
  }
}

/** Whether an amount is printed with another currency than that of the document: the same total for foreign guests. */
export const isInOther = (currency: string | undefined, { text }: Candidate): boolean => {
  const means = meaningsOf(markOf(text))
  return currency !== undefined && means.length > 0 && !means.includes(currency)
}

/** Whether amounts are printed with the mark of another currency than the document's: one sum, perhaps at a rate of exchange. */
export const hasTwoCurrencies = ({ money }: Reading, currency: string): boolean =>
  money.some(({ text }) => {
    const means = meaningsOf(markOf(text))
    return means.length === 1 && !means.includes(currency)
  })

/** The amount of the only line that was read, although the page names another amount as the one that is asked for. */
const isLineInsteadOfSum = (reading: Reading, chosen: Ranked, others: ReadonlyArray<Ranked>): boolean =>
  isOfOnlyItem(reading, chosen) && others.some(({ features }) => (features?.labelQuality ?? 0) >= 0.9)

/**
 * `03/04/2025` in a document of which nothing says where it is from: March or April. Points are put after the day. So is the
 * name of a month that means two, in a document of neither language.
 */
const isOpenDate = (reading: Reading, { span }: Candidate): boolean => {
  const date = reading.dates.find(
    (other) => other.span.page === span.page && other.span.row === span.row && other.span.from === span.from
  )
  if (date?.printed.ambiguous === true && date.printed.meanings !== undefined) return true
  if (date?.printed.ambiguous !== true || /^\d+\./u.test(date.text)) return false
  const [language] = [...pageLanguages(reading)].toSorted(([, a], [, b]) => b - a)
  return (language === undefined || language[0] === "en") && isOrderOpen(reading.dates, reading.text)
}

/** Features of ranking that say something about the choice as well. */
const asRanked: ReadonlyArray<FeatureName> = [
  "whole",
  "base",
  "top",
  "ofColumn",
  "greatest",
  "greatestLabelled",
  "unusual",
  "foreign",
  "claimed",
  "otherLabel",
  "below",
  "formBelowName",
  "firstName",
  "belowForm",
  "partOfLonger",
  "smallFirst",
  "onlyWhat",
  "mixedCapitals",
  "addressBelow",
  "registeredBelow",
  "aboveLarger",
  "withDigits",
  "fromRight",
  "likelyAddressee",
  "inSum"
]

/** Values that a kind of field has too few examples of, and amounts that break a relation, are never sure. */
const unproven = 0.89
const noName = 0.6
const addressee = 0.75
const violated = 0.75
const badlyRecognised = 0.85
const misread = 0.8
const farFromToday = 0.45
const longAgo = 0.75
const otherCurrency = 0.75
const openOrder = 0.75
const bareYear = 0.75
const companyOfShop = 0.85
const partOfTotal = 0.85
const notOfReceipt = 0.85
const notAsLabelled = 0.75

/** What a proven value has at least. */
const proven = 0.92

const most = (features: Features): number =>
  Math.min(
    features.violatesAlone === 1 ? violated : 1,
    (features.wordDoubt ?? 0) > 0.4 ? badlyRecognised : 1,
    features.misread === 1 ? misread : 1,
    // The first word of the name may have been lost.
    features.smallFirst === 1 && features.recognised === 1 ? badlyRecognised : 1,
    // `BAKERY`: what is written above it may not have been recognised.
    features.onlyWhat === 1 && features.recognised === 1 ? noName : 1,
    // `RELAIS DES CAUSSES` above `Station-service Supérette`: the second line may only say what it is.
    features.mixedCapitals === 1 ? unproven : 1,
    features.likelyAddressee === 1 ? addressee : 1,
    features.farFromToday === 1 ? farFromToday : 1,
    // A figure of the year that was taken for another is more likely than a document that nobody has to keep any more.
    features.longAgo === 1 && features.recognised === 1 && features.alone === 1 && features.printedAgain === 0
      ? longAgo
      : 1,
    // `25/11/15` may as well begin with its year.
    features.longAgo === 1 && features.yearFirst === 1 ? longAgo : 1,
    features.otherCurrency === 1 ? otherCurrency : 1,
    features.byTurns === 1 && features.recognised === 1 ? unproven : 1,
    features.openOrder === 1 ? openOrder : 1,
    features.partOfTotal === 1 ? partOfTotal : 1,
    features.notOfReceipt === 1 ? notOfReceipt : 1,
    features.bareYear === 1 ? bareYear : 1,
    features.notAsLabelled === 1 ? notAsLabelled : 1,
    features.formBelowName === 1 ? companyOfShop : 1,
    // The logo has some words of the name: `Kalahari Solar` of `Kalahari Solar Supplies CC`.
    features.partOfLonger === 1 ? unproven : 1,
    // The sums before and after a correction, and their difference: each is a base with its tax.
    features.corrected === 1 ? unproven : 1,
    features.computed === 1 ? unproven : 1
  )

const hundredths = (share: number): number => Math.round(Math.min(0.99, share) * 100) / 100

/** The confidence in a value, 0–1, learned from similar values. Kinds of fields without weights keep their score. */
export const learnedConfidence = (judged: Judged, features: Features): number => {
  const weights = confidenceWeights(judged.field)
  const learned = weights === undefined ? judged.evidence.confidence : scoreOf(weights, features)
  const own = isProven(judged.field, features, learned)
    ? Math.max(learned, proven)
    : Math.min(learned, features.unsupported === 1 ? unproven : 1)
  return hundredths(Math.min(own, most(features)))
}
