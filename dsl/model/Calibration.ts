/** The kind of value that a score belongs to: values of one kind are right equally often at the same score. */
export interface Scored {
  readonly field: string
  /** The type of the field, such as `money` or `date`. */
  readonly type: string
  /** What found the value: `rules`, `llm`, `embedded`. */
  readonly by: string
  /** Whether the page was printed by a program or recognised from a picture. */
  readonly document: "born-digital" | "scanned"
}

/** Turns the scores of a flow's steps into confidences that were fitted on known values. */
export interface Calibration {
  /** Identifies the calibration in cache keys: outputs with other confidences are not reused. */
  readonly id: string
  /** The confidence, 0–1, of a value with this score, 0–1; never lower for a higher score of the same kind. */
  readonly confidence: (score: number, of: Scored) => number
}
