import { Effect, Schema } from "effect"
import { Step } from "./StepDefinition.ts"
import { DurationText, FlowId, Version } from "./Words.ts"

const describe = (description: string) => ({ description })
const orElse = <A>(value: A) => Effect.succeed(value)

/** A JSON Schema as it stands in a flow; the checker judges it apart. */
export const JsonSchemaObject = Schema.Record(Schema.String, Schema.Json)

const count = (message: string) => Schema.Int.check(Schema.isGreaterThanOrEqualTo(1, { message }))
const amount = Schema.Finite.check(
  Schema.isGreaterThanOrEqualTo(0, { message: "Credits are a number of at least 0." })
)

/** Which documents a flow takes. */
export const DocumentLimits = Schema.Struct({
  formats: Schema.Array(
    Schema.String.check(
      Schema.isPattern(/^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/u, {
        message: 'A format is a MIME type, like "application/pdf".'
      })
    )
  )
    .check(Schema.isMinLength(1, { message: "A flow takes at least one format." }))
    .annotate(describe("The MIME types that the flow takes.")),
  maxFileSizeMB: Schema.Finite.check(
    Schema.isGreaterThan(0, { message: "The largest file is a number of megabytes above 0." })
  )
    .annotate(describe("The largest file, in megabytes."))
    .pipe(Schema.withDecodingDefaultKey(orElse(20))),
  maxPages: count("The most pages are a whole number of at least 1.")
    .annotate(describe("The most pages that a document may have."))
    .pipe(Schema.withDecodingDefaultKey(orElse(50)))
})
export type DocumentLimits = typeof DocumentLimits.Type

/** What an execution costs: `base`, and `perPage` for each page. */
export const CreditCost = Schema.Struct({
  perPage: amount.annotate(describe("Credits for each page.")),
  base: amount
    .annotate(describe("Credits for each execution."))
    .pipe(Schema.withDecodingDefaultKey(orElse(0)))
})

/** What a flow gives back. */
export const FlowOutput = Schema.Struct({
  schema: Schema.optionalKey(
    JsonSchemaObject.annotate(describe("The JSON Schema of the output; without it, it follows from `value`."))
  ),
  value: Schema.Json.annotate(describe("The output, in any shape, with expressions."))
})

/** A flow, as its file says it: plain JSON, the defaults filled in. */
export const FlowDefinition = Schema.Struct({
  docflow: Schema.Literal(1).annotate(describe("The version of the flow language.")),
  id: FlowId.annotate(describe("The id under which the flow is called.")),
  version: Version.annotate(
    describe("The semantic version of this flow. A published version never changes.")
  ),
  name: Schema.String.check(Schema.isNonEmpty({ message: "The name is empty." })).annotate(
    describe("What people read.")
  ),
  description: Schema.String.annotate(describe("What the flow does, in a sentence or two.")).pipe(
    Schema.withDecodingDefaultKey(orElse(""))
  ),
  document: DocumentLimits.annotate(describe("Which documents the flow takes.")),
  credits: CreditCost.annotate(describe("What an execution costs.")).pipe(
    Schema.withDecodingDefaultKey(orElse({ perPage: 1 }))
  ),
  requires: Schema.optionalKey(
    Schema.Struct({ plan: Schema.Literals(["free", "pro", "enterprise"]) }).annotate(
      describe("What the calling organization must have.")
    )
  ),
  timeout: Schema.optionalKey(DurationText.annotate(describe("The time that an execution may take."))),
  maxCredits: Schema.optionalKey(amount.annotate(describe("The most credits that an execution may use."))),
  variables: Schema.optionalKey(
    JsonSchemaObject.annotate(describe("The JSON Schema of input.variables: checked before a run."))
  ),
  steps: Schema.Array(Step)
    .check(Schema.isMinLength(1, { message: "A flow has at least one step." }))
    .annotate(describe("What is done, in this order.")),
  output: FlowOutput.annotate(describe("What the flow gives back."))
})
export type FlowDefinition = typeof FlowDefinition.Type

/** A definition as people write it: what has a default may be left out. */
export type FlowSource = typeof FlowDefinition.Encoded
