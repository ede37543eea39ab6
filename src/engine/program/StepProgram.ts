import { Clock, Duration, Effect, Result } from "effect"
import type { CheckedBlock, CheckedStep } from "../../../dsl/model/CheckedFlow.ts"
import type { Scope } from "../../../dsl/expression/Scope.ts"
import { runCall } from "./CallProgram.ts"
import { evaluate, inOneTurn } from "./Evaluate.ts"
import { runControlStep } from "./ControlProgram.ts"
import type { FlowInput, RuntimeHooks } from "./FlowProgram.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import { type ExecutionBudget, within } from "./ExecutionBudget.ts"
import { countStep } from "../placement/ExecutionMetrics.ts"
import { type FlowFailure, flowFailure, isFlowFailure } from "./FlowFailure.ts"
import type { ProgressWeight } from "../journal/Progress.ts"
import { type Attempts, runAttempts } from "./StepAttempts.ts"
import { cached } from "./StepCache.ts"
import type { StepRecord } from "../journal/StepRecord.ts"
import { ExecutionFailed, ExecutionTimeout } from "../../domain/Errors.ts"

/** What all steps of a run share. */
export interface Run<E> {
  readonly input: FlowInput
  readonly hooks: RuntimeHooks<E>
  readonly budget: ExecutionBudget
}

/**
 * The context of a block: its paths begin with `prefix`, its expressions see `scope`, and it accounts for `weight` of
 * the progress.
 */
export interface BlockContext {
  readonly prefix: string
  readonly scope: Scope
  readonly weight: ProgressWeight
}

/** Runs steps in sequence; returns the scope after the last. */
export const runSteps = Effect.fnUntraced(function* <E>(
  steps: ReadonlyArray<CheckedStep<never>>,
  run: Run<E>,
  { prefix, scope, weight }: BlockContext
) {
  const outputs: Record<string, unknown> = Object.assign(Object.create(null), scope.steps)
  const inside: Scope = { ...scope, steps: outputs }
  const perSize = weight.left / steps.reduce((total, step) => total + step.size, 0)
  for (const step of steps) {
    const outer = { prefix, scope: inside, weight: weight.take(step.size * perSize) }
    outputs[step.id] = yield* runStep(step, run, outer)
  }
  return inside
})

/** Runs a block; returns its output. */
const runBlock = <E>(
  block: CheckedBlock<never>,
  run: Run<E>,
  outer: BlockContext
): Effect.Effect<unknown, FlowFailure | BlobStoreFailure | E> =>
  Effect.flatMap(runSteps(block.steps, run, outer), (after) =>
    evaluate(inOneTurn(block.output, after), outer.prefix.replace(/\.$/u, ""))
  )

type Finished = Pick<StepRecord, "status" | "output"> & Pick<Partial<StepRecord>, "attempts" | "error">

/** Records a finished step. */
const finished = <E>(
  step: CheckedStep<never>,
  path: string,
  {
    startedAt,
    ...rest
  }: Omit<Finished, "startedAt"> & { readonly startedAt: number; readonly attempts: number },
  { hooks }: Run<E>,
  weight: ProgressWeight
): Effect.Effect<StepRecord, E> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    const kind = step.action === "uses" ? step.uses : step.action
    const record = { path, kind, startedAt: new Date(startedAt), durationMs: now - startedAt, ...rest }
    const handled = rest.status === "failed" && typeof step.onError === "object"
    const recorded = hooks.record(record, weight.percentageAt(handled ? 0 : 1))
    return Effect.as(Effect.andThen(recorded, countStep(kind, rest.status, record.durationMs)), record)
  })

