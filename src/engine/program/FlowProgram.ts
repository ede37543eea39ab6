import { Duration, Effect, Option } from "effect"
import { expressionBudget, type Scope } from "../../../dsl/expression/Scope.ts"
import { spentByAll } from "../../../dsl/expression/EvaluationErrors.ts"
import { executionOperations } from "../../../dsl/types/Values.ts"
import { parseDuration } from "../../../dsl/model/Words.ts"
import { creditPagesOf, type DocumentRef } from "../../domain/Document.ts"
import type { Environment } from "../../domain/Organization.ts"
import { evaluate, outputOf } from "./Evaluate.ts"
import { ExecutionBudget } from "./ExecutionBudget.ts"
import type { RunnableFlow } from "./FlowCatalog.ts"
import type { BlobStoreFailure } from "../../providers/blobs/Blobs.ts"
import type { FlowFailure } from "./FlowFailure.ts"
import { ModelAllowance, type KeptAnswers, ModelRun } from "../../providers/llm/ModelRun.ts"
import { modelBound } from "../../../dsl/model/ModelBound.ts"
import { Progress, ProgressWeight } from "../journal/Progress.ts"
import { runSteps } from "./StepProgram.ts"
import type { StepRecord } from "../journal/StepRecord.ts"
import { defined } from "../../support/Defined.ts"
import { ExecutionFailed, ExecutionTimeout } from "../../domain/Errors.ts"

/** The input of a flow. */
export interface FlowInput {
  readonly executionId: string
  /** The organization of the execution; null if there are none, as in a local run. */
  readonly organizationId: string | null
  readonly environment: Environment
  readonly document: DocumentRef
  readonly variables: { readonly [name: string]: unknown }
}

/** The runtime hooks of a flow's program; `E` is how they can fail. */
export interface RuntimeHooks<E> {
  /** The journal's record of a step that finished in an earlier run. */
  readonly recall: (path: string) => StepRecord | undefined
  /**
   * Called before each step that runs; may interrupt. `percentage` is the progress of the whole flow, 0–100. A step
   * that only computes need not wait until earlier steps are stored.
   */
  readonly checkpoint: (path: string, percentage: number, onlyComputes: boolean) => Effect.Effect<void, E>
  /** Stores the record of a step; `percentage` is the progress of the whole flow after it. */
  readonly record: (record: StepRecord, percentage: number) => Effect.Effect<void, E>
  /** Reports progress inside a step; may be dropped. */
  readonly progress: (path: string, percentage: number) => Effect.Effect<void>
}

/** Runs a checked flow on one document: step after step, each looked up in the journal before and recorded after. */
export const runFlow = <E>(
  flow: RunnableFlow,
  input: FlowInput,
  hooks: RuntimeHooks<E>
): Effect.Effect<unknown, FlowFailure | BlobStoreFailure | E> => {
  // The step that the flow's time limit ends: the last that began.
  let latest: string | undefined
  const watched: RuntimeHooks<E> = {
    ...hooks,
    checkpoint: (path, percentage, onlyComputes) => {
      latest = path
      return hooks.checkpoint(path, percentage, onlyComputes)
    }
  }
  const program = Effect.gen(function* () {
    yield* checkCredits(flow, creditPagesOf(input.document))
    const scope: Scope = {
      input: { document: input.document, variables: input.variables },
      variables: input.variables,
      steps: {},
      [expressionBudget]: { left: executionOperations, spent: spentByAll }
    }
    const size = flow.steps.reduce((total, step) => total + step.size, 0)
    const weight = new ProgressWeight(new Progress(size), size)
    const budget = new ExecutionBudget()
    const run = { input, hooks: watched, budget }
    const models = yield* ModelRun
    const answers: KeptAnswers = models.answers ?? { byRequest: new Map(), keep: () => Effect.void }
    const bound = modelBound(flow.definition, creditsOf(flow, creditPagesOf(input.document)))
    const after = yield* Effect.provideService(
      runSteps(flow.steps, run, { prefix: "", scope, weight }),
      ModelRun,
      {
        ...models,
        flow: flow.definition.id,
        answers,
        allowance: new ModelAllowance(bound, answers.byRequest.values())
      }
    )
    yield* evaluate(budget.stepsFit(), "output")
    return yield* outputOf(flow, after, "output", budget)
  })
  return Option.match(Option.flatMap(Option.fromUndefinedOr(flow.definition.timeout), parseDuration), {
    onNone: () => program,
    onSome: (limit) => withinFlowLimit(program, limit, () => latest)
  })
}

const creditsOf = ({ definition: { credits } }: RunnableFlow, pages: number): number =>
  credits.base + credits.perPage * pages

/** A document that would cost more than the flow's `maxCredits` is not processed, and nothing is charged for it. */
const checkCredits = (flow: RunnableFlow, pages: number): Effect.Effect<void, FlowFailure> => {
  const { maxCredits } = flow.definition
  const needed = creditsOf(flow, pages)
  return maxCredits === undefined || needed <= maxCredits
    ? Effect.void
    : new ExecutionFailed({
        message: `The document needs ${needed} credits; the flow allows ${maxCredits} for an execution`
      })
}

const withinFlowLimit = <A, E>(
  program: Effect.Effect<A, E>,
  limit: Duration.Duration,
  step: () => string | undefined
) =>
  Effect.timeoutOrElse(program, {
    duration: limit,
    orElse: () => {
      const at = step()
      return new ExecutionTimeout({
        message: `The flow took longer than its time limit of ${Duration.format(limit)}`,
        ...defined({ step: at })
      })
    }
  })
