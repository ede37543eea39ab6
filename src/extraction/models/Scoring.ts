/** Numbers by the name of a feature. */
type Numbers = Readonly<Record<string, number | undefined>>

/** The weight of each feature for one kind of field. `node bench/learn-ranking.ts` fits them. */
export interface Weights {
  /** The score, in log-odds, of a candidate without any feature. */
  readonly bias: number
  readonly features: Readonly<Record<string, number>>
}

/** The logistic function: log-odds to a share, 0–1. */
export const sigmoid = (logOdds: number): number => 1 / (1 + Math.exp(-logOdds))

/** The weighted sum of features, in log-odds. A feature without a weight counts nothing. */
export const logOddsOf = ({ bias, features: weights }: Weights, features: Numbers): number => {
  let sum = bias
  // Features have no prototype with members of its own; without a list of their names, this takes a third less time.
  for (const name in features) sum += (weights[name] ?? 0) * (features[name] ?? 0)
  return sum
}

/** The score of a candidate, 0–1: the logistic function of its weighted features. */
export const scoreOf = (weights: Weights, features: Numbers): number => sigmoid(logOddsOf(weights, features))
