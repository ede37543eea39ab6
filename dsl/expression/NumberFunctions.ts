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

/** Rounds half away from zero, as people expect of decimal numbers: 1.005 to two digits is 1.01. */
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
  define("abs(number)", [number], sameNumber, "The absolute value.", ([value]) => Math.abs(value)),
  define("round(number)", [number], Type.integer, "The nearest integer.", ([value]) => round(value, 0)),
  define(
    "round(number, digits)",
    [number, number],
    Type.number,
    "The number rounded to a number of decimal places.",
    ([value, digits]) => round(value, digits)
  ),
  define(
    "floor(number)",
    [number],
    Type.integer,
    "The largest integer that is not greater than the number.",
    ([value]) => Math.floor(value)
  ),
  define(
    "ceil(number)",
    [number],
    Type.integer,
    "The smallest integer that is not less than the number.",
    ([value]) => Math.ceil(value)
  ),
  define(
    "sum(list)",
    [numbers],
    sumType,
    "The sum of an array of numbers. Null if one of them is null.",
    ([values]) => values.reduce((total, value) => finite(total + value), 0)
  ),
  define(
    "average(list)",
    [numbers],
    Type.nullable(Type.number),
    "The mean of an array of numbers. Null for an empty array.",
    ([values]) =>
      values.length === 0 ? null : finite(values.reduce((total, value) => total + value / values.length, 0))
  ),
  define("min(list)", [ordered], extremeType, "The smallest element. Null for an empty array.", ([values]) =>
    extreme(values, -1)
  ),
  define("max(list)", [ordered], extremeType, "The largest element. Null for an empty array.", ([values]) =>
    extreme(values, 1)
  ),
  define("min(a, b)", [number, number], widened, "The smaller of two numbers.", ([a, b]) => Math.min(a, b)),
  define("max(a, b)", [number, number], widened, "The larger of two numbers.", ([a, b]) => Math.max(a, b)),
  define("number(value)", [scalar], numberType, "The value as a number; null if it is not one.", ([value]) =>
    toNumber(value)
  ),
  define("double(value)", [scalar], numberType, "CEL's name for number(value).", ([value]) =>
    toNumber(value)
  ),
  define(
    "int(value)",
    [scalar],
    intType,
    "The value as an integer, its decimals cut off; null if it is not a number.",
    ([value]) => {
      const found = toNumber(value)
      return found === null ? null : Math.trunc(found)
    }
  )
]

function intType(types: ReadonlyArray<Type.Type>): Type.Type {
  return Type.mayBeNull(numberType(types)) ? Type.nullable(Type.integer) : Type.integer
}
