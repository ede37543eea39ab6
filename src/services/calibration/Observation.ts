import type { Scored } from "../../../dsl/model/Calibration.ts"

/** A score that a value was given, 0–1, and whether the value was right. */
export interface Outcome {
  readonly score: number
  readonly right: boolean
  /** The document: the values of one document go wrong together, so they are one trial, and never parted. */
  readonly document: string
}

/** What a test set says of one value that a flow gave. */
export interface Observation extends Outcome {
  readonly of: Scored
}

/** How many documents some outcomes come from. */
export const documentsOf = (outcomes: ReadonlyArray<Outcome>): number =>
  new Set(outcomes.map(({ document }) => document)).size

/**
 * Laplace's rule of succession with documents for trials: twenty right of twenty are not certainty, and a hundred values of
 * five documents are five trials.
 */
export const succession = (share: number, documents: number): number =>
  (share * documents + 1) / (documents + 2)
