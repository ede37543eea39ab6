import type { Scored } from "../../dsl/Calibration.ts"

/** A score that a value was given, 0–1, and whether the value was right. */
export interface Outcome {
  readonly score: number
  readonly right: boolean
}

/** What a test set says of one value that a flow gave. */
export interface Observation extends Outcome {
  /** The document: the values of one document go wrong together, so they are never parted. */
  readonly document: string
  readonly of: Scored
}
