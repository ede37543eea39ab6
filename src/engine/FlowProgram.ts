import { Clock, Duration, Effect, Option, Ref, Result } from "effect"
import type { CheckedStep } from "../../dsl/CheckedFlow.ts"
import type { Scope } from "../../dsl/Scope.ts"
import { parseDuration } from "../../dsl/Words.ts"
import type { DocumentRef } from "../domain/Document.ts"
import type { Environment } from "../domain/Organization.ts"
import type { RunnableFlow } from "./FlowCatalog.ts"
import { FlowFailure } from "./FlowFailure.ts"
import { runAttempts } from "./StepAttempts.ts"
import type { StepRecord } from "./StepRecord.ts"

/** What a flow is run on. */
export interface FlowInput {
  readonly executionId: string
  readonly environment: Environment
  readonly document: DocumentRef
  readonly variables: { readonly [name: string]: unknown }
}

/** How the program of a flow speaks with what is around it; `E` is how the surroundings can fail. */
export interface Surroundings<E> {
  /** What the journal has of a step that finished in an earlier run. */
  readonly recall: (path: string) => StepRecord | undefined
  /** Called before each step that runs: may interrupt. `percentage` is what is done of the whole flow, 0–100. */
  readonly checkpoint: (path: string, percentage: number) => Effect.Effect<void, E>
  /** Keeps what a step did; `percentage` is what is done of the whole flow with it. */
  readonly record: (record: StepRecord, percentage: number) => Effect.Effect<void, E>
  /** Reports progress inside a step; may be dropped. */
  readonly progress: (path: string, percentage: number) => Effect.Effect<void>
}

/** Runs a checked flow on one document: step after step, each looked up in the journal before and recorded after. */
export const runFlow = <E>(
  flow: RunnableFlow,
  input: FlowInput,
  surroundings: Surroundings<E>
): Effect.Effect<unknown, FlowFailure | E> => {
  const program = Effect.gen(function* () {
    const outputs: Record<string, unknown> = Object.create(null)
    const scope: Scope = {
      input: { document: input.document, variables: input.variables },
      variables: input.variables,
      steps: outputs
    }
    for (const [index, step] of flow.steps.entries()) {
      const record = yield* runStep(step, scope, input, surroundings, {
        index,
        count: flow.steps.length
      })
      outputs[step.id] = record.output
    }
    return yield* evaluate(flow.output(scope), "output")
  })
  return Option.match(Option.flatMap(Option.fromUndefinedOr(flow.definition.timeout), parseDuration), {
    onNone: () => program,
    onSome: (limit) => withinFlowLimit(program, limit)
  })
}

interface Position {
  readonly index: number
  readonly count: number
}

const runStep = Effect.fnUntraced(function* <E>(
  step: CheckedStep<never>,
  scope: Scope,
  input: FlowInput,
  surroundings: Surroundings<E>,
  { count, index }: Position
) {
  const recalled = surroundings.recall(step.path)
  if (recalled !== undefined) return yield* goOnWith(step, recalled)
  const percentageAt = (fraction: number) => (100 * (index + Math.min(Math.max(fraction, 0), 1))) / count
  yield* surroundings.checkpoint(step.path, percentageAt(0))
  const startedAt = yield* Clock.currentTimeMillis
  const attempts = yield* Ref.make(0)
  const progress = (fraction: number) => surroundings.progress(step.path, percentageAt(fraction))
  const finish = (rest: Pick<StepRecord, "status" | "output"> & Partial<StepRecord>) =>
    Effect.gen(function* () {
      const record: StepRecord = {
        path: step.path,
        kind: step.uses,
        startedAt: new Date(startedAt),
        durationMs: (yield* Clock.currentTimeMillis) - startedAt,
        attempts: yield* Ref.get(attempts),
        ...rest
      }
      yield* surroundings.record(record, percentageAt(1))
      return record
    })

  if (step.condition !== undefined && !(yield* evaluate(step.condition(scope), step.path))) {
    return yield* finish({ status: "skipped", output: null })
  }
  const context = {
    executionId: input.executionId,
    path: step.path,
    environment: input.environment,
    progress
  }
  const result = yield* Effect.result(runAttempts(step, scope, context, attempts))
  if (Result.isSuccess(result)) return yield* finish({ status: "completed", output: result.success })
  const { code, message } = result.failure
  const error = { code, message, step: step.path }
  return yield* goOnWith(step, yield* finish({ status: "failed", output: null, error }))
})

/** A failed step ends the flow, unless its author lets the flow continue. */
const goOnWith = (step: CheckedStep<never>, record: StepRecord): Effect.Effect<StepRecord, FlowFailure> =>
  record.status === "failed" && record.error !== undefined && step.onError === "fail"
    ? Effect.fail(new FlowFailure(record.error))
    : Effect.succeed(record)

const evaluate = <A>(result: Result.Result<A, { readonly message: string }>, step: string) =>
  Effect.mapError(
    Effect.fromResult(result),
    ({ message }) => new FlowFailure({ code: "EXECUTION_FAILED", message, step })
  )

const withinFlowLimit = <A, E>(program: Effect.Effect<A, E>, limit: Duration.Duration) =>
  Effect.timeoutOrElse(program, {
    duration: limit,
    orElse: () =>
      new FlowFailure({
        code: "EXECUTION_TIMEOUT",
        message: `The flow took longer than its time limit of ${Duration.format(limit)}`
      })
  })
