import type { Field } from "../lexicon/Field.ts"
import type { Features } from "../Features.ts"
import type { Ranked } from "./Ranked.ts"

/** Labels as clear as `Invoice Date`, right before or above their value. */
export const isClear = (features: Features): boolean =>
  (features.labelQuality ?? 0) >= 0.95 &&
  (features.labelWeight ?? 0) >= 0.9 &&
  (features.labelFit ?? 0) >= 0.8

/** Short labels such as `№` or `Nummer`, right before their value: less clear, but more than none. */
export const isShort = (features: Features): boolean =>
  features.labelInRow === 1 && (features.labelQuality ?? 0) >= 0.95 && (features.labelFit ?? 0) >= 0.9

const farBehind = 0.5
const behind = 0.8

const mostOf = (found: ReadonlyArray<Ranked>): number =>
  found.reduce((most, { score }) => Math.max(most, score), 0)

/**
 * What a date or a number may have at most because of the labels of others: far less than one with a clear label if it has none, or
 * if it is behind a word of its own, as in `Contract: 118`, while another one has a short label; less than one with a clear label if
 * its own is only similar, and less than a date with a short label if it has none, or on a receipt with the time of day. Letters
 * begin with the place and the day, without a label.
 */
const limitsOf = (field: Field, all: ReadonlyArray<Ranked>): ((found: Features) => ReadonlyArray<number>) => {
  const mostClear = mostOf(all.filter(({ features = {} }) => isClear(features)))
  const mostShort = mostOf(all.filter(({ features = {} }) => isShort(features)))
  const mostTimed =
    field.preset === "receipt.date" ? mostOf(all.filter(({ features = {} }) => features.withTime === 1)) : 0
  return ({ labelled, labelQuality = 0, ruledOut, withTime }) => {
    if (field.type === "money") return labelled !== 1 && ruledOut === 1 ? [farBehind * mostClear] : []
    if (labelled === 1) return labelQuality < 0.95 ? [behind * mostClear] : []
    return [
      farBehind * mostClear,
      ...(field.type === "date" ? [behind * mostShort] : []),
      ...(withTime === 1 ? [] : [behind * mostTimed])
    ]
  }
}

/**
 * Dates and numbers with less score than others whose labels say more, and amounts behind a label that says that they are something else:
 * `New balance`.
 */
export const behindLabelled = <A>(field: Field, all: ReadonlyArray<Ranked<A>>): ReadonlyArray<Ranked<A>> => {
  if (field.type !== "date" && field.type !== "money" && field.type !== "identifier") return all
  const limits = limitsOf(field, all)
  return all.map((found) => ({
    ...found,
    score: Math.min(found.score, ...limits(found.features ?? {}).filter((most) => most > 0))
  }))
}

/** How far below a label a value is right below it, in lines. */
const rightBelow = 0.1

/**
 * An amount right behind the exact label of its field, or right below it, stays a candidate, however unlikely: the sums show
 * whether it is.
 */
export const isRightBehind = ({ type }: Field, { features = {} }: Ranked): boolean =>
  type === "money" &&
  (features.labelInRow === 1 || (features.below === 1 && (features.lines ?? 0) <= rightBelow)) &&
  (features.labelQuality ?? 0) >= 0.95 &&
  (features.labelFit ?? 0) >= 0.85
