import { lineAt, type LineOfRole } from "../candidates/BlockRoles.ts"
import { isInRowOfLabel, type Ranked } from "../candidates/Ranked.ts"
import { computeFeatures, type Features, type FeatureTable } from "../Features.ts"
import type { FieldEvidence } from "../../domain/Evidence.ts"
import type { Candidate } from "../layout/Candidate.ts"
import { isOrderOpen, mayBeginWithYear } from "../layout/DateCandidates.ts"
import { pageLanguages } from "../layout/PageLanguages.ts"
import { type PageModel, tokensOf } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"
import { isLongAgo, recentness } from "../layout/Recent.ts"
import { meaningsOf } from "../lexicon/CurrencySigns.ts"
import type { Field } from "../lexicon/Field.ts"
import { markOf } from "../names/CurrencyField.ts"
import { confidenceKind } from "../models/ConfidenceTrees.ts"
import type { Chosen } from "../sums/Sums.ts"
import { isByRate, isInGreatestSum } from "./RatedAmounts.ts"
import { kindOfReading } from "../kinds/DocumentKind.ts"

/** A chosen value, and what is known of its document. */
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
  /** The currency of the document. */
  readonly currency?: string
  /** Whether amounts are printed in two currencies, and neither is surely that of the document. */
  readonly isOpenCurrency: boolean
  /** Whether its amount is that of another field as well, in the same place. */
  readonly isShared: boolean
}

/** Log-odds of a share, kept within ±4. */
const logOdds = (share: number): number => {
  const inside = Math.min(0.982, Math.max(0.018, share))
  return Math.log(inside / (1 - inside))
}

/** In how many rows, up to three, a value is printed besides its own. */
const printedRows = ({ chosen, field, reading }: Choice): number => {
  const all = field.type === "money" ? reading.money : field.type === "date" ? reading.dates : []
  const rows = new Set(
    all
      .filter(({ quality, value }) => value === chosen.value && quality >= 0.7)
      .map(({ span }) => `${span.page}:${span.row}`)
  )
  return Math.min(3, Math.max(0, rows.size - 1))
}

/** An order has the currency of an invoice, and a kind of its own, unless nothing shows which. */
const isOfAnyKind = ({ finder, type }: Field, value: unknown): boolean =>
  type === "currency" || (finder === "kind" && value !== "other")

/** Whether an amount is printed with another currency than that of the document: the same total for foreign guests. */
export const isInOther = (currency: string | undefined, { text }: Candidate): boolean => {
  const means = meaningsOf(markOf(text))
  return currency !== undefined && means.length > 0 && !means.includes(currency)
}

/**
 * `03/04/2025` in a document of which nothing says where it is from: March or April. Points are put after the day. So is the
 * name of a month that means two, in a document of neither language, and a date of long ago that may begin with its year.
 */
const isOpenDate = ({ chosen: { span }, reading }: Choice): boolean => {
  const date = reading.dates.find(
    (other) => other.span.page === span.page && other.span.row === span.row && other.span.from === span.from
  )
  if (date === undefined) return false
  if (mayBeginWithYear(date.text) && isLongAgo(date.value, reading.today)) return true
  if (date.printed.ambiguous && date.printed.meanings !== undefined) return true
  if (!date.printed.ambiguous || /^\d+\./u.test(date.text)) return false
  const [language] = [...pageLanguages(reading)].toSorted(([, a], [, b]) => b - a)
  return (language === undefined || language[0] === "en") && isOrderOpen(reading.dates, reading.text)
}

/** Letters that recognition takes for figures, and the other way round. */
const alike = /[0-25-8BIOSZlo]/u

/** A letter that may be a word for `number` or a part of it: `C.20250088` for `č. 20250088`. */
const beginsWithLetter = /^\p{L}\.\s?\d/u

