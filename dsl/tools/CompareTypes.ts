import { formatPath, type Path } from "../source/Problem.ts"
import * as Type from "../types/Type.ts"
import { describe } from "../types/TypeDescribe.ts"
import { mismatch } from "../types/TypeFits.ts"

/** The part of the version that a change increments. */
export type Bump = "none" | "patch" | "minor" | "major"

/** A change that a caller can see. */
export interface Change {
  readonly bump: Bump
  readonly reason: string
}

/** Which way the values go: callers read outputs and write inputs. */
export type Direction = "output" | "input"

/** Every change between two types, field by field; `name` says what they are the types of. */
export const compareTypes = (
  before: Type.Type,
  after: Type.Type,
  direction: Direction,
  name: string
): ReadonlyArray<Change> => new Comparison(direction, name).compare(before, after, [], 0)

/** The depth to which nested types are compared; beyond, they are compared as a whole. */
const deepest = 20

class Comparison {
  readonly #direction: Direction
  readonly #name: string

  constructor(direction: Direction, name: string) {
    this.#direction = direction
    this.#name = name
  }

  compare(before: Type.Type, after: Type.Type, path: Path, depth: number): ReadonlyArray<Change> {
    const [old, now] = [onlyMember(before), onlyMember(after)]
    const bothMayBeNull = Type.mayBeNull(before) === Type.mayBeNull(after)
    if (depth < deepest && bothMayBeNull) {
      if (old?.kind === "object" && now?.kind === "object") return this.#objects(old, now, path, depth)
      if (old?.kind === "list" && now?.kind === "list")
        return this.compare(old.items, now.items, [...path, 0], depth + 1)
    }
    return this.#whole(before, after, path)
  }

  #objects(
    before: Type.ObjectType,
    after: Type.ObjectType,
    path: Path,
    depth: number
  ): ReadonlyArray<Change> {
    const changes: Array<Change> = []
    for (const [field, old] of before.fields) {
      const now = after.fields.get(field)
      const inside = [...path, field]
      if (now === undefined) {
        changes.push(this.#change("major", inside, "is removed"))
        continue
      }
      if (old.optional !== now.optional) changes.push(this.#optional(now.optional, inside))
      changes.push(...this.compare(old.type, now.type, inside, depth + 1))
    }
    for (const [field, now] of after.fields) {
      if (before.fields.has(field)) continue
      const isDemanded = this.#direction === "input" && !now.optional
      changes.push(
        isDemanded
          ? this.#change("major", [...path, field], "is new and required")
          : this.#change("minor", [...path, field], "is new")
      )
    }
    return changes
  }

  #optional(isOptional: boolean, path: Path): Change {
    if (this.#direction === "input")
      return isOptional
        ? this.#change("minor", path, "is optional now")
        : this.#change("major", path, "is required now")
    return isOptional
      ? this.#change("major", path, "may be absent now")
      : this.#change("minor", path, "is always present now")
  }

  /** Readers of a value are affected by every change; writers only if what they wrote is no longer accepted. */
  #whole(before: Type.Type, after: Type.Type, path: Path): ReadonlyArray<Change> {
    const options = { extraFields: "refused" } as const
    const stillTaken = mismatch(before, after, options) === undefined
    const nothingNew = mismatch(after, before, options) === undefined
    if (stillTaken && nothingNew) return []
    const [old, now] = [describe(before), describe(after)]
    const words = old === now ? "changed" : `was ${old} and is ${now}`
    return [this.#change(this.#direction === "input" && stillTaken ? "minor" : "major", path, words)]
  }

  #change(bump: Bump, path: Path, words: string): Change {
    const place = formatPath([this.#name, ...path])
    return { bump, reason: `${place} ${words}` }
  }
}

const onlyMember = (type: Type.Type): Exclude<Type.Type, { readonly kind: "ref" }> | undefined => {
  const members = Type.members(type).filter((member) => member.kind !== "null")
  return members.length === 1 ? members[0] : undefined
}
