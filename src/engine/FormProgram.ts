import { Effect } from "effect"
import type { CheckedLoop, CheckedParallel, CheckedStep, CheckedSwitch } from "../../dsl/CheckedFlow.ts"
import { isList } from "../../dsl/Values.ts"
import { FlowFailure } from "./FlowFailure.ts"
import { evaluate, type Place, type Run, runBlock } from "./StepProgram.ts"

type Form = Exclude<CheckedStep<never>, { readonly form: "uses" }>

/** A loop over more elements than this is a mistake, or an attack. */
const mostElements = 10_000

/** Runs what is inside a step that holds other steps; gives its output. */
export const runForm = <E>(
  step: Form,
  path: string,
  run: Run<E>,
  place: Place
): Effect.Effect<unknown, FlowFailure | E> => {
  switch (step.form) {
    case "steps":
      return runBlock(step.block, run, { ...place, prefix: `${path}.` })
    case "parallel":
      return runBranches(step, path, run, place)
    case "forEach":
      return runLoop(step, path, run, place)
    case "switch":
      return runSwitch(step, path, run, place)
  }
}

/** The first branch that fails interrupts the others. */
const runBranches = <E>(step: CheckedParallel<never>, path: string, run: Run<E>, place: Place) => {
  const perSize = place.share.left / step.size
  return Effect.map(
    Effect.forEach(
      step.branches,
      ({ block, segment }) =>
        runBlock(block, run, {
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
  run: Run<E>,
  place: Place
) {
  const value = yield* evaluate(step.in(place.scope), path)
  const elements = isList(value) ? value : []
  if (elements.length > mostElements) {
    return yield* new FlowFailure({
      code: "EXECUTION_FAILED",
      message: `The list has ${elements.length} elements; a loop takes at most ${mostElements}`,
      step: path
    })
  }
  const each = place.share.left / elements.length
  return yield* Effect.forEach(
    elements,
    (element, index) =>
      runBlock(step.block, run, {
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
  run: Run<E>,
  place: Place
) {
  for (const [index, { block, when }] of step.cases.entries()) {
    if (yield* evaluate(when(place.scope), path))
      return yield* runBlock(block, run, { ...place, prefix: `${path}.${index}.` })
  }
  if (step.default === undefined) return null
  return yield* runBlock(step.default, run, { ...place, prefix: `${path}.default.` })
})
