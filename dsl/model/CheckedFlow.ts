import type { Duration, JsonSchema, Result } from "effect"
import type { Calibration } from "./Calibration.ts"
import type { ConfigError, ExpressionError } from "../expression/EvaluationErrors.ts"
import type { FlowCall } from "./FlowCalls.ts"
import type { FlowDefinition } from "./FlowDefinition.ts"
import type { FindOutputProblem } from "./OutputValidator.ts"
import type { Scope } from "../expression/Scope.ts"
import type { FailureCode } from "../../src/domain/FailureCode.ts"
import type * as StepKind from "./StepKind.ts"
import type { ValidateVariables } from "./VariablesValidator.ts"

/**
 * A flow that passed its check, ready to be run: everything is parsed and compiled, a run parses nothing.
 *
 * @typeParam R the services that its steps need
 */
export interface CheckedFlow<R = unknown> {
  readonly definition: FlowDefinition
  /** SHA-256 in hexadecimal of the definition's canonical form: the same for two files that mean the same. */
  readonly hash: string
  /** The run's `input`: the document, and the flow's own variables. */
  readonly inputSchema: JsonSchema.JsonSchema
  readonly outputSchema: JsonSchema.JsonSchema
  /** In the order in which they run. */
  readonly steps: ReadonlyArray<CheckedStep<R>>
  readonly output: (scope: Scope) => Result.Result<unknown, ExpressionError>
  /** What the output is that `output.schema` does not promise: where and how, not what is there; undefined if nothing. */
  readonly findOutputProblem: FindOutputProblem
  /** The flows that its steps run, each with the version that was found for it. */
  readonly calls: ReadonlyArray<FlowCall>
  /** Judges `input.variables` of a run and fills in the defaults. */
  readonly validateVariables: ValidateVariables
  /** What the confidences of its steps are worth, where that was measured: data about the flow, no part of its hash. */
  readonly calibration?: Calibration | undefined
}

/** One step, compiled: a step kind, or a control step that holds other steps. */
export type CheckedStep<R = unknown> =
  CheckedTask<R> | CheckedCall<R> | CheckedGroup<R> | CheckedParallel<R> | CheckedLoop<R> | CheckedSwitch<R>

interface CheckedCommon<R> {
  readonly id: string
  /** Whether the step runs; an `if` that cannot be judged (null) counts as false. */
  readonly condition?: Condition
  readonly timeout?: Duration.Duration
  /** What happens when it fails: the execution fails, its output is null, or other steps give the output. */
  readonly onError: "fail" | "continue" | CheckedBlock<R>
  /** How much of a flow it is: 1 for a step kind, the steps inside for a control step. */
  readonly size: number
}

/** Judges a condition in a run. */
export type Condition = (scope: Scope) => Result.Result<boolean, ExpressionError>

/** A step that uses a step kind. */
export interface CheckedTask<R = unknown> extends CheckedCommon<R> {
  readonly action: "uses"
  readonly uses: string
  readonly kind: StepKind.Any<R>
  /** The configuration for `kind.run`. Values that an earlier step made are passed through as they are, not copied. */
  readonly config: (scope: Scope) => Result.Result<unknown, ExpressionError | ConfigError>
  readonly retry?: CheckedRetry
  /** For how long an output may be used again for the same configuration. */
  readonly cache?: Duration.Duration
}

/** A step that runs another flow. */
export interface CheckedCall<R = unknown> extends CheckedCommon<R> {
  readonly action: "flow"
  readonly flow: CheckedFlow<R>
  /** The configuration of the step, as for a step kind: the document, the variables. */
  readonly config: CheckedTask<R>["config"]
}

/** Steps that run one after the other, and what they give together. */
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

/** Blocks that run side by side; the output is an object with a field for each. */
export interface CheckedParallel<R = unknown> extends CheckedCommon<R> {
  readonly action: "parallel"
  readonly branches: ReadonlyArray<{
    readonly name: string
    /** Between the step's path and the paths inside: empty where the branch is a single step of that name. */
    readonly segment: string
    readonly block: CheckedBlock<R>
  }>
}

/** A block that runs for each element of a list; the output is the list of what it gives. */
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

/** How a step is tried again. */
export interface CheckedRetry {
  /** How often it is tried in all, the first time included. */
  readonly attempts: number
  /** The wait before the second attempt; it doubles each time. */
  readonly backoff: Duration.Duration
  /** Whether the waits are varied at random, so that many executions do not return at once. */
  readonly jitter: boolean
  /** The failures that are worth another attempt; undefined means all. */
  readonly on: ReadonlyArray<FailureCode> | undefined
}