/**
 * Whether recognition may have taken a figure for a letter: among letters and figures by turns (`F0C8D21A`), or a letter behind
 * figures (`202S`), or a nought for the letter O of any script (`OOO187`). Nothing but its own letters shows how such a number is spelled.
 */
const isSpelledByTurns = (text: string): boolean =>
  text
    .split(/[^\p{L}\p{N}]+/u)
    .some(
      (run) =>
        (alike.test(run) && (run.match(/(?<=\d)\p{L}|(?<=\p{L})\d/gu)?.length ?? 0) >= 2) ||
        /\d[BIOSZlo]$/u.test(run) ||
        /[OΟО]{2,}\d|[ΟО]\d|\d[ΟО]/u.test(run)
    )

/** From which product of match and weight a label is one of the field's own, as the lexicon has it. */
const exactLabel = 0.9

const labelOf = ({ features: { labelQuality = 0, labelWeight = 0 } = {} }: Ranked): number =>
  labelQuality * labelWeight

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
      .filter(({ label, quality }) => label.names && quality * label.weight >= exactLabel)
      .map(({ label }) => label.field)
  )
  namedFields.set(reading, fields.size)
  return fields.size
}

/** A choice with what its table compares it with. */
interface Choice extends Omit<Judged, "chosen"> {
  readonly chosen: Ranked
  /** How many sums hold with it, and how many do not. */
  readonly agrees: number
  readonly violates: number
  /** The candidates with other values. */
  readonly others: ReadonlyArray<Ranked>
  /** The best score among them. */
  readonly closest: number
  readonly page: PageModel | undefined
  readonly at: LineOfRole | undefined
  /** What recognition says of each of its words; empty where nothing was recognized. */
  readonly confidences: ReadonlyArray<number>
}

