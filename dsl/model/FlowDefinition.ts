import { Effect, Schema } from "effect"
import { mostPages } from "../../src/domain/Document.ts"
import { Step } from "./StepDefinition.ts"
import { DurationText, FlowId, Version } from "./Words.ts"

const describe = (description: string) => ({ description })
const orElse = <A>(value: A) => Effect.succeed(value)

/** A JSON Schema in a flow; the checker validates it separately. */
export const JsonSchemaObject = Schema.Record(Schema.String, Schema.Json)

const amount = Schema.Finite.check(
  Schema.isGreaterThanOrEqualTo(0, { message: "Credits must be a number of at least 0." })
)

/** The documents that a flow accepts. */
export const DocumentLimits = Schema.Struct({
  formats: Schema.Array(
    Schema.String.check(
      Schema.isPattern(/^[a-z]+\/[a-z0-9][a-z0-9.+-]*$/u, {
        message: 'A format is a MIME type, like "application/pdf".'
      })
    )
  )
    .check(Schema.isMinLength(1, { message: "At least one format is required." }))
    .annotate(describe("Accepted MIME types.")),
  maxFileSizeMB: Schema.Finite.check(
    Schema.isGreaterThan(0, { message: "maxFileSizeMB must be greater than 0." })
  )
    .annotate(describe("Maximum file size, in megabytes."))
    .pipe(Schema.withDecodingDefaultKey(orElse(20))),
  maxPages: Schema.Int.check(
    Schema.isBetween(
      { minimum: 1, maximum: mostPages },
      { message: `maxPages must be an integer from 1 to ${mostPages}.` }
    )
  )
    .annotate(describe("Maximum number of pages."))
    .pipe(Schema.withDecodingDefaultKey(orElse(50)))
})
export type DocumentLimits = typeof DocumentLimits.Type

/** The price of an execution: `base`, plus `perPage` for each page; text without printed pages counts by its size. */
export const CreditCost = Schema.Struct({
  perPage: amount.annotate(
    describe(
      "Credits per page. A document without printed pages, such as text, CSV, mail, DOCX or XLSX, counts as one page for each 3,000 characters."
    )
  ),
  base: amount
    .annotate(
      describe("Credits per execution. Each credit allows 100 requests to models and 500,000 tokens.")
    )
    .pipe(Schema.withDecodingDefaultKey(orElse(0)))
})

/** The output of a flow. */
export const FlowOutput = Schema.Struct({
  schema: Schema.optionalKey(
    JsonSchemaObject.annotate(describe("JSON Schema of the output. Default: derived from `value`."))
  ),
  value: Schema.Json.annotate(describe("The output: an object, with expressions."))
})

/** A flow as data: plain JSON, with the defaults filled in. */
export const FlowDefinition = Schema.Struct({
  docflow: Schema.Literal(1).annotate(describe("Version of the flow language.")),
  id: FlowId.annotate(describe("Id of the flow, as in `POST /flows/<id>/run`.")),
  version: Version.annotate(describe("Semantic version of the flow. A published version never changes.")),
  name: Schema.String.check(Schema.isNonEmpty({ message: "The name must not be empty." })).annotate(
    describe("Display name.")
  ),
  description: Schema.String.annotate(describe("Description of the flow in a sentence or two.")).pipe(
    Schema.withDecodingDefaultKey(orElse(""))
  ),
  document: DocumentLimits.annotate(describe("Accepted documents.")),
  credits: CreditCost.annotate(describe("Cost of an execution.")).pipe(
    Schema.withDecodingDefaultKey(orElse({ perPage: 1 }))
  ),
  requires: Schema.optionalKey(
    Schema.Struct({ plan: Schema.Literals(["free", "pro", "enterprise"]) }).annotate(
      describe("Requirements for the calling organization.")
    )
  ),
  timeout: Schema.optionalKey(DurationText.annotate(describe("Time limit of an execution."))),
  maxCredits: Schema.optionalKey(amount.annotate(describe("Maximum number of credits of an execution."))),
  maxTokens: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThan(0, { message: "maxTokens must be positive." })).annotate(
      describe(
        "Maximum number of tokens that models may use for an execution, requests and answers together: it fails before it uses more."
      )
    )
  ),
  variables: Schema.optionalKey(
    JsonSchemaObject.annotate(describe("JSON Schema of `input.variables`. Requests are checked against it."))
  ),
  tests: Schema.optionalKey(
    Schema.Array(
      Schema.String.check(
        Schema.isPattern(/^[\p{L}\p{N}_-][\p{L}\p{N}._-]*\.ya?ml$/u, {
          message:
            'A test set is the name of a file in the folder tests next to the flow, like "suppliers.yaml".'
        })
      )
    ).annotate(
      describe(
        "Test sets in the folder `tests` next to the flow. The dashboard saves the version only if they hold."
      )
    )
  ),
  steps: Schema.Array(Step)
    .check(Schema.isMinLength(1, { message: "A flow needs at least one step." }))
    .annotate(describe("What is done, in this order.")),
  output: FlowOutput.annotate(describe("Output of the flow."))
})
export type FlowDefinition = typeof FlowDefinition.Type

/** A definition as authors write it: keys with a default may be omitted. */
export type FlowSource = typeof FlowDefinition.Encoded
