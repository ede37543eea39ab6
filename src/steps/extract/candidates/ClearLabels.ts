import type { Field } from "../Field.ts"
import type { Features } from "../scoring/Scoring.ts"
import type { Ranked } from "./Ranked.ts"

/** Labels as clear as `Invoice Date`, right before or above their value. */
export const isClear = (features: Features): boolean =>
  (features["labelQuality"] ?? 0) >= 0.95 &&
  (features["labelWeight"] ?? 0) >= 0.9 &&
  (features["labelFit"] ?? 0) >= 0.8

/** Short labels such as `№` or `Nummer`, right before their value: less clear, but more than none. */
const isShort = (features: Features): boolean =>
  features["labelInRow"] === 1 &&
  (features["labelQuality"] ?? 0) >= 0.95 &&
  (features["labelFit"] ?? 0) >= 0.9

const farBehind = 0.5

const mostOf = (found: ReadonlyArray<Ranked>): number =>
  farBehind * Math.max(0, ...found.map(({ score }) => score))

/**
 * Dates and numbers without a label come far behind one with a clear label, such as `Invoice date`, in its row or right above it, and so
 * do amounts behind a label that says that they are something else: `New balance`. Numbers behind a word of their own, as in `Contract: 118`,
 * come far behind one with a short label.
 */
export const behindLabelled = <A>(field: Field, all: ReadonlyArray<Ranked<A>>): ReadonlyArray<Ranked<A>> => {
  if (field.type !== "date" && field.type !== "money" && field.type !== "identifier") return all
  const most = mostOf(all.filter(({ features = {} }) => isClear(features)))
  const mostBehindWord =
    field.type === "identifier" ? mostOf(all.filter(({ features = {} }) => isShort(features))) : 0
  return all.map((found) => {
    const { labelled, otherLabel, ruledOut } = found.features ?? {}
    if (labelled === 1) return found
    const isBehind = most > 0 && (field.type !== "money" || ruledOut === 1)
    const limits = [
      ...(isBehind ? [most] : []),
      ...(otherLabel === 1 && mostBehindWord > 0 ? [mostBehindWord] : [])
    ]
    return { ...found, score: Math.min(found.score, ...limits) }
  })
}
