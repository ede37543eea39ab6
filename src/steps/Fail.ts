import { Effect, Schema } from "effect"
import * as StepKind from "../../dsl/model/StepKind.ts"

/** The configuration of a `fail` step. */
export const FailConfig = Schema.Struct({
  message: Schema.String.annotate({ description: "Message for the caller." })
})

/** A `fail` step ended the flow. */
export class FlowFailed extends Schema.TaggedError<FlowFailed>()("FlowFailed", { message: Schema.String }) {}

/** Ends the execution as failed; usually under an `if`. */
export const fail = StepKind.make("fail", {
  description: "Fail the execution with a message, usually under an `if`.",
  example: `- id: stop
  uses: fail
  if: input.document.pageCount > 100
  with: { message: "The document has \${{ input.document.pageCount }} pages; the limit is 100." }`,
  config: FailConfig,
  output: Schema.Null,
  errors: { FlowFailed: "EXECUTION_FAILED" },
  onlyComputes: true,
  neverCompletes: true,
  run: ({ message }) => Effect.fail(new FlowFailed({ message }))
})
