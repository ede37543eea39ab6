import { Effect, Predicate, Schema } from "effect"
import * as StepKind from "../../dsl/model/StepKind.ts"

/** The configuration of a `transform` step. */
export const TransformConfig = Schema.Struct({
  value: Schema.Unknown.annotate({ description: "Output of the step: any JSON, with expressions." })
})

/**
 * The step kind `transform`: shapes data. The output is the value of its expressions, and later steps see the type of
 * that value.
 */
export const transform = StepKind.make("transform", {
  description: "Transform data with expressions. The output is the value itself.",
  example: `- { id: read, uses: parse, with: { document: "\${{ input.document }}" } }
- id: summary
  uses: transform
  with: { value: { pages: "\${{ steps.read.pageCount }}", long: "\${{ steps.read.wordCount > 1000 }}" } }`,
  config: TransformConfig,
  output: Schema.Unknown,
  errors: {},
  onlyComputes: true,
  outputType: (_config, type) => valueType(type["properties"]),
  run: ({ value }) => Effect.succeed(value)
})

const valueType = (properties: unknown) => {
  const type = Predicate.hasProperty(properties, "value") ? properties.value : undefined
  return Predicate.isObject(type) ? { ...type } : {}
}
