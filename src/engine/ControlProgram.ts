import { Effect } from "effect"
import type {
  CheckedBlock,
  CheckedLoop,
  CheckedParallel,
  CheckedStep,
  CheckedSwitch
} from "../../dsl/model/CheckedFlow.ts"
import { isList } from "../../dsl/types/Values.ts"
import { evaluate } from "./Evaluate.ts"
import { FlowFailure } from "./FlowFailure.ts"
import type { Place } from "./StepProgram.ts"

/** Runs a block at a place and gives its output. */
type RunBlock<E> = (block: CheckedBlock<never>, place: Place) => Effect.Effect<unknown, FlowFailure | E>

type Form = Exclude<CheckedStep<never>, { readonly form: "uses" | "flow" }>

/** A loop over more elements than this is a mistake, or an attack. */
const mostElements = 10_000

/** Runs what is inside a step that holds other steps; gives its output. */
export const runForm = <E>(
  step: Form,
  path: string,
  place: Place,
  runBlock: RunBlock<E>
): Effect.Effect<unknown, FlowFailure | E> => {
  switch (step.form) {
    case "steps":
      return runBlock(step.block, { ...place, prefix: `${path}.` })
    case "parallel":
      return runBranches(step, path, place, runBlock)
    case "forEach":
      return runLoop(step, path, place, runBlock)
    case "switch":
      return runSwitch(step, path, place, runBlock)
  }
}

/** The first branch that fails interrupts the others. */
const runBranches = <E>(step: CheckedParallel<never>, path: string, place: Place, runBlock: RunBlock<E>) => {
  const perSize = place.share.left / step.size
  return Effect.map(
    Effect.forEach(
      step.branches,
      ({ block, segment }) =>
        runBlock(block, {
          ...place,
          prefix: `${path}.${segment}`,
          share: place.share.take(block.size * perSize)
        }),
      { concurrency: "unbounded" }
    ),
    (outputs) => Object.fromEntries(step.branches.map(({ name }, index) => [name, outputs[index]]))
  )
}

const runLoop = Effect.fnUntraced(function* <E>(
  step: CheckedLoop<never>,
  path: string,
  place: Place,
  runBlock: RunBlock<E>
) {
  const value = yield* evaluate(step.in(place.scope), path)
  const elements = isList(value) ? value : []
  if (elements.length > mostElements) {
    return yield* new FlowFailure({
      code: "EXECUTION_FAILED",
      message: `The list has ${elements.length} elements; the limit of a loop is ${mostElements}`,
      step: path
    })
  }
  const each = place.share.left / elements.length
  return yield* Effect.forEach(
    elements,
    (element, index) =>
      runBlock(step.block, {
        prefix: `${path}.${index}.`,
        scope: { ...place.scope, [step.as]: element, index },
        share: place.share.take(each)
      }),
    { concurrency: step.concurrency }
  )
})

const runSwitch = Effect.fnUntraced(function* <E>(
  step: CheckedSwitch<never>,
  path: string,
  place: Place,
  runBlock: RunBlock<E>
) {
  for (const [index, { block, when }] of step.cases.entries()) {
    if (yield* evaluate(when(place.scope), path))
      return yield* runBlock(block, { ...place, prefix: `${path}.${index}.` })
  }
  if (step.default === undefined) return null
  return yield* runBlock(step.default, { ...place, prefix: `${path}.default.` })
})
