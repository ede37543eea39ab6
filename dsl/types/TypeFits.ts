import type { Path } from "../source/Problem.ts"
import * as Type from "./Type.ts"

/** Where a type does not fit: the path inside the value, the type found there and the one expected. */
export interface Mismatch {
  readonly path: Path
  readonly found: Type.Type
  readonly expected: Type.Type
  /** The required field that the value may lack. */
  readonly missing?: string
  /** The field of the value that is not expected. */
  readonly unknown?: string
}

/** How strictly two types are compared. */
export interface FitsOptions {
  /** Whether an unexpected field is a mismatch, or ignored. */
  readonly extraFields: "refused" | "ignored"
}

/** The first reason why not every value of `found` is a value of `expected`; undefined if all are. */
export const mismatch = (found: Type.Type, expected: Type.Type, options: FitsOptions): Mismatch | undefined =>
  new Comparison(options).compare(found, expected, [])

class Comparison {
  /** Pairs that are being compared further up, in types that contain themselves: assumed to fit. */
  readonly #assumed = new Map<Type.Type, Set<Type.Type>>()
  readonly #options: FitsOptions

  constructor(options: FitsOptions) {
    this.#options = options
  }

  compare(found: Type.Type, expected: Type.Type, path: Path): Mismatch | undefined {
    if (found === expected) return undefined
    const places = Type.members(expected)
    if (places.some((place) => place.kind === "any")) return undefined
    for (const member of Type.members(found)) {
      const problem = this.#member(member, places, expected, path)
      if (problem !== undefined) return problem.found === member ? { ...problem, found } : problem
    }
    return undefined
  }

  #member(
    member: Type.Type,
    places: ReadonlyArray<Type.Type>,
    expected: Type.Type,
    path: Path
  ): Mismatch | undefined {
    const near = places.filter((place) => place.kind === member.kind)
    const problems = near.map((place) => this.#one(member, place, path))
    if (problems.includes(undefined)) return undefined
    const [only] = problems
    if (
      problems.length === 1 &&
      only !== undefined &&
      only.path.length + (only.missing ? 1 : 0) > path.length
    ) {
      return only
    }
    return { path, found: member, expected }
  }

  #one(found: Type.Type, place: Type.Type, path: Path): Mismatch | undefined {
    const assumed = this.#assumed.get(found) ?? new Set()
    if (assumed.has(place)) return undefined
    this.#assumed.set(found, assumed.add(place))
    const problem = this.#shape(found, place, path)
    if (problem !== undefined) assumed.delete(place)
    return problem
  }

  #shape(found: Type.Type, place: Type.Type, path: Path): Mismatch | undefined {
    if (found.kind === "list" && place.kind === "list") {
      return this.compare(found.items, place.items, [...path, 0])
    }
    if (found.kind === "object" && place.kind === "object") return this.#object(found, place, path)
    return scalarFits(found, place) ? undefined : { path, found, expected: place }
  }

  #object(found: Type.ObjectType, place: Type.ObjectType, path: Path): Mismatch | undefined {
    if (place.isDocument === true)
      return found.isDocument === true ? undefined : { path, found, expected: place }
    for (const [name, wanted] of place.fields) {
      const given = found.fields.get(name)
      const type = given?.type ?? found.rest
      if (!wanted.optional && (given === undefined || given.optional)) {
        return { path, found, expected: place, missing: name }
      }
      const problem = type === undefined ? undefined : this.compare(type, wanted.type, [...path, name])
      if (problem !== undefined) return problem
    }
    return this.#others(found, place, path)
  }

  #others(found: Type.ObjectType, place: Type.ObjectType, path: Path): Mismatch | undefined {
    for (const [name, given] of found.fields) {
      if (place.fields.has(name)) continue
      if (place.rest === undefined && this.#options.extraFields === "ignored") continue
      if (place.rest === undefined) return { path, found, expected: place, unknown: name }
      const problem = this.compare(given.type, place.rest, [...path, name])
      if (problem !== undefined) return problem
    }
    if (found.rest === undefined || place.rest === undefined) return undefined
    return this.compare(found.rest, place.rest, [...path, "*"])
  }
}

const scalarFits = (found: Type.Type, place: Type.Type): boolean => {
  if (found.kind === "number" && place.kind === "number") {
    return place.value === undefined ? !place.integer || found.integer : place.value === found.value
  }
  if (found.kind === "string" && place.kind === "string") {
    return place.value === undefined || place.value === found.value
  }
  if (found.kind === "boolean" && place.kind === "boolean") {
    return place.value === undefined || place.value === found.value
  }
  return found.kind === place.kind
}
