import * as StepKind from "../../dsl/model/StepKind.ts"
import { Effect, Predicate, Schema } from "effect"
import { isRange, FlowId } from "../../dsl/model/Words.ts"
import { DocumentRef } from "../domain/Document.ts"
import { DocumentIR } from "../domain/DocumentIR.ts"
import { pageRange, reversedPages } from "./DocumentBytes.ts"

const describe = (description: string) => ({ description })

/** The configuration of a `flow` step. */
export const FlowConfig = Schema.Struct({
  flow: FlowId.annotate(describe("Id of the flow to run.")),
  version: Schema.optionalKey(
    Schema.String.annotate(
      describe(
        'Version or range of versions, like "1.2.0" or "^1.2.0". Default: the latest. The version is fixed when the calling flow is published, and never changes for that version of it.'
      )
    )
  ),
  document: Schema.Union([DocumentRef, DocumentIR]).annotate(
    describe(
      "Document to run the flow on: `${{ input.document }}`, or a document from `parse` or `split`. Pages that were already read are not read again."
    )
  ),
  pages: Schema.optionalKey(
    pageRange("First and last page to run the flow on, counted from 1. Default: all pages.")
  ),
  variables: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Unknown).annotate(describe("Variables of the flow."))
  )
})

const invalidVersion = (config: unknown): ReadonlyArray<StepKind.ConfigProblem> =>
  Predicate.hasProperty(config, "version") && Predicate.isString(config.version) && !isRange(config.version)
    ? [
        {
          path: ["version"],
          message: 'Invalid version. Use a version or a range, like "1.2.0" or "^1.2.0".'
        }
      ]
    : []

/** The step kind `flow`: calls another flow. The engine runs the steps of that flow, so there is nothing to run here. */
export const flow = StepKind.make("flow", {
  description:
    "Run another flow as a step. The output is the output of that flow, and its steps appear under this step in the journal. Its formats and page limit apply to the document; credits, plan, `maxCredits` and `maxTokens` are those of the outer flow.",
  example: `- id: invoice
  uses: flow
  with: { flow: invoice, version: "^1.0.0", document: "\${{ input.document }}", pages: { from: 1, to: 2 } }`,
  config: FlowConfig,
  output: Schema.Unknown,
  errors: {},
  literal: ["flow", "version"],
  runsFlow: true,
  problems: (config) => [...invalidVersion(config), ...reversedPages(config)],
  run: () => Effect.die(new Error("a flow step is run by the engine"))
})