const runStep = Effect.fnUntraced(function* <E>(step: CheckedStep<never>, run: Run<E>, outer: BlockContext) {
  const { weight } = outer
  const { hooks } = run
  const path = outer.prefix + step.id
  // Expressions of many steps in a row must not keep requests waiting.
  yield* Effect.yieldNow
  // Not the step's failure, so `onError` does not apply.
  yield* evaluate(run.budget.step(), path)
  const recalled = hooks.recall(path)
  if (recalled !== undefined) {
    yield* counted(step, recalled.output, run)
    return yield* goOnWith(step, recalled, run, outer)
  }
  // Control steps do nothing themselves.
  const onlyComputes = step.action !== "uses" || step.onlyComputes
  yield* hooks.checkpoint(path, weight.percentageAt(0), onlyComputes)
  const startedAt = yield* Clock.currentTimeMillis
  const tries = { made: step.action === "uses" ? 0 : 1 }
  const finish = (rest: Finished) =>
    finished(step, path, { startedAt, attempts: tries.made, ...rest }, run, weight)

  if (step.condition !== undefined && !(yield* evaluate(step.condition(outer.scope), path))) {
    const skipped = yield* finish({ status: "skipped", output: null, attempts: 0 })
    return yield* goOnWith(step, skipped, run, outer)
  }
  const made = yield* work(step, path, run, outer, tries)
  const result = Result.isFailure(made)
    ? made
    : Result.mapBoth(yield* counted(step, made.success, run), {
        onSuccess: () => made.success,
        onFailure: ({ message }) => new ExecutionFailed({ message, step: path })
      })
  const record = Result.isSuccess(result)
    ? yield* finish({ status: "completed", output: result.success })
    : yield* finish({
        status: "failed",
        output: result.failure.findings ?? null,
        error: errorOf(result.failure, path)
      })
  return yield* goOnWith(step, record, run, outer)
})

/** Counts the output of a step: what control steps make of those of others is a value like any that expressions make. */
const counted = <E>(step: CheckedStep<never>, output: unknown, { budget }: Run<E>) =>
  step.action === "uses" && step.kind.readsDocument === true
    ? budget.addReading(output)
    : Effect.sync(() =>
        step.action === "uses"
          ? budget.add(output)
          : Result.flatMap(budget.fits(output), () => budget.add(output))
      )

/** Does the work of a step. Failures of the flow become values; failures of the hooks remain failures. */
const work = <E>(
  step: CheckedStep<never>,
  path: string,
  run: Run<E>,
  outer: BlockContext,
  attempts: Attempts
): Effect.Effect<Result.Result<unknown, FlowFailure>, E | BlobStoreFailure> => {
  const { input, hooks } = run
  if (step.action === "uses") {
    const context = {
      executionId: input.executionId,
      path,
      environment: input.environment,
      progress: (fraction: number) => hooks.progress(path, outer.weight.percentageAt(fraction))
    }
    const task = { ...step, config: (scope: Scope) => within(run.budget, inOneTurn(step.config, scope)) }
    return flowFailureAsValue(
      cached(task, outer.scope, input, runAttempts(task, outer.scope, context, attempts))
    )
  }
  const control: Effect.Effect<unknown, FlowFailure | BlobStoreFailure | E> =
    step.action === "flow"
      ? runCall(step, path, run, outer, runSteps)
      : runControlStep(step, path, outer, (block, inside) => runBlock(block, run, inside))
  const limited =
    step.timeout === undefined
      ? control
      : Effect.timeoutOrElse(control, {
          duration: step.timeout,
          orElse: () => tookTooLong(step.timeout ?? Duration.zero, path)
        })
  return flowFailureAsValue(limited)
}

const flowFailureAsValue = <E>(
  program: Effect.Effect<unknown, FlowFailure | E>
): Effect.Effect<Result.Result<unknown, FlowFailure>, E> =>
  Effect.matchEffect(program, {
    onSuccess: (output) => Effect.succeed(Result.succeed(output)),
    onFailure: (error) => (isFlowFailure(error) ? Effect.succeed(Result.fail(error)) : Effect.fail<E>(error))
  })

const tookTooLong = (limit: Duration.Duration, path: string) =>
  new ExecutionTimeout({
    message: `The step took longer than its time limit of ${Duration.format(limit)}`,
    step: path
  })

const errorOf = ({ _tag, message, step }: FlowFailure, path: string) => ({
  code: _tag,
  message,
  step: step ?? path
})

/** The output that later steps see. A failed step ends the flow, unless its author lets the flow continue or handles it. */
const goOnWith = <E>(
  step: CheckedStep<never>,
  record: StepRecord,
  run: Run<E>,
  { prefix, scope, weight }: BlockContext
): Effect.Effect<unknown, FlowFailure | BlobStoreFailure | E> => {
  const { error } = record
  if (record.status !== "failed" || error === undefined || step.onError === "continue") {
    weight.finish()
    return Effect.succeed(record.status === "failed" ? null : record.output)
  }
  if (step.onError === "fail") return Effect.fail(flowFailure(error.code, error))
  const inside = { prefix: `${prefix}${step.id}.onError.`, scope: { ...scope, error }, weight }
  return Effect.tap(runBlock(step.onError, run, inside), () => Effect.sync(() => weight.finish()))
}
