import { Schema } from "effect"

/** The score of an extracted value, and what a person said of it. It has no text of the document. */
export const CorrectedScore = Schema.Struct({
  executionId: Schema.String,
  issuer: Schema.optionalKey(Schema.String).annotate({
    description:
      "Who issued the document, as a hash of the name or the id of the first example of its layout; absent if unknown."
  }),
  field: Schema.String,
  by: Schema.String.annotate({ description: "The source that found the value: `rules`, `llm`, `embedded`." }),
  document: Schema.Literals(["born-digital", "scanned"]),
  score: Schema.Finite.annotate({ description: "Score before calibration, 0–1." }),
  confidence: Schema.Finite.annotate({ description: "Confidence that the execution stated, 0–1." }),
  said: Schema.Literals(["corrected", "confirmed", "nothing"]).annotate({
    description: "`nothing`: the execution has no field left to review, and nobody changed this one."
  })
}).annotate({ identifier: "CorrectedScore" })
export type CorrectedScore = typeof CorrectedScore.Type
