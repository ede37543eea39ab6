import { JsonSchema, Predicate, Schema } from "effect"
import { FieldEvidence } from "../domain/Evidence.ts"
import { ExecutionError } from "../domain/Execution.ts"

/**
 * The artifacts of most step kinds. Used for the OpenAPI document only: an artifact is the output of a step, whatever
 * its shape, with how the step went.
 */
const Artifact = Schema.Struct({
  status: Schema.Literals(["completed", "failed", "skipped"]),
  startedAt: Schema.String,
  durationMs: Schema.Finite,
  attempts: Schema.Int,
  error: Schema.optionalKey(ExecutionError),
  pageCount: Schema.optionalKey(Schema.Int.annotate({ description: "Of `parse`." })),
  wordCount: Schema.optionalKey(Schema.Int.annotate({ description: "Of `parse`." })),
  documentIR: Schema.optionalKey(
    Schema.Unknown.annotate({ description: "Of `parse`: pages, lines and words with their places." })
  ),
  fields: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      FieldEvidence.annotate({
        identifier: "FieldEvidence",
        description:
          "Where the value was found. `grounded`: on the page, or in the invoice data of the document; `inferred`: by a model or a rule, but nowhere in the document; `missing`: there is no value."
      })
    ).annotate({ description: "Of `extract` and `combine`: the evidence for every field." })
  ),
  warnings: Schema.optionalKey(
    Schema.Array(Schema.String).annotate({
      description: "What a person should know: sources that disagree, pages that could not be read."
    })
  ),
  tokensUsed: Schema.optionalKey(Schema.Int.annotate({ description: "Of steps that ask a model." })),
  model: Schema.optionalKey(Schema.NullOr(Schema.String))
}).annotate({
  identifier: "Artifact",
  description: "Output and status of a step. Each step kind has further fields."
})

const { definitions, dialect, schema } = Schema.toJsonSchemaDocument(Artifact)
const described = JsonSchema.toMultiDocumentOpenApi3_1({ dialect, schemas: [schema], definitions })

/** The output of a custom step kind or a `transform` may have a field of the same name and another shape. */
const artifacts = {
  type: "object",
  description: "What each finished step made, by its path; with `?include=artifacts`.",
  additionalProperties: { anyOf: [...described.schemas, { type: "object" }] }
}

/** Adds the schemas of artifacts and of the evidence in them to an OpenAPI document. */
export const describeArtifacts = (document: Record<string, unknown>): Record<string, unknown> => {
  const components = membersOf(document["components"])
  const schemas = membersOf(components["schemas"])
  const withArtifacts = Object.entries(schemas).map(([name, schema]) => {
    const properties = membersOf(membersOf(schema)["properties"])
    return [
      name,
      Object.hasOwn(properties, "artifacts")
        ? { ...membersOf(schema), properties: { ...properties, artifacts } }
        : schema
    ]
  })
  return {
    ...document,
    components: {
      ...components,
      schemas: { ...described.definitions, ...Object.fromEntries(withArtifacts) }
    }
  }
}

const membersOf = (value: unknown): { readonly [name: string]: unknown } =>
  Predicate.isObject(value) ? value : {}
