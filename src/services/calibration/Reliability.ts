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

/**
 * The expected calibration error (Naeini et al. 2015): the difference between confidence and accuracy, weighted by the
 * sizes of the bins.
 */
export const calibrationError = (judged: ReadonlyArray<Judged>): number =>
  reliability(judged).reduce(
    (sum, { confidence, right, values }) => sum + (values / judged.length) * Math.abs(confidence - right),
    0
  )

/** The Brier score (Brier 1950): the mean squared difference between confidence and truth, 0 at best. */
export const brierScore = (judged: ReadonlyArray<Judged>): number =>
  judged.reduce((sum, { confidence, right }) => sum + ((right ? 1 : 0) - confidence) ** 2, 0) / judged.length

/** Whether a calibration does not help: it must lower both the distance from the truth and the Brier score. */
export const isWorse = (now: ReadonlyArray<Judged>, after: ReadonlyArray<Judged>): boolean =>
  calibrationError(after) >= calibrationError(now) || brierScore(after) >= brierScore(now)

/** Why such a calibration is not stored. */
export const worseText = "For issuers that were left out, the confidences would not come closer to the truth."

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

/** The mean logarithmic loss, in nats: the lower, the better the confidences. */
export const logLoss = (judged: ReadonlyArray<Judged>): number =>
  judged.reduce((sum, { confidence, right }) => sum - Math.log(right ? confidence : 1 - confidence), 0) /
  judged.length

/** What to expect of the values at or above a threshold. */
export interface AtThreshold {
  readonly at: number
  /** The share of all values that reach the threshold. */
  readonly share: number
  readonly values: number
  readonly wrong: number
  /** The share of them that is wrong, and the ends of its 95 % interval. */
  readonly error: number
  readonly low: number
  readonly high: number
}

/** The 95 % interval of a share (Wilson 1927); the whole scale if nothing was counted. */
export const interval = (hits: number, of: number): { readonly low: number; readonly high: number } => {
  if (of === 0) return { low: 0, high: 1 }
  const z = 1.96
  const share = hits / of
  const middle = (share + (z * z) / (2 * of)) / (1 + (z * z) / of)
  const half = (z / (1 + (z * z) / of)) * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of))
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** What to expect at a threshold. */
export const atThreshold = (judged: ReadonlyArray<Judged>, at: number): AtThreshold => {
  const sure = judged.filter(({ confidence }) => confidence >= at)
  const wrong = sure.filter(({ right }) => !right).length
  return {
    at,
    share: judged.length === 0 ? 0 : sure.length / judged.length,
    values: sure.length,
    wrong,
    error: sure.length === 0 ? 0 : wrong / sure.length,
    ...interval(wrong, sure.length)
  }
}

/** The thresholds in reports. */
export const thresholds: ReadonlyArray<number> = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95]
