import { Predicate, type Result, type Schema } from "effect"
import type { CheckedFlow } from "../model/CheckedFlow.ts"
import { check as checkText, type CheckOptions } from "../check/Check.ts"
import type { FlowSource } from "../model/FlowDefinition.ts"
import type { Problem } from "../source/Problem.ts"
import { expression, Ref, type Written } from "./Ref.ts"
import { jsonSchemaOf } from "../types/SchemaType.ts"
import type * as StepKind from "../model/StepKind.ts"
import { toYaml } from "../tools/ToYaml.ts"
import { isList } from "../types/Values.ts"
import { defined } from "../../src/support/Defined.ts"

type StepSource = FlowSource["steps"][number]

/** A step of a flow that is written in TypeScript, with a reference to its output for the steps after it. */
export interface FlowStep<Output> {
  readonly source: StepSource
  readonly output: Ref<Output>
}

/** What a step may have next to its configuration. */
export type StepOptions = Omit<StepSource, "id" | "uses" | "with" | "if">

/** A step that always runs; its kind determines the type of `output`. */
export const step = <
  Name extends string,
  Config extends Schema.ConstraintDecoder<unknown>,
  Output extends Schema.Constraint,
  E extends StepKind.StepFailure,
  R
>(
  id: string,
  kind: StepKind.StepKind<Name, Config, Output, E, R>,
  config: Written<Config["Encoded"]>,
  options: StepOptions & { readonly onError?: "fail" } = {}
): FlowStep<Output["Type"]> => ({
  source: { id, uses: kind.name, with: writeObject(config), ...options },
  output: new Ref(`steps.${id}`)
})

/** A step that runs if a condition holds; otherwise, its output is null. */
export const stepIf = <
  Name extends string,
  Config extends Schema.ConstraintDecoder<unknown>,
  Output extends Schema.Constraint,
  E extends StepKind.StepFailure,
  R
>(
  condition: Ref<boolean | null>,
  id: string,
  kind: StepKind.StepKind<Name, Config, Output, E, R>,
  config: Written<Config["Encoded"]>,
  options: StepOptions = {}
): FlowStep<Output["Type"] | null> => ({
  source: { id, uses: kind.name, if: condition.toString(), with: writeObject(config), ...options },
  output: new Ref(`steps.${id}`)
})

/**
 * A step of a kind whose output depends on its configuration (`flow`, `lookup`, `extract`), typed by what is expected
 * of it. The author states the schema; the checker compares every use with the actual output of the step.
 */
export const stepGiving = <
  Name extends string,
  Config extends Schema.ConstraintDecoder<unknown>,
  Output extends Schema.Constraint,
  E extends StepKind.StepFailure,
  R,
  Given extends Schema.Constraint
>(
  id: string,
  kind: StepKind.StepKind<Name, Config, Output, E, R>,
  _given: Given,
  config: Written<Config["Encoded"]>,
  options: StepOptions & { readonly onError?: "fail" } = {}
): FlowStep<Given["Type"]> => ({
  source: step(id, kind, config, options).source,
  output: new Ref(`steps.${id}`)
})

/** The JSON Schema of a schema's encoded values: for `expect` of a lookup, or `output.schema`. */
export const jsonSchema = (schema: Schema.Constraint): { readonly [keyword: string]: Schema.Json } =>
  writeObject(jsonSchemaOf(schema))

export { expression }
export { orElse, orNull } from "./ErrorHandlers.ts"
export { choose, forEach, group, groupIf, parallel } from "./ControlStepBuilders.ts"

/** The document of the run. */
export const document = new Ref<{
  readonly blob: string
  readonly mimeType: string
  readonly filename?: string
  readonly size: number
  readonly pageCount: number
}>("input.document")

/** What a flow in TypeScript consists of. */
export interface FlowOptions<Value> extends Omit<FlowSource, "docflow" | "steps" | "output"> {
  readonly steps: ReadonlyArray<FlowStep<unknown>>
  readonly output: { readonly schema?: FlowSource["output"]["schema"]; readonly value: Written<Value> }
}

/** Makes the definition of a flow. It is the same data that a file holds: `toYaml` writes it, `check` checks it. */
export const make = <Value>({ output, steps, ...rest }: FlowOptions<Value>): FlowSource => ({
  docflow: 1,
  ...rest,
  steps: steps.map(({ source }) => source),
  output: { ...defined({ schema: output.schema }), value: write(output.value) }
})

/** Checks a flow that was made here; positions in its problems refer to its YAML. */
export const check = <R>(
  flow: FlowSource,
  options: CheckOptions<R>
): Result.Result<CheckedFlow<R>, ReadonlyArray<Problem>> => checkText(toYaml(flow), options)

const writeObject = (value: unknown): { readonly [name: string]: Schema.Json } =>
  Predicate.isObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, field]) => (field === undefined ? [] : [[name, write(field)]]))
      )
    : {}

const write = (value: unknown): Schema.Json => {
  if (value instanceof Ref) return value.toString()
  if (isList(value)) return value.map(write)
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value
  return Predicate.isObject(value) ? writeObject(value) : null
}
