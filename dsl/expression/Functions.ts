import {
  anything,
  define,
  elementTypes,
  type FunctionKind,
  given,
  list,
  lists,
  object,
  ordered,
  type Parameter
} from "./FunctionKind.ts"
import { numberFunctions } from "./NumberFunctions.ts"
import { textFunctions } from "./StringFunctions.ts"
import { codePoints } from "./CodePoints.ts"
import * as Type from "../types/Type.ts"
import { type Budget, isList, same, spend, spendWhole } from "../types/Values.ts"

const sized: Parameter<string | ReadonlyArray<unknown> | { readonly [name: string]: unknown }> = {
  words: "a string, an array or an object",
  accepts: (type) => given(type).every((member) => ["string", "list", "object", "any"].includes(member.kind)),
  uncertain: () => false,
  is: (value): value is string | ReadonlyArray<unknown> | { readonly [name: string]: unknown } =>
    typeof value === "string" || (typeof value === "object" && value !== null)
}

const elements = ([type]: ReadonlyArray<Type.Type>): Type.Type => Type.union(elementTypes(type ?? Type.any))
const element = (types: ReadonlyArray<Type.Type>): Type.Type => Type.nullable(elements(types))
const sameList = (types: ReadonlyArray<Type.Type>): Type.Type => Type.list(elements(types))
const innerList = (types: ReadonlyArray<Type.Type>): Type.Type =>
  Type.list(Type.union(elementTypes(elements(types))))

const fieldTypes = ([type]: ReadonlyArray<Type.Type>): Type.Type =>
  Type.list(
    Type.union(
      given(type ?? Type.any).flatMap((member) =>
        member.kind === "object" ? Type.fieldTypes(member) : [Type.any]
      )
    )
  )

const size = (
  value: string | ReadonlyArray<unknown> | { readonly [name: string]: unknown },
  budget: Budget
): number => {
  if (typeof value === "string") return codePoints(value, budget)
  if (isList(value)) return value.length
  const { length } = Object.keys(value)
  spend(budget, length / 4)
  return length
}

const compare = (left: string | number, right: string | number): number =>
  left < right ? -1 : left > right ? 1 : 0

const isFirst = (values: ReadonlyArray<unknown>, value: unknown, index: number, budget: Budget): boolean => {
  for (let before = 0; before < index; before++) {
    if (!spend(budget, 1) || same(values[before], value, budget)) return false
  }
  return true
}

const listFunctions: ReadonlyArray<FunctionKind> = [
  define(
    "size(value)",
    [sized],
    Type.integer,
    "The number of characters, elements or fields.",
    ([value], budget) => size(value, budget)
  ),
  define("first(list)", [list], element, "The first element, or null.", ([values]) => values[0] ?? null),
  define("last(list)", [list], element, "The last element, or null.", ([values]) => values.at(-1) ?? null),
  define(
    "sort(list)",
    [ordered],
    sameList,
    "The numbers or strings in ascending order.",
    ([values], budget) => (spend(budget, values.length * 4) ? [...values].sort(compare) : null)
  ),
  define("reverse(list)", [list], sameList, "The elements in reverse order.", ([values], budget) =>
    spend(budget, values.length) ? [...values].reverse() : null
  ),
  define("distinct(list)", [list], sameList, "The elements without duplicates.", ([values], budget) =>
    values.filter((value, index) => isFirst(values, value, index, budget))
  ),
  define(
    "flatten(list)",
    [lists],
    innerList,
    "The elements of an array of arrays, in one array.",
    ([values], budget) =>
      spend(
        budget,
        values.reduce((total, value) => total + value.length, 0)
      )
        ? values.flat()
        : null
  ),
  define(
    "keys(object)",
    [object],
    Type.list(Type.string),
    "The names of an object's fields.",
    ([value], budget) => (spend(budget, Object.keys(value).length) ? Object.keys(value) : null)
  ),
  define("values(object)", [object], fieldTypes, "The values of an object's fields.", ([value], budget) =>
    spend(budget, Object.keys(value).length) ? Object.values(value).map((field) => field ?? null) : null
  ),
  define("json(value)", [anything], Type.string, "The value as JSON text.", ([value], budget) => {
    // Arrays that contain another one twice stay small in memory, and grow exponentially when written out.
    if (!spendWhole(value, budget)) return null
    const made = JSON.stringify(value)
    return spend(budget, made.length / 16) ? made : null
  })
]

/**
 * All functions that expressions can call; a name may have several overloads, which differ in the number of arguments.
 */
export const functions: ReadonlyArray<FunctionKind> = [...numberFunctions, ...textFunctions, ...listFunctions]

const byName = Map.groupBy(functions, (kind) => kind.name)

/** The overloads of the function of that name. */
export const functionsNamed = (name: string): ReadonlyArray<FunctionKind> => byName.get(name) ?? []

/** The names of all functions. */
export const functionNames: ReadonlyArray<string> = [...byName.keys()]
