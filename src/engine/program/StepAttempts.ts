import { Duration, Effect, Random, Result } from "effect"
import type { CheckedRetry, CheckedTask } from "../../../dsl/model/CheckedFlow.ts"
import type { Scope } from "../../../dsl/expression/Scope.ts"
import { failureCode, type StepContext } from "../../../dsl/model/StepKind.ts"
import { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { describeDefect, flowFailure, type FlowFailure, shortened } from "./FlowFailure.ts"
import { defined } from "../../support/Defined.ts"
import { inSpan } from "../../support/InSpan.ts"
import { ExecutionFailed, ExecutionTimeout } from "../../domain/Errors.ts"

/** A step of a kind, its configuration within the execution's budget. */
export interface BoundedTask extends Omit<CheckedTask<never>, "config"> {
  readonly config: (scope: Scope) => Result.Result<unknown, { readonly message: string }>
}

/** The number of attempts of a step. */
export interface Attempts {
  made: number
}

/**
 * Runs a step until it succeeds or its retries are used up; `attempts` counts them. Fails with the error of the
 * execution, or with BlobStoreFailure if the blob store is unavailable.
 */
export const runAttempts = (
  step: BoundedTask,
  scope: Scope,
  context: StepContext,
  attempts: Attempts
): Effect.Effect<unknown, FlowFailure | BlobStoreFailure> => {
  if (step.retry === undefined) {
    return Effect.suspend(() => {
      attempts.made++
      return runOnce(step, scope, context)
    })
  }
  const attempt: Effect.Effect<unknown, FlowFailure | BlobStoreFailure> = Effect.gen(function* () {
    const made = ++attempts.made
    const result = yield* Effect.result(runOnce(step, scope, context))
    if (Result.isSuccess(result)) return result.success
    const { failure } = result
    if (failure instanceof BlobStoreFailure) return yield* failure
    if (!isWorthAnother(step.retry, made, failure)) return yield* failure
    yield* Effect.sleep(yield* waitBefore(step.retry, made))
    return yield* attempt
  })
  return attempt
}

const runOnce = (
  step: BoundedTask,
  scope: Scope,
  context: StepContext
): Effect.Effect<unknown, FlowFailure | BlobStoreFailure> => {
  const config = step.config(scope)
  if (Result.isFailure(config)) return failed(context, config.failure.message)
  const work = step.kind.run(config.success, context).pipe(
    Effect.mapError((failure) =>
      // Unavailable storage says nothing about the step: the execution is tried again.
      failure instanceof BlobStoreFailure
        ? failure
        : flowFailure(failureCode(step.kind, failure), {
            message: shortened(failure.message),
            step: context.path,
            ...defined({ findings: failure.findings })
          })
    ),
    Effect.catchDefect((defect) =>
      Effect.andThen(
        Effect.logError("A step died", describeDefect(defect)),
        failed(context, "The step failed unexpectedly")
      )
    ),
    inSpan("step", { "docflow.step": context.path, "docflow.step.kind": step.uses })
  )
  if (step.timeout === undefined) return work
  const limit = step.timeout
  return Effect.timeoutOrElse(work, {
    duration: limit,
    orElse: () =>
      new ExecutionTimeout({
        message: `The step took longer than its time limit of ${Duration.format(limit)}`,
        step: context.path
      })
  })
}

const failed = ({ path }: StepContext, message: string) =>
  Effect.fail(new ExecutionFailed({ message, step: path }))

const isWorthAnother = (
  retry: CheckedRetry | undefined,
  made: number,
  failure: FlowFailure
): retry is CheckedRetry =>
  retry !== undefined && made < retry.attempts && (retry.on === undefined || retry.on.includes(failure._tag))

/** The back-off doubles with every attempt; with jitter it is between half of that and all of it. */
const waitBefore = (retry: CheckedRetry, made: number): Effect.Effect<Duration.Duration> => {
  const longest = Duration.times(retry.backoff, 2 ** (made - 1))
  return retry.jitter
    ? Effect.map(Random.next, (part) => Duration.times(longest, 0.5 + part / 2))
    : Effect.succeed(longest)
}
