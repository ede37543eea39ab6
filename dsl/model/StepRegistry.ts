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

/** The names of all kinds, sorted. */
export const names = (registry: StepRegistry): ReadonlyArray<string> => [...registry.kinds.keys()].sort()
