import { Option, Predicate, Schema } from "effect"
import { type ExecutionView, StepFindings } from "./ExecutionView.ts"

const { fields, problems, review, warnings } = StepFindings.fields

const partOf = <A>(schema: Schema.Codec<A>, made: unknown, name: string, none: A): A =>
  Predicate.isObject(made)
    ? Option.getOrElse(Schema.decodeUnknownOption(schema)(made[name]), () => none)
    : none

/**
 * What a person should see of the artifacts, step by step. Findings that `flow`, `forEach` and other outer steps pass
 * on are left out: they are listed at the step that found them.
 */
export const findingsOf = (artifacts: { readonly [path: string]: unknown }): ExecutionView["findings"] =>
  Object.entries(artifacts)
    .filter(([path]) => !Object.keys(artifacts).some((other) => other.startsWith(`${path}.`)))
    .map(([path, made]) => ({
      path,
      fields: partOf(fields, made, "fields", {}),
      warnings: partOf(warnings, made, "warnings", []),
      review: partOf(review, made, "review", []),
      problems: partOf(problems, made, "problems", [])
    }))
    .filter((found) => Object.keys(found.fields).length + found.warnings.length + found.problems.length > 0)
    .toSorted((one, other) => one.path.localeCompare(other.path, "en", { numeric: true }))
