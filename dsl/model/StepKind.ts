import type { Effect, JsonSchema, Schema } from "effect"
import type { FailureCode } from "../../src/domain/FailureCode.ts"
import type { Calibration } from "./Calibration.ts"

/** What a running step may know of the execution around it. */
export interface StepContext {
  readonly executionId: string
  /** The step's path in the flow: its id, or `outer.0.inner` inside a loop. */
  readonly path: string
  readonly environment: "live" | "test"
  /** Reports how much of this step is done, from 0 to 1. */
  readonly progress: (fraction: number) => Effect.Effect<void>
  /** What confidences are worth in this flow, where that was measured. */
  readonly calibration?: Calibration | undefined
}

/** An error that a step may fail with: tagged, with a message that a caller may read. */
export interface StepFailure {
  readonly _tag: string
  readonly message: string
  /** What the step had found by then, as JSON: the artifacts show it. */
  readonly findings?: unknown
}

/**
 * The type of a step's output where it depends on the configuration (the fields of `extract`).
 *
 * `config` is `with` as written, its expressions still text. `type` describes what `with` holds once they are evaluated,
 * as far as the checker could tell: `transform` answers with a part of it.
 */
export type OutputType = (config: unknown, type: JsonSchema.JsonSchema) => JsonSchema.JsonSchema

/** Something wrong with what `with` says, at a path inside of it. */
export interface ConfigProblem {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
  readonly suggestion?: string
}

/** What a kind may check before a run, beyond its schemas. */
interface ConfigRules {
  /** The keys of `with` that must be known before a run: no expressions may be in them. */
  readonly literal?: ReadonlyArray<string>
  /** What is wrong with `with` as written, its expressions still text, beyond what the schema says. */
  readonly problems?: (config: unknown) => ReadonlyArray<ConfigProblem>
  /** It runs the flow that `with.flow` names: the checker puts that flow in its place, and `run` is never called. */
  readonly runsFlow?: true
  /** It always ends the execution: the checker knows that no step after it runs. */
  readonly neverCompletes?: true
  /**
   * It only computes: it calls no service and changes nothing, so that to run it once more costs nothing but time. Such a
   * step begins while the journal still writes what came before it.
   */
  readonly onlyComputes?: true
}

/**
 * A kind of step, as flows name it in `uses`. The built-in kinds and those of an embedding program are made the same way.
 *
 * @typeParam Config what `with` holds once its expressions have been evaluated
 * @typeParam Output what later steps see under `steps.<id>`
 */
export interface StepKind<
  Name extends string,
  Config extends Schema.ConstraintDecoder<unknown>,
  Output extends Schema.Constraint,
  E extends StepFailure,
  R
> extends ConfigRules {
  readonly name: Name
  /** One or two sentences for the reference, in the imperative. */
  readonly description: string
  /** Steps of a flow that use this kind, as YAML, for the reference. */
  readonly example?: string
  readonly config: Config
  readonly output: Output
  /** The code that an execution ends with, for each error tag; those left out mean `EXECUTION_FAILED`. */
  readonly errors: { readonly [Tag in E["_tag"]]?: FailureCode }
  readonly outputType?: OutputType
  /** How the artifacts show the output of a completed step; by default as it is. */
  readonly artifact?: (output: Output["Type"]) => unknown
  readonly run: (config: Config["Type"], context: StepContext) => Effect.Effect<Output["Type"], E, R>
}

/**
 * Any step kind, for code that works with all of them. `run` is a method here so that every `StepKind` is one of these:
 * whoever calls it passes the configuration that the checker made for this very kind.
 *
 * @typeParam R the services that its `run` needs
 */
export interface Any<R = unknown> extends ConfigRules {
  readonly name: string
  readonly description: string
  readonly example?: string
  readonly config: Schema.ConstraintDecoder<unknown>
  readonly output: Schema.Constraint
  readonly errors: { readonly [tag: string]: FailureCode | undefined }
  readonly outputType?: OutputType
  artifact?(output: unknown): unknown
  run(config: unknown, context: StepContext): Effect.Effect<unknown, StepFailure, R>
}

/** The services that a step kind, or a union of them, needs. */
export type Services<Kind extends Any> =
  ReturnType<Kind["run"]> extends Effect.Effect<unknown, unknown, infer R> ? R : never

/** Makes a step kind; the types of its configuration, output, errors and services follow from `options`. */
export const make = <
  const Name extends string,
  Config extends Schema.ConstraintDecoder<unknown>,
  Output extends Schema.Constraint,
  E extends StepFailure = never,
  R = never
>(
  name: Name,
  options: Omit<StepKind<Name, Config, Output, E, R>, "name">
): StepKind<Name, Config, Output, E, R> => ({ name, ...options })

/** The code that an execution ends with when a step of this kind fails with `failure`. */
export const failureCode = (kind: Any, failure: StepFailure): FailureCode =>
  (Object.hasOwn(kind.errors, failure._tag) ? kind.errors[failure._tag] : undefined) ?? "EXECUTION_FAILED"
