/** A confidence, and whether the value was right. */
export interface Judged {
  readonly confidence: number
  readonly right: boolean
}

const bins = 10

/** The values in one tenth of the scale: their average confidence, and how many were right. */
export interface Bin {
  readonly from: number
  readonly values: number
  readonly confidence: number
  readonly right: number
}

/** The values by confidence, in ten bins of equal width; empty ones are left out. */
export const reliability = (judged: ReadonlyArray<Judged>): ReadonlyArray<Bin> =>
  [...Map.groupBy(judged, ({ confidence }) => Math.min(bins - 1, Math.floor(confidence * bins + 1e-9)))]
    .sort(([a], [b]) => a - b)
    .map(([bin, values]) => ({
      from: bin / bins,
      values: values.length,
      confidence: values.reduce((sum, { confidence }) => sum + confidence, 0) / values.length,
      right: values.filter(({ right }) => right).length / values.length
    }))

/** The Brier score (Brier 1950): the mean squared difference between confidence and truth, 0 at best. */
export const brierScore = (judged: ReadonlyArray<Judged>): number =>
  judged.reduce((sum, { confidence, right }) => sum + ((right ? 1 : 0) - confidence) ** 2, 0) / judged.length

/**
 * The area under the ROC curve: how often a right value has a higher confidence than a wrong one, ties counted half. Undefined
 * if all values are right, or all wrong.
 */
export const areaUnderCurve = (judged: ReadonlyArray<Judged>): number | undefined => {
  const groups = Map.groupBy(judged, ({ confidence }) => confidence)
  let [above, wrongs, rights] = [0, 0, 0]
  for (const [, group] of [...groups].toSorted(([a], [b]) => a - b)) {
    const right = group.filter((one) => one.right).length
    const wrong = group.length - right
    above += right * (wrongs + wrong / 2)
    wrongs += wrong
    rights += right
  }
  return wrongs * rights === 0 ? undefined : above / (wrongs * rights)
}
