import { Effect, Predicate, Schema } from "effect"
import * as StepKind from "../../dsl/model/StepKind.ts"
import { isRange } from "../../dsl/model/Versions.ts"
import { FlowId } from "../../dsl/model/Words.ts"
import { DocumentRef } from "../domain/Document.ts"
import { DocumentIR } from "../domain/DocumentIR.ts"

const describe = (description: string) => ({ description })
const PageNumber = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** What a `flow` step is given. */
export const FlowConfig = Schema.Struct({
  flow: FlowId.annotate(describe("The id of the flow to run.")),
  version: Schema.optionalKey(
    Schema.String.annotate(
      describe(
        'A version or a range of versions, like "1.2.0" or "^1.2.0"; without it, the latest. Which one it is, is settled when the flow with this step is published, and never changes for that version of it.'
      )
    )
  ),
  document: Schema.Union([DocumentRef, DocumentIR]).annotate(
    describe(
      "The document to run it on: `${{ input.document }}`, or pages that were read before, as `parse` and `split` give them. Pages that were read are not read again: the `parse` step of the flow takes them as they are."
    )
  ),
  pages: Schema.optionalKey(
    Schema.Struct({ from: PageNumber, to: PageNumber }).annotate(
      describe("The pages of the document to run it on, counted from 1, both included; all without it.")
    )
  ),
  variables: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Unknown).annotate(describe("The variables of the flow."))
  )
})

/** The step kind `flow`: another flow as a step. The engine runs its steps; there is nothing to run here. */
export const flow = StepKind.make("flow", {
  description:
    "Runs another flow as a step: the output is that flow's output, and its steps stand under this one in the journal. The formats and the most pages that it takes hold for what it is given; credits, plan and `maxCredits` are those of the flow that was called from outside.",
  config: FlowConfig,
  output: Schema.Unknown,
  errors: {},
  literal: ["flow", "version"],
  runsFlow: true,
  problems: (config) =>
    Predicate.hasProperty(config, "version") && Predicate.isString(config.version) && !isRange(config.version)
      ? [
          {
            path: ["version"],
            message: 'This is neither a version nor a range of versions, like "1.2.0" or "^1.2.0".'
          }
        ]
      : [],
  run: () => Effect.die(new Error("a flow step is run by the engine"))
})
