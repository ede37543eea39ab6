import {
  define,
  type FunctionKind,
  number,
  numbers,
  ordered,
  scalar,
  elementTypes,
  given
} from "./FunctionKind.ts"
import * as Type from "../types/Type.ts"
import { finite } from "../types/Values.ts"

const sameNumber = ([type]: ReadonlyArray<Type.Type>): Type.Type =>
  given(type ?? Type.any).every((member) => member.kind === "number" && member.integer)
    ? Type.integer
    : Type.number

const sumType = ([type]: ReadonlyArray<Type.Type>): Type.Type =>
  sameNumber([Type.union(elementTypes(type ?? Type.any).map(Type.withoutNull))])

const widened = (types: ReadonlyArray<Type.Type>): Type.Type =>
  Type.union(
    types.flatMap(given).map((type) => {
      if (type.kind === "number") return type.integer ? Type.integer : Type.number
      return type.kind === "string" ? Type.string : type
    })
  )

const extremeType = ([type]: ReadonlyArray<Type.Type>): Type.Type =>
  Type.nullable(widened(elementTypes(type ?? Type.any)))

const largestDigits = 15

/** Rounds half away from zero, and as people expect of decimal numbers: 1.005 to two digits is 1.01. */
const round = (value: number, digits: number): number => {
  const places = Math.max(-largestDigits, Math.min(largestDigits, Math.trunc(digits)))
  if (Math.abs(value) >= 1e21) return value
  const shifted = Number(`${Math.abs(value).toPrecision(15)}e${places}`)
  const moved = Number.isFinite(shifted) ? shifted : Math.abs(value) * 10 ** places
  const rounded = Math.round(moved) / 10 ** places
  return Number.isFinite(rounded) ? Math.sign(value) * rounded : value
}

const extreme = (values: ReadonlyArray<number | string>, sign: 1 | -1): number | string | null =>
  values.reduce<number | string | null>((best, value) => {
    if (best === null) return value
    return (sign === 1 ? value > best : value < best) ? value : best
  }, null)

const decimal = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?\s*$/u

const toNumber = (value: string | number | boolean): number | null => {
  if (typeof value === "number") return value
  if (typeof value === "boolean") return value ? 1 : 0
  return value.length < 400 && decimal.test(value) ? finite(Number(value)) : null
}

const numberType = ([type]: ReadonlyArray<Type.Type>): Type.Type =>
  given(type ?? Type.any).every((member) => member.kind === "number" || member.kind === "boolean")
    ? Type.number
    : Type.nullable(Type.number)

export const numberFunctions: ReadonlyArray<FunctionKind> = [
  define("abs(number)", [number], sameNumber, "The number without its sign.", ([value]) => Math.abs(value)),
  define("round(number)", [number], Type.integer, "The nearest whole number.", ([value]) => round(value, 0)),
  define(
    "round(number, digits)",
    [number, number],
    Type.number,
    "The number with that many digits after the point.",
    ([value, digits]) => round(value, digits)
  ),
  define("floor(number)", [number], Type.integer, "The next whole number below.", ([value]) =>
    Math.floor(value)
  ),
  define("ceil(number)", [number], Type.integer, "The next whole number above.", ([value]) =>
    Math.ceil(value)
  ),
  define(
    "sum(list)",
    [numbers],
    sumType,
    "The sum of a list of numbers; null if one of them is null.",
    ([values]) => values.reduce((total, value) => finite(total + value), 0)
  ),
  define(
    "average(list)",
    [numbers],
    Type.nullable(Type.number),
    "The mean of a list of numbers; null for an empty list.",
    ([values]) =>
      values.length === 0 ? null : finite(values.reduce((total, value) => total + value / values.length, 0))
  ),
  define("min(list)", [ordered], extremeType, "The least of a list; null for an empty list.", ([values]) =>
    extreme(values, -1)
  ),
  define("max(list)", [ordered], extremeType, "The greatest of a list; null for an empty list.", ([values]) =>
    extreme(values, 1)
  ),
  define("min(a, b)", [number, number], widened, "The smaller of two numbers.", ([a, b]) => Math.min(a, b)),
  define("max(a, b)", [number, number], widened, "The greater of two numbers.", ([a, b]) => Math.max(a, b)),
  define("number(value)", [scalar], numberType, "The number that a text says, or null.", ([value]) =>
    toNumber(value)
  ),
  define(
    "double(value)",
    [scalar],
    numberType,
    "The same as number(value), CEL's own name for it.",
    ([value]) => toNumber(value)
  ),
  define(
    "int(value)",
    [scalar],
    intType,
    "The whole number that a text or a number begins with, or null.",
    ([value]) => {
      const found = toNumber(value)
      return found === null ? null : Math.trunc(found)
    }
  )
]

function intType(types: ReadonlyArray<Type.Type>): Type.Type {
  return Type.mayBeNull(numberType(types)) ? Type.nullable(Type.integer) : Type.integer
}
