import type { Field } from "../Field.ts"
import type { Features } from "../scoring/Scoring.ts"
import type { Ranked } from "./Ranked.ts"

/** Labels as clear as `Invoice Date`, right before or above their value. */
export const isClear = (features: Features): boolean =>
  (features["labelQuality"] ?? 0) >= 0.95 &&
  (features["labelWeight"] ?? 0) >= 0.9 &&
  (features["labelFit"] ?? 0) >= 0.8

const farBehind = 0.5

/**
 * Dates without a label come far behind one with a clear label, such as `Invoice date`, in its row or right above it, and so do
 * amounts behind a label that says that they are something else: `New balance`.
 */
export const behindLabelled = <A>(field: Field, all: ReadonlyArray<Ranked<A>>): ReadonlyArray<Ranked<A>> => {
  if (field.type !== "date" && field.type !== "money") return all
  const clear = all.filter(({ features = {} }) => isClear(features))
  const most = farBehind * Math.max(0, ...clear.map(({ score }) => score))
  if (most === 0) return all
  return all.map((found) => {
    const { labelled, ruledOut } = found.features ?? {}
    const isBehind = labelled !== 1 && (field.type === "date" || ruledOut === 1)
    return isBehind && found.score > most ? { ...found, score: most } : found
  })
}
