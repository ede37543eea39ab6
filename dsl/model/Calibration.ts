/** What a confidence is about: values of one kind are right equally often at the same score. */
export interface Scored {
  readonly field: string
  /** The type of the field, such as `money` or `date`. */
  readonly type: string
  /** What found the value: `rules`, `llm`, `embedded`. */
  readonly by: string
  /** Whether the page was printed by a program or recognised from a picture. */
  readonly document: "born-digital" | "scanned"
}

/** Turns the scores of a flow's steps into confidences that were compared with what is true. */
export interface Calibration {
  /** Another id where the confidences may differ: outputs are not taken from a cache that another one filled. */
  readonly id: string
  /** The confidence, 0–1, of a value with this score, 0–1; of two values of a kind the higher score is never the less sure. */
  readonly confidence: (score: number, of: Scored) => number
}
