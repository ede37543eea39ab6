import { Effect } from "effect"
import type {
  CheckedBlock,
  CheckedLoop,
  CheckedParallel,
  CheckedStep,
  CheckedSwitch
} from "../../../dsl/model/CheckedFlow.ts"
import { isList } from "../../../dsl/types/Values.ts"
import { evaluate } from "./Evaluate.ts"
import type { FlowFailure } from "./FlowFailure.ts"
import type { BlockContext } from "./StepProgram.ts"
import { ExecutionFailed } from "../../domain/Errors.ts"

/** Runs a block at a outer and gives its output. */
type RunBlock<E> = (
  block: CheckedBlock<never>,
  outer: BlockContext
) => Effect.Effect<unknown, FlowFailure | E>

type ControlStep = Exclude<CheckedStep<never>, { readonly action: "uses" | "flow" }>

/** The maximum number of elements of a loop; more are a mistake, or an attack. */
const mostElements = 10_000

/** Runs a control step; returns its output. */
export const runControlStep = <E>(
  step: ControlStep,
  path: string,
  outer: BlockContext,
  runBlock: RunBlock<E>
): Effect.Effect<unknown, FlowFailure | E> => {
  switch (step.action) {
    case "steps":
      return runBlock(step.block, { ...outer, prefix: `${path}.` })
    case "parallel":
      return runBranches(step, path, outer, runBlock)
    case "forEach":
      return runLoop(step, path, outer, runBlock)
    case "switch":
      return runSwitch(step, path, outer, runBlock)
  }
}

/** The first branch that fails interrupts the others. */
const runBranches = <E>(
  step: CheckedParallel<never>,
  path: string,
  outer: BlockContext,
  runBlock: RunBlock<E>
) => {
  const perSize = outer.weight.left / step.size
  return Effect.map(
    Effect.forEach(
      step.branches,
      ({ block, segment }) =>
        runBlock(block, {
          ...outer,
          prefix: `${path}.${segment}`,
          weight: outer.weight.take(block.size * perSize)
        }),
      { concurrency: "unbounded" }
    ),
    (outputs) => Object.fromEntries(step.branches.map(({ name }, index) => [name, outputs[index]]))
  )
}

const runLoop = Effect.fnUntraced(function* <E>(
  step: CheckedLoop<never>,
  path: string,
  outer: BlockContext,
  runBlock: RunBlock<E>
) {
  const value = yield* evaluate(step.in(outer.scope), path)
  const elements = isList(value) ? value : []
  if (elements.length > mostElements) {
    return yield* new ExecutionFailed({
      message: `The list has ${elements.length} elements; the limit of a loop is ${mostElements}`,
      step: path
    })
  }
  const each = outer.weight.left / elements.length
  return yield* Effect.forEach(
    elements,
    (element, index) =>
      runBlock(step.block, {
        prefix: `${path}.${index}.`,
        scope: { ...outer.scope, [step.as]: element, index },
        weight: outer.weight.take(each)
      }),
    { concurrency: step.concurrency }
  )
})

const runSwitch = Effect.fnUntraced(function* <E>(
  step: CheckedSwitch<never>,
  path: string,
  outer: BlockContext,
  runBlock: RunBlock<E>
) {
  for (const [index, { block, when }] of step.cases.entries()) {
    if (yield* evaluate(when(outer.scope), path))
      return yield* runBlock(block, { ...outer, prefix: `${path}.${index}.` })
  }
  if (step.default === undefined) return null
  return yield* runBlock(step.default, { ...outer, prefix: `${path}.default.` })
})
