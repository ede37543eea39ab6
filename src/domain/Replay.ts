import { Schema } from "effect"
import { maxName } from "./RunRequest.ts"

/** The longest path of a step, in characters. */
const maxStep = 1_024

/** The body of `POST /runs/{executionId}/replay`; every member is optional, and so is the body. */
export const ReplayRequest = Schema.Struct({
  fromStep: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(maxStep)).annotate({
      description:
        "The first step that is run again. When absent, the execution goes on after the last step that finished."
    })
  ),
  version: Schema.optionalKey(
    Schema.String.check(Schema.isMaxLength(maxName)).annotate({
      description: "Another version of the flow; the one that ran when absent."
    })
  ),
  idempotencyKey: Schema.optionalKey(
    Schema.String.check(Schema.isBetweenCodePoints(1, 255)).annotate({
      description: "Requests with the same key within 24 hours make one execution."
    })
  )
}).annotate({ identifier: "ReplayRequest", examples: [{ fromStep: "fields", version: "1.1.0" }] })
export type ReplayRequest = typeof ReplayRequest.Type

/** One difference between two outputs: a JSON Pointer (RFC 6901), and the values on both sides. */
const Difference = Schema.Struct({
  path: Schema.String,
  before: Schema.optionalKey(Schema.Unknown),
  after: Schema.optionalKey(Schema.Unknown)
})
export type Difference = typeof Difference.Type

/** How the outputs of two executions differ. */
export const OutputDiff = Schema.Struct({
  same: Schema.Boolean,
  differences: Schema.Array(Difference),
  message: Schema.optionalKey(
    Schema.String.annotate({
      description:
        "Why there is nothing to compare, if an execution has no output; `differences` is empty then."
    })
  )
}).annotate({
  identifier: "OutputDiff",
  examples: [{ same: false, differences: [{ path: "/totalAmount", before: 1190, after: 1191 }] }]
})
export type OutputDiff = typeof OutputDiff.Type
