import { Predicate, type JsonSchema, Schema } from "effect"
import type { ConfigProblem } from "../../dsl/model/StepKind.ts"

/** Refuses an array or object of `with` that is written empty, so that the step can find nothing. */
export const refuseEmpty =
  (name: string, message: string) =>
  (config: unknown): ReadonlyArray<ConfigProblem> => {
    const value = Predicate.hasProperty(config, name) ? config[name] : undefined
    return Predicate.isObjectOrArray(value) && Object.keys(value).length === 0
      ? [{ path: [name], message }]
      : []
  }

/** Refuses classes without a class. */
export const refuseNoClass = refuseEmpty(
  "classes",
  "At least one class is required, such as invoice: { keywords: [invoice] }."
)

/** The JSON Schema of an output whose properties depend on the configuration of the step. */
export const outputWith = (output: Schema.Constraint) => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(output)
  return (properties: JsonSchema.JsonSchema, $defs: JsonSchema.JsonSchema = {}): JsonSchema.JsonSchema => ({
    ...schema,
    properties: { ...Object(schema["properties"]), ...properties },
    $defs: { ...definitions, ...$defs }
  })
}
