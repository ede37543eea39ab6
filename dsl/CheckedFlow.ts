import type { Duration, JsonSchema, Result } from "effect"
import type { ConfigError, ExpressionError } from "./Errors.ts"
import type { FlowDefinition } from "./FlowDefinition.ts"
import type { Scope } from "./Scope.ts"
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
  /** Judges `input.variables` of a run and fills in the defaults. */
  readonly validateVariables: ValidateVariables
}

/** One step, compiled. */
export interface CheckedStep<R = unknown> {
  readonly id: string
  /** The path under which its result is kept: its id, or `outer.inner` inside a block. */
  readonly path: string
  readonly uses: string
  readonly kind: StepKind.Any<R>
  /** The configuration for `kind.run`. Values that an earlier step made are passed through as they are, not copied. */
  readonly config: (scope: Scope) => Result.Result<unknown, ExpressionError | ConfigError>
  /** Whether the step runs; an `if` that cannot be judged (null) counts as false. */
  readonly condition?: (scope: Scope) => Result.Result<boolean, ExpressionError>
  readonly timeout?: Duration.Duration
  readonly retry?: CheckedRetry
  readonly onError: "fail" | "continue"
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
  readonly on: ReadonlyArray<StepKind.FailureCode> | undefined
}
