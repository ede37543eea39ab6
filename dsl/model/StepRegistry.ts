import { Result, Schema } from "effect"
import type * as StepKind from "./StepKind.ts"

/**
 * The step kinds that flows can use: a plain value.
 *
 * @typeParam R the services that running them needs, all together
 */
export interface StepRegistry<R = unknown> {
  readonly kinds: ReadonlyMap<string, StepKind.Any<R>>
}

/** Builds a registry; a later kind replaces an earlier one of the same name. */
export const make = <const Kinds extends ReadonlyArray<StepKind.Any>>(
  kinds: Kinds & ReadonlyArray<StepKind.Any<StepKind.Services<Kinds[number]>>>
): StepRegistry<StepKind.Services<Kinds[number]>> => {
  const typed: ReadonlyArray<StepKind.Any<StepKind.Services<Kinds[number]>>> = kinds
  return { kinds: new Map(typed.map((kind) => [kind.name, kind])) }
}

/** A step kind of a program that cannot join the kinds that docflow comes with. */
export class InvalidStepKind extends Schema.TaggedError<InvalidStepKind>()("InvalidStepKind", {
  message: Schema.String
}) {}

/** A registry of a program's own kinds; their names must be valid, and none may be used twice or be one of `known`. */
export const ownKinds = <R>(
  kinds: ReadonlyArray<StepKind.Any<R>>,
  known: StepRegistry
): Result.Result<StepRegistry<R>, InvalidStepKind> => {
  const own = new Map<string, StepKind.Any<R>>()
  for (const kind of kinds) {
    const { name } = kind
    if (!/^[a-z][A-Za-z0-9-]*$/u.test(name))
      return invalid(`"${name}" is not a valid name for a step kind. Use a name like my-step`)
    if (known.kinds.has(name))
      return invalid(`The step kind "${name}" is built in. Choose another name for yours`)
    if (own.has(name)) return invalid(`Duplicate step kind "${name}". Give each a name of its own`)
    own.set(name, kind)
  }
  return Result.succeed({ kinds: own })
}

const invalid = (message: string) => Result.fail(new InvalidStepKind({ message }))

/** The names of all kinds, sorted. */
export const names = (registry: StepRegistry): ReadonlyArray<string> => [...registry.kinds.keys()].sort()
