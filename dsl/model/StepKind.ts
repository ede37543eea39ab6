import type { Effect, JsonSchema, Schema } from "effect"
import type { FailureCode } from "../../src/domain/FailureCode.ts"

/** What a running step knows about its execution. */
export interface StepContext {
  readonly executionId: string
  /** The step's path in the flow: its id, or `outer.0.inner` inside a loop. */
  readonly path: string
  readonly environment: "live" | "test"
  /** Reports the completed share of this step, from 0 to 1. */
  readonly progress: (fraction: number) => Effect.Effect<void>
}

/** An error that a step can fail with: tagged, with a message for the caller. */
export interface StepFailure {
  readonly _tag: string
  readonly message: string
  /** What the step had found before it failed, as JSON, for the artifacts. */
  readonly findings?: unknown
}

/**
 * The type of a step's output where it depends on the configuration (the fields of `extract`).
 *
 * `config` is `with` as written, with its expressions as strings. `type` describes `with` after their evaluation, as
 * far as the checker knows; `transform` returns a part of it.
 */
export type OutputType = (config: unknown, type: JsonSchema.JsonSchema) => JsonSchema.JsonSchema

/** A problem in `with`, at a path inside it. */
export interface ConfigProblem {
  readonly path: ReadonlyArray<string | number>
  readonly message: string
  readonly suggestion?: string
}

/** Checks of a kind before a run, beyond its schemas. */
interface ConfigRules {
  /** The keys of `with` that must be literals, because they are needed before a run. */
  readonly literal?: ReadonlyArray<string>
  /** Finds problems in `with` that its schema does not find; expressions are still strings. */
  readonly problems?: (config: unknown) => ReadonlyArray<ConfigProblem>
  /** Whether it calls the flow that `with.flow` names: the checker inserts that flow, and `run` is never called. */
  readonly runsFlow?: true
  /** Whether it always ends the execution, so that no step after it runs. */
  readonly neverCompletes?: true
  /**
   * Whether it only computes: it calls no service and changes nothing, so running it again costs only time. Such a step
   * starts while the journal is still writing what came before it. A function decides by `with` as written, with its
   * expressions as strings.
   */
  readonly onlyComputes?: true | ((config: unknown) => boolean)
  /** Whether it may ask a model, unless it only computes. */
  readonly asksModel?: true
  /** Whether it reads the bytes of a document: of a run that begins with it, the first page is read while it is accepted. */
  readonly readsDocument?: true
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
  /** The error code of the execution for each error tag; omitted tags mean `EXECUTION_FAILED`. */
  readonly errors: { readonly [Tag in E["_tag"]]?: FailureCode }
  readonly outputType?: OutputType
  /** Converts the output of a completed step for the artifacts. Default: unchanged. */
  readonly artifact?: (output: Output["Type"]) => unknown
  readonly run: (config: Config["Type"], context: StepContext) => Effect.Effect<Output["Type"], E, R>
}

/**
 * Any step kind, for code that works with all of them. `run` is a method here so that every `StepKind` is assignable;
 * callers pass the configuration that the checker made for this kind.
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

/** The error code of an execution in which a step of this kind fails with `failure`. */
export const failureCode = (kind: Any, failure: StepFailure): FailureCode =>
  (Object.hasOwn(kind.errors, failure._tag) ? kind.errors[failure._tag] : undefined) ?? "EXECUTION_FAILED"
