import { isOfItem } from "./AmountRoles.ts"
import { behindLabelled, isClear, isRightBehind, isShort } from "./ClearLabels.ts"
import { isInColumnOfDates, isRuledOut, withoutPeriods } from "./RuledOut.ts"
import { type Candidate, rowKey } from "../layout/Candidate.ts"
import type { Field } from "../lexicon/Field.ts"
import type { LabelMatch } from "../layout/LabelMatches.ts"
import type { Span } from "../layout/PageModel.ts"
import { best, type Ranked } from "./Ranked.ts"
import type { Reading } from "../layout/Reading.ts"
import { relationOf } from "../layout/SpatialRelation.ts"
import { hasRanking, leastScore, rankingScore } from "../models/RankingWeights.ts"
import type { Features } from "../Features.ts"
import { asNumberOf, labelFeatures } from "./LabelFeatures.ts"
import { valueFeatures } from "./ValueFeatures.ts"

/** Sums are at the end of a document, everything else at its beginning. */
const placeFactor = (reading: Reading, field: Field, span: Span): number => {
  const pages = reading.pages.length
  const rows = reading.pages[span.page]?.rows.length ?? 1
  const through = (span.page + span.row / Math.max(1, rows)) / Math.max(1, pages)
  switch (field.pick) {
    case "first":
      return 1 - 0.12 * through
    case "last":
      return 0.88 + 0.12 * through
    default:
      return 1 - 0.04 * through
  }
}

const within = (outer: Span, inner: Span): boolean =>
  outer.page === inner.page && outer.row === inner.row && outer.from <= inner.from && inner.to <= outer.to

/** Labels and values that belong to something else weaken what is behind them. */
const strangers =
  (field: Field, labels: ReadonlyArray<LabelMatch>, values: ReadonlyArray<Candidate>) =>
  (span: Span): number => {
    const label = labels.some(
      (other) => other.label.names && other.label.field !== field.name && within(other.span, span)
    )
    const value = values.some((other) => other.span.to === span.to && within(other.span, span))
    // Quantities come before the sum they belong to; only other labels part a value from its label.
    return (label ? 0.4 : 1) * (value ? 0.85 : 1)
  }

/** The value at the label's nth place, in the order of reading. Labels that lead to the same value are in one place. */
const nth = <A>(found: ReadonlyArray<Ranked<A>>, occurrence: number): Array<Ranked<A>> => {
  const places = Map.groupBy(found, ({ span }) => `${span.page}:${span.row}:${span.from}`)
  const inOrder = [...places.values()]
    .flatMap((same) => best(same, 1))
    .toSorted((a, b) => a.span.page - b.span.page || a.span.row - b.span.row || a.span.from - b.span.from)
  return inOrder.slice(occurrence - 1, occurrence)
}

const farthest = 8
/** Limits for a label: one that is repeated more often in a row, or among more values, is an attack on time. */
const mostInRow = 10
const mostNear = 400

/** The number of labels of one field that count at the beginning and at the end of a page: real pages have fewer. */
const mostAtAnEnd = 40

const fewInARow = (matches: ReadonlyArray<LabelMatch>): ReadonlyArray<LabelMatch> => {
  const rows = [...Map.groupBy(matches, ({ span }) => rowKey(span.page, span.row)).values()]
  const few = rows.flatMap((row) => row.slice(0, mostInRow))
  return [...Map.groupBy(few, ({ span }) => span.page).values()].flatMap((page) =>
    page.filter((_, at) => at < mostAtAnEnd || at >= page.length - mostAtAnEnd)
  )
}

/** Finds the candidates near a row, in their own order: a long page has thousands, and hundreds of labels. */
const neighbours = <A>(candidates: ReadonlyArray<Candidate<A>>) => {
  const byRow = Map.groupBy(candidates.entries(), ([, { span }]) => rowKey(span.page, span.row))
  return ({ page, row }: Span): ReadonlyArray<Candidate<A>> =>
    Array.from({ length: 2 * farthest + 1 }, (_, i) => byRow.get(rowKey(page, row + i - farthest)) ?? [])
      .flat()
      .toSorted(([a], [b]) => a - b)
      .map(([, candidate]) => candidate)
}

/** The factor for a candidate without a label, and the number of such candidates per kind; only for learned kinds. */
const mostUnlabelled = 40
const leastQuality = 0.7
const header = 0.5

/** Whether the label of another field is before a value, in its row. */
const isOtherField = (reading: Reading, field: Field, { from, page, row }: Span): boolean =>
  (reading.labelsByRow.get(rowKey(page, row)) ?? []).some(
    ({ label, span }) => label.names && label.field !== field.name && span.to < from
  )

/** The words around an amount from which on it is a part of a sentence, such as `The most for a day is 260.00`. */
const wordsOfProse = 5

