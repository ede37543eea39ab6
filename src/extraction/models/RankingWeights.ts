import type { Field } from "../lexicon/Field.ts"
import ranking from "./ranking.json" with { type: "json" }
import type { Features } from "../Features.ts"
import type { Role } from "../layout/PageBlocks.ts"

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

const weights: Readonly<Record<string, Weights>> = ranking.kinds

/**
 * The kinds of fields that ranking is learned for, the most special first: the preset, the finder or type, and `label`
 * for every field that labels find.
 */
export const rankingKinds = ({
  finder,
  preset,
  type
}: Pick<Field, "finder" | "preset" | "type">): ReadonlyArray<string> => [
  ...(preset === undefined ? [] : [preset]),
  ...(finder === "label" ? [type, "label"] : [finder])
]

/** The learned weights for the candidates of a field. */
const weightsOf = (field: Field): Weights | undefined => {
  const kind = rankingKinds(field).find((name) => weights[name] !== undefined)
  return kind === undefined ? undefined : weights[kind]
}

/** Whether the candidates of a field are ranked by what was learned: those of a flow's own fields are not. */
export const hasRanking = (field: Field): boolean =>
  field.preset !== undefined && weightsOf(field) !== undefined

/** How probable it is that a candidate with these features is the value of the field, 0–1; 0 where nothing was learned. */
export const rankingScore = (field: Field, features: Features): number => {
  const own = weightsOf(field)
  return own === undefined ? 0 : scoreOf(own, features)
}

/** The minimum score of names: every document has a sender, so a far lower score suffices. */
const leastName = 0.02

/** Below this score a candidate is no value of the field. */
export const leastScore = (field: Field): number =>
  !hasRanking(field) ? 0 : field.finder === "label" ? ranking.least : leastName

/** The log-odds beyond which nothing is surer. */
const mostOdds = 3

/** How surely a block with these features has a role, in log-odds. */
export const roleOdds = (role: Role, features: Features): number => {
  const own = weights[`${role} block`]
  return own === undefined ? 0 : Math.max(-mostOdds, Math.min(mostOdds, logOddsOf(own, features)))
}
