import { Predicate } from "effect"
import { pointerTo } from "../../support/JsonPointer.ts"
import type { Difference, OutputDiff } from "../../domain/Replay.ts"
import { defined } from "../../support/Defined.ts"

/**
 * Where two JSON values differ, in the order of the first. A side without a value is omitted; members of objects are
 * compared in any order, elements of arrays by index.
 */
export const diffOutputs = (before: unknown, after: unknown): OutputDiff => {
  const differences = [...differencesAt("", before, after)]
  return { same: differences.length === 0, differences }
}

function* differencesAt(path: string, before: unknown, after: unknown): Generator<Difference> {
  if (Object.is(before, after)) return
  const left = membersOf(before)
  const right = membersOf(after)
  if (left === undefined || right === undefined || Array.isArray(before) !== Array.isArray(after)) {
    yield { path, ...defined({ before, after }) }
    return
  }
  for (const name of new Set([...left.keys(), ...right.keys()])) {
    yield* differencesAt(pointerTo(path, name), left.get(name), right.get(name))
  }
}

const membersOf = (value: unknown): ReadonlyMap<string, unknown> | undefined =>
  Predicate.isObjectOrArray(value) ? new Map(Object.entries(value)) : undefined
