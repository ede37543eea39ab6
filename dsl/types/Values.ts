import { Predicate } from "effect"

/** What an evaluation may still use: elements visited, and text produced. Shared by everything in one evaluation. */
export interface Budget {
  left: number
}

/** Enough for any sensible expression over a document of thousands of lines; used up in well under a second. */
export const fullBudget = 1_000_000

/** The maximum number of operations of all expressions of an execution: about five seconds of computing. */
export const executionOperations = 50_000_000

/** The maximum number of operations of all expressions of one step, which are computed in one turn of the event loop. */
export const stepOperations = 3_000_000

/** Takes from the budget; false when it is used up. */
export const spend = (budget: Budget, amount: number): boolean => (budget.left -= amount) >= 0

export const isList = (value: unknown): value is ReadonlyArray<unknown> => Array.isArray(value)

/** A number that JSON can hold: arithmetic stays inside the range of doubles instead of leaving it. */
export const finite = (value: number): number => {
  if (Number.isFinite(value)) return value
  return value > 0 ? Number.MAX_VALUE : -Number.MAX_VALUE
}

/** The own property of an object, or null; never an inherited one. */
export const fieldOf = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) && !isList(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null

/** The element of an array, or null if there is none. */
export const elementOf = (value: unknown, index: number): unknown =>
  isList(value) && Number.isInteger(index) ? (value[index] ?? null) : null

/** Takes from the budget what scanning a string takes: a few characters in a nanosecond. */
export const spendLooking = (budget: Budget, characters: number): boolean => spend(budget, characters / 400)

/** Whether two JSON values are the same. */
export const same = (left: unknown, right: unknown, budget: Budget): boolean => {
  if (typeof left === "string" && typeof right === "string") {
    const compared = left.length === right.length ? left.length : 0
    return spend(budget, 1) && spendLooking(budget, compared) && left === right
  }
  if (left === right) return true
  if (!spend(budget, 1)) return false
  if (isList(left) && isList(right)) {
    return left.length === right.length && left.every((value, index) => same(value, right[index], budget))
  }
  if (isList(left) || isList(right) || !Predicate.isObject(left) || !Predicate.isObject(right)) return false
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && same(left[name], right[name], budget))
  )
}

/** Takes from the budget what reading every part of a value takes; false as soon as it is used up. */
export const spendWhole = (value: unknown, budget: Budget): boolean => {
  if (typeof value === "string") return spend(budget, value.length / 16)
  if (!spend(budget, 1 / 2)) return false
  if (isList(value)) return value.every((element) => spendWhole(element, budget))
  return !Predicate.isObject(value) || Object.values(value).every((field) => spendWhole(field, budget))
}

/** A value as it appears inside a string: null is empty, and numbers have no superfluous digits. */
export const toText = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}
