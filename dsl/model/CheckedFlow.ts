import type * as StepKind from "./StepKind.ts"
import type { Duration, JsonSchema, Result } from "effect"
import type { ConfigError, ExpressionError } from "../expression/EvaluationErrors.ts"
import type { FlowCall } from "./FlowCalls.ts"
import type { FlowDefinition } from "./FlowDefinition.ts"
import type { FindOutputProblem, ValidateVariables } from "./RunValidators.ts"
import type { Scope } from "../expression/Scope.ts"
import type { FailureCode } from "../../src/domain/FailureCode.ts"

/**
 * A flow that passed its check, ready to run: everything is parsed and compiled beforehand.
 *
 * @typeParam R the services that its steps need
 */
export interface CheckedFlow<R = unknown> {
  readonly definition: FlowDefinition
  /** SHA-256 in hexadecimal of the definition's canonical form: equal for two files with the same meaning. */
  readonly hash: string
  /** The run's `input`: the document, and the flow's own variables. */
  readonly inputSchema: JsonSchema.JsonSchema
  readonly outputSchema: JsonSchema.JsonSchema
  /** In execution order. */
  readonly steps: ReadonlyArray<CheckedStep<R>>
  readonly output: (scope: Scope) => Result.Result<unknown, ExpressionError>
  /** Says where and how an output violates `output.schema`, without the value itself; undefined if it does not. */
  readonly findOutputProblem: FindOutputProblem
  /** The flows that its steps call, each with its version. */
  readonly calls: ReadonlyArray<FlowCall>
  /** Validates `input.variables` of a run and fills in the defaults. */
  readonly validateVariables: ValidateVariables
}

/** One step, compiled: a step kind, or a control step that holds other steps. */
export type CheckedStep<R = unknown> =
  CheckedTask<R> | CheckedCall<R> | CheckedGroup<R> | CheckedParallel<R> | CheckedLoop<R> | CheckedSwitch<R>

interface CheckedCommon<R> {
  readonly id: string
  /** Whether the step runs; an `if` that evaluates to null counts as false. */
  readonly condition?: Condition
  readonly timeout?: Duration.Duration
  /** What happens if it fails: the execution fails, the output is null, or other steps produce the output. */
  readonly onError: "fail" | "continue" | CheckedBlock<R>
  /** Its share of the progress: 1 for a step kind, the sum of its steps for a control step. */
  readonly size: number
}

/** Evaluates a condition during a run. */
export type Condition = (scope: Scope) => Result.Result<boolean, ExpressionError>

/** A step that uses a step kind. */
export interface CheckedTask<R = unknown> extends CheckedCommon<R> {
  readonly action: "uses"
  readonly uses: string
  readonly kind: StepKind.Any<R>
  /** Whether it calls no service and changes nothing, so that it may start before earlier results are stored. */
  readonly onlyComputes: boolean
  /** The configuration for `kind.run`. Values that an earlier step made are passed through as they are, not copied. */
  readonly config: (scope: Scope) => Result.Result<unknown, ExpressionError | ConfigError>
  readonly retry?: CheckedRetry
  /** How long an output may be reused for the same configuration. */
  readonly cache?: Duration.Duration
}

/** A step that calls another flow. */
export interface CheckedCall<R = unknown> extends CheckedCommon<R> {
  readonly action: "flow"
  readonly flow: CheckedFlow<R>
  /** The configuration of the step, as for a step kind: the document, the variables. */
  readonly config: CheckedTask<R>["config"]
}

/** Steps that run in sequence, and their output. */
export interface CheckedBlock<R = unknown> {
  readonly steps: ReadonlyArray<CheckedStep<R>>
  readonly output: (scope: Scope) => Result.Result<unknown, ExpressionError>
  readonly size: number
}

/** A block with a condition, a time limit or an `onError` of its own. */
export interface CheckedGroup<R = unknown> extends CheckedCommon<R> {
  readonly action: "steps"
  readonly block: CheckedBlock<R>
}

/** Blocks that run in parallel; the output is an object with a field for each. */
export interface CheckedParallel<R = unknown> extends CheckedCommon<R> {
  readonly action: "parallel"
  readonly branches: ReadonlyArray<{
    readonly name: string
    /** Added between the step's path and the paths inside; empty if the branch is a single step of that name. */
    readonly segment: string
    readonly block: CheckedBlock<R>
  }>
}

/** A block that runs for each element of an array; the output is the array of its outputs. */
export interface CheckedLoop<R = unknown> extends CheckedCommon<R> {
  readonly action: "forEach"
  readonly in: (scope: Scope) => Result.Result<unknown, ExpressionError>
  /** The name of the element in expressions. */
  readonly as: string
  readonly concurrency: number
  readonly block: CheckedBlock<R>
}

/** Of several blocks, the first whose condition holds, or the last. */
export interface CheckedSwitch<R = unknown> extends CheckedCommon<R> {
  readonly action: "switch"
  readonly cases: ReadonlyArray<{ readonly when: Condition; readonly block: CheckedBlock<R> }>
  readonly default?: CheckedBlock<R>
}

/** How a step is retried. */
export interface CheckedRetry {
  /** The maximum number of attempts, the first one included. */
  readonly attempts: number
  /** The wait before the second attempt; it doubles each time. */
  readonly backoff: Duration.Duration
  /** Whether waits are randomized, so that many executions do not retry at once. */
  readonly jitter: boolean
  /** The failures that are retried; undefined means all. */
  readonly on: ReadonlyArray<FailureCode> | undefined
}
