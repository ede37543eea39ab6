import { Duration, Effect, Option, Predicate, Result, Schema } from "effect"
import type { CheckedCall } from "../../../dsl/model/CheckedFlow.ts"
import { expressionBudget, type Scope } from "../../../dsl/expression/Scope.ts"
import { parseDuration } from "../../../dsl/model/Words.ts"
import { DocumentRef } from "../../domain/Document.ts"
import { calledDocument } from "./CalledDocument.ts"
import { evaluate, inOneTurn } from "./Evaluate.ts"
import type { RunnableFlow } from "./FlowCatalog.ts"
import { within } from "./ExecutionBudget.ts"
import type { FlowFailure } from "./FlowFailure.ts"
import { outputOf } from "./FlowOutput.ts"
import type { BlockContext, Run, runSteps } from "./StepProgram.ts"
import { ExecutionTimeout, ValidationFailed } from "../../domain/Errors.ts"

const Config = Schema.Struct({
  document: Schema.Unknown,
  pages: Schema.optionalKey(Schema.Struct({ from: Schema.Int, to: Schema.Int })),
  variables: Schema.optionalKey(Schema.Unknown)
})
const decodeConfig = Schema.decodeUnknownEffect(Config)
const decodeOwn = Schema.decodeUnknownEffect(Schema.toType(DocumentRef))

/**
 * Runs a flow as a step of another one, with its own document and variables; its records are below the path of the
 * step.
 */
export const runCall = Effect.fnUntraced(function* <E>(
  { config, flow }: CheckedCall<never>,
  path: string,
  run: Run<E>,
  outer: BlockContext,
  runAll: typeof runSteps
) {
  const given = yield* Effect.orDie(
    decodeConfig(yield* evaluate(within(run.budget, inOneTurn(config, outer.scope)), path))
  )
  const own = yield* Effect.orDie(decodeOwn(documentOf(outer.scope)))
  const document = yield* calledDocument(given.document, given.pages, { own, flow, path })
  const variables = flow.validateVariables(given.variables)
  if (Result.isFailure(variables)) {
    const message = variables.failure.map(({ field, reason }) => `${field} ${reason}`).join("; ")
    return yield* new ValidationFailed({ message, step: path })
  }
  const values = variables.success
  const scope: Scope = {
    input: { document, variables: values },
    variables: values,
    steps: {},
    [expressionBudget]: outer.scope[expressionBudget]
  }
  const inside = { prefix: `${path}.`, scope, weight: outer.weight }
  const steps = runAll(flow.steps, { ...run, calibration: flow.calibration }, inside)
  return yield* withinLimit(
    Effect.flatMap(steps, (after) => outputOf(flow, after, path, run.budget)),
    flow,
    path
  )
})

const documentOf = ({ input }: Scope): unknown =>
  Predicate.hasProperty(input, "document") ? input.document : undefined

const withinLimit = <A, E>(program: Effect.Effect<A, E>, { definition }: RunnableFlow, path: string) =>
  Option.match(Option.flatMap(Option.fromUndefinedOr(definition.timeout), parseDuration), {
    onNone: () => program,
    onSome: (duration): Effect.Effect<A, E | FlowFailure> =>
      Effect.timeoutOrElse(program, {
        duration,
        orElse: () =>
          new ExecutionTimeout({
            message: `The flow ${definition.id} took longer than its time limit of ${Duration.format(duration)}`,
            step: path
          })
      })
  })