/** Values that could be the field's without a label of the field near them. */
const unlabelled = <A>(
  reading: Reading,
  field: Field,
  candidates: ReadonlyArray<Candidate<A>>
): ReadonlyArray<Ranked<A>> => {
  if (!hasRanking(field) || field.occurrence !== undefined) return []
  // A document may well have no day to pay by: only its first day is looked for without a label.
  if (field.type === "date" && field.pick !== "first") return []
  const possible = candidates.filter((candidate) => {
    const { bbox, quality, span, value } = candidate
    // Nothing added to a sum proves nothing: only a label says what is 0.00.
    if (quality < leastQuality || value === 0) return false
    if (field.type === "date" && span.from === 0 && isInColumnOfDates(reading, candidate)) return false
    if (field.type === "money" && !field.pointOfSale && isOfItem(reading, candidate)) return false
    const page = reading.pages[span.page]
    const row = page?.rows[span.row] ?? []
    const words = row.filter(
      ({ phrase, text }) => phrase === row[span.from]?.phrase && /^\p{L}{2,}/u.test(text)
    )
    if (field.type === "money" && words.length >= wordsOfProse) return false
    return (
      field.type !== "identifier" ||
      (quality === 1 && span.page === 0 && bbox.y < header * (page?.height ?? 0))
    )
  })
  const some = field.type === "money" ? possible.slice(-mostUnlabelled) : possible.slice(0, mostUnlabelled)
  const ranked: Array<Ranked<A>> = []
  for (const candidate of some) {
    const otherField = isOtherField(reading, field, candidate.span) ? 1 : 0
    const ruledOut = isRuledOut(reading, field, candidate) ? 1 : 0
    const features = asDayOf(field, { ...valueFeatures(reading, field, candidate), otherField, ruledOut })
    ranked.push({ ...candidate, features, score: rankingScore(field, features) })
  }
  return ranked
}

/**
 * Behind a label, an amount without cents may have lost them; without one, it is rather no amount. On an invoice, a label
 * also says more than that no amount is greater: a balance of before, or what is due later, may be.
 */
const labelledValue = (features: Features, pointOfSale: boolean): Features => ({
  ...features,
  greatest: pointOfSale ? (features.greatest ?? 0) : 0,
  greatestLabelled: pointOfSale ? 0 : (features.greatest ?? 0),
  unusual: 0,
  lostPoint: 0,
  unusualLabelled: features.lostPoint === 1 ? 0 : (features.unusual ?? 0)
})

/**
 * That no date is later speaks against the day of an invoice, which has a day to pay by. A clear label says more, and so
 * does the first date of all as letters begin, or right behind any label.
 */
const asDayOf = (field: Field, features: Features): Features => {
  if (field.type !== "date" || field.pick !== "first") return features
  // Letters begin with the place and the day, whatever days are printed above.
  if (features.ofPlace === 1) return { ...features, latest: 0, firstPrinted: 1 }
  const begins = features.firstPrinted === 1 && (features.ofLetter === 1 || isShort(features))
  return begins || isClear(features) ? { ...features, latest: 0 } : features
}

/** All candidates of a field with their features: those near a label of the field, once for each label, and others. */
export const proposals = <A>(
  reading: Reading,
  field: Field,
  candidates: ReadonlyArray<Candidate<A>>
): { readonly all: ReadonlyArray<Ranked<A>>; readonly firsts: ReadonlyArray<Ranked<A>> } => {
  const mine = fewInARow(reading.labels.filter(({ label }) => label.names && label.field === field.name))
  const learned = hasRanking(field)
  const days = learned && field.type === "date" ? withoutPeriods(reading, candidates) : candidates
  const nearTo = neighbours(days)
  const all: Array<Ranked<A>> = []
  const firsts: Array<Ranked<A>> = []
  for (const match of mine) {
    const model = reading.pages[match.span.page]
    if (model === undefined) continue
    const near = nearTo(match.span).slice(0, mostNear)
    const inRow = reading.labelsByRow.get(rowKey(match.span.page, match.span.row)) ?? []
    let most: Ranked<A> | undefined
    const stranger = strangers(field, inRow, near)
    const row = model.rows[match.span.row] ?? []
    // A label with its number right behind it has no other.
    const number =
      field.type === "identifier" && row[match.span.to]?.phrase === row[match.span.to + 1]?.phrase
        ? near.find(({ span }) => span.row === match.span.row && span.from === match.span.to + 1)
        : undefined
    for (const candidate of near) {
      const relation = relationOf(model, match, candidate, field.positions, stranger)
      if (relation === undefined) continue
      if (number !== undefined && number.quality >= leastQuality && candidate !== number) continue
      if (
        learned &&
        field.type === "date" &&
        relation.position === "below" &&
        isInColumnOfDates(reading, candidate)
      )
        continue
      const { fit } = relation
      if (fit < 0.05) continue
      const product =
        fit *
        match.quality *
        candidate.quality *
        match.label.weight *
        placeFactor(reading, field, candidate.span)
      const own = asDayOf(field, {
        ...labelFeatures({ reading, field, match, candidate, relation }),
        ...(learned ? labelledValue(valueFeatures(reading, field, candidate), field.pointOfSale) : {}),
        ruledOut: Number(relation.position === "below" && isRuledOut(reading, field, candidate)),
        product: Math.log(product)
      })
      const features = field.type === "identifier" ? asNumberOf(match, candidate, own) : own
      const score = learned ? rankingScore(field, features) : product
      const here = { ...candidate, score, features }
      all.push(here)
      if (most === undefined || here.score > most.score) most = here
    }
    if (most !== undefined) firsts.push(most)
  }
  return { all: [...all, ...unlabelled(reading, field, days)], firsts }
}

/** Ranks candidates by the labels of a field that they are next to, and by what they are themselves. */
export const rank = <A>(
  reading: Reading,
  field: Field,
  candidates: ReadonlyArray<Candidate<A>>
): Array<Ranked<A>> => {
  const { all, firsts } = proposals(reading, field, candidates)
  if (field.occurrence !== undefined) return nth(firsts, field.occurrence)
  const ranked = behindLabelled(field, all)
  const sorted = best(
    ranked.filter((found) => found.score >= leastScore(field) || isRightBehind(field, found))
  )
  return field.pick === "largest" ? sorted.toSorted((a, b) => Number(b.value) - Number(a.value)) : sorted
}