/** What a choice says besides the features of its candidate: its rivals, its support, its document and its recognition. */
const choiceTable = {
  /** The confidence by the score alone, in log-odds. */
  prior: ({ evidence }) => logOdds(evidence.confidence),
  /** The score by which it was chosen. */
  score: ({ chosen }) => chosen.score,
  /** The same in log-odds. */
  scoreOdds: ({ chosen }) => logOdds(chosen.score),
  /** The lead over the next value. */
  lead: ({ chosen, closest }) => Math.min(0.5, Math.max(-0.2, chosen.score - closest)),
  /** The same in log-odds. */
  leadOdds: ({ chosen, closest }) => Math.min(4, logOdds(chosen.score) - logOdds(closest)),
  /** How many values are about as likely. */
  closeRivals: ({ chosen, others }) =>
    Math.min(4, others.filter(({ score }) => score > chosen.score - 0.1).length),
  /** No other value was found. */
  only: ({ others }) => others.length === 0,
  /** How surely the text is a value of its type, 0–1. */
  certainty: ({ chosen }) => chosen.quality,
  /** Its text was recognized. */
  recognised: ({ confidences }) => confidences.length > 0,
  /** How unsure recognition is of its worst word, 0–1. */
  wordDoubt: ({ confidences }) => 1 - Math.min(1, ...confidences),
  /** How unsure recognition is of its page, 0–1. */
  pageDoubt: ({ confidences, page }) => {
    const all = confidences.length === 0 ? [] : (page?.rows ?? []).flat()
    return all.reduce((sum, { confidence = 1 }) => sum + 1 - confidence, 0) / Math.max(1, all.length)
  },
  /** Sums that hold with it. */
  agrees: ({ agrees }) => Math.min(2, agrees),
  /** Sums that do not hold with it. */
  violates: ({ violates }) => violates,
  /** A sum does not hold with it, and none does. */
  violatesAlone: ({ agrees, violates }) => violates > 0 && agrees < 1,
  /** Not printed, but computed from other values. */
  computed: ({ evidence }) => evidence.status === "inferred",
  /** In how many other rows it is printed. */
  printedRows,
  /** How far down its page, 0–1. */
  low: ({ chosen, page }) => (page === undefined ? 0 : chosen.bbox.y / page.height),
  /** In another currency than the document's, or nothing shows which of two it is. */
  otherCurrency: ({ chosen, currency, field: { type }, isOpenCurrency }) =>
    (type === "money" && isInOther(currency, chosen)) ||
    (isOpenCurrency && (type === "money" || type === "currency")),
  /** A date far from today. */
  farFromToday: ({ chosen, field, reading }) => field.recent && recentness(chosen.value, reading.today) < 1,
  /** A date of which nothing shows which number is the day. */
  openOrder: (choice) => choice.field.type === "date" && isOpenDate(choice),
  /** The share of the fields that have a value. */
  found: ({ found }) => found,
  /** What speaks against the document being of the kind that the field is for, 0–1. */
  misfit: ({ chosen, field, misfit }) => (isOfAnyKind(field, chosen.value) ? 0 : misfit),
  /** Its label is exactly as the lexicon has it. */
  exactLabel: ({ chosen }) => labelOf(chosen) >= exactLabel,
  /** Another value has such a label, or one as good as its own. */
  rivalLabelled: ({ chosen, others }) =>
    others.some((other) => labelOf(other) >= Math.min(exactLabel, labelOf(chosen) || exactLabel)),
  /** How many fields have such a label in the document. */
  labelsKnown: ({ reading }) => Math.min(8, labelsKnown(reading)),
  /** A printed rate leads to it from another amount. */
  byRate: ({ chosen: { value }, field, reading }) =>
    typeof value === "number" && isByRate(reading, field, value),
  /** Part of the greatest sum of a base and its tax at a printed rate. */
  inGreatestSum: ({ chosen: { value }, field, reading }) =>
    typeof value === "number" && isInGreatestSum(reading, field, value),
  /** A greater amount fits about as well. */
  greaterRival: ({ chosen, others }) => typeof chosen.value === "number" && hasGreaterRival(chosen, others),
  /** An amount with a minus, of a field without, in a document that does not say that it is a credit note. */
  negative: ({ chosen, field, reading }) =>
    field.unsigned && Number(chosen.value) < 0 && kindOfReading(reading).kind !== "credit-note",
  byTurns: ({ chosen: { text, value }, field }) =>
    field.type === "identifier" && (isSpelledByTurns(String(value)) || beginsWithLetter.test(text)),
  /** How surely its block has each role, in log-odds. */
  inSeller: ({ at }) => at?.odds.seller ?? 0,
  inCustomer: ({ at }) => at?.odds.customer ?? 0,
  inNumbers: ({ at }) => at?.odds.numbers ?? 0,
  inItems: ({ at }) => at?.odds.items ?? 0,
  inTotals: ({ at }) => at?.odds.totals ?? 0,
  /** The field is an amount of an invoice, a currency, a date, a shop. */
  ofMoney: ({ field }) => confidenceKind(field) === "money",
  ofCurrency: ({ field }) => confidenceKind(field) === "currency",
  ofDate: ({ field }) => confidenceKind(field) === "date",
  ofShop: ({ field }) => confidenceKind(field) === "merchant"
} satisfies FeatureTable<Choice>

export type ChoiceFeature = keyof typeof choiceTable

/** All features of a choice: those of its candidate and its own. */
export const choiceFeatures = (judged: Judged): Features => {
  const { chosen, ranked, reading } = judged
  const others = ranked.filter(({ value }) => value !== chosen.value)
  const { agrees, violates } = "agrees" in chosen ? chosen : { agrees: 0, violates: 0 }
  const own = computeFeatures(choiceTable, {
    ...judged,
    agrees,
    violates,
    others,
    closest: Math.max(0, ...others.map(({ score }) => score)),
    page: reading.pages[chosen.span.page],
    at: lineAt(reading, chosen.span),
    confidences: tokensOf(reading.pages, chosen.span).flatMap(({ confidence }) => confidence ?? [])
  })
  return { ...chosen.features, ...own }
}
