import { Context, Effect, FileSystem, Path, Predicate, Result, Schema } from "effect"
import { Flag } from "effect/cli"
import { pathToFileURL } from "node:url"
import type * as StepKind from "../../dsl/model/StepKind.ts"
import { ownKinds, type StepRegistry } from "../../dsl/model/StepRegistry.ts"
import { isList } from "../../dsl/types/Values.ts"
import { fail } from "./CommandFailed.ts"
import { missingFile } from "./MissingFile.ts"

/** The file with custom step kinds. It runs with the rights of this process, as any program does. */
export const stepsFlag = Flag.String("steps").pipe(
  Flag.withDescription(
    "Module with your own step kinds, such as ./my-steps.ts, exported as `steps`. Its code is executed: name only files that you trust"
  ),
  Flag.optional
)

/** The custom step kinds that the command line names. */
export class OwnSteps extends Context.Service<OwnSteps, StepRegistry<never>>()("docflow/cli/OwnSteps") {}

/** Loads the step kinds that a module exports as `steps`; ends the command if it cannot. */
export const loadSteps = Effect.fnUntraced(function* (file: string, known: StepRegistry) {
  const path = yield* Path.Path
  const fs = yield* FileSystem.FileSystem
  if (file === "") return yield* fail("--steps needs the path of a module, such as ./my-steps.ts")
  yield* Effect.catch(fs.access(file), (error) => missingFile(file, error))
  const loaded: unknown = yield* Effect.tryPromise(() => import(pathToFileURL(path.resolve(file)).href)).pipe(
    Effect.catch(({ cause }) => fail(`${file} cannot be loaded: ${describe(cause)}`))
  )
  const steps = Predicate.hasProperty(loaded, "steps") ? loaded.steps : undefined
  if (!isList(steps)) return yield* fail(`${file} does not export an array \`steps\``)
  const kinds: Array<StepKind.Any<never>> = []
  for (const [index, step] of steps.entries()) {
    if (!isStepKind(step)) return yield* fail(`${file}: steps[${index}] was not made by StepKind.make`)
    kinds.push(step)
  }
  const own = ownKinds(kinds, known)
  return Result.isSuccess(own) ? own.success : yield* fail(`${file}: ${own.failure.message}`)
})

const describe = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** The services that a kind needs are not known here; a kind with services of its own dies with their names. */
const isStepKind = (value: unknown): value is StepKind.Any<never> =>
  Predicate.hasProperty(value, "name") &&
  Predicate.isString(value.name) &&
  Predicate.hasProperty(value, "description") &&
  Predicate.isString(value.description) &&
  Predicate.hasProperty(value, "config") &&
  Schema.isSchema(value.config) &&
  Predicate.hasProperty(value, "output") &&
  Schema.isSchema(value.output) &&
  Predicate.hasProperty(value, "errors") &&
  Predicate.isObject(value.errors) &&
  Predicate.hasProperty(value, "run") &&
  Predicate.isFunction(value.run)
