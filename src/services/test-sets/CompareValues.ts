import { Predicate, Result, Schema } from "effect"
import { editDistance } from "../../support/EditDistance.ts"
import { Expectation, isDetailed } from "./TestSet.ts"

/** The result of a comparison; `missing`: there is no value, though one was expected. */
export type Verdict = "right" | "wrong" | "missing"

interface Tolerance {
  readonly exact: boolean
  readonly within: number
}

const usual: Tolerance = { exact: false, within: 0.005 }

/** The tolerance for binary fractions of a cent. */
const slack = 1e-9

const decode = Schema.decodeUnknownResult(Expectation)

const folded = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/gu, " ").trim()

const isDate = (text: string): boolean => /^\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?$/u.test(text)

const sameText = (actual: string, expected: string, exact: boolean): boolean => {
  if (exact) return actual === expected
  // If only a day is expected, a date with a time matches as well.
  if (expected.length === 10 && isDate(expected) && isDate(actual)) return actual.slice(0, 10) === expected
  return folded(actual) === folded(expected)
}

/** Whether a value is as expected: for objects, the expected keys; for arrays, every element. */
const same = (actual: unknown, expected: unknown, tolerance: Tolerance): boolean => {
  if (typeof expected === "number")
    return typeof actual === "number" && Math.abs(actual - expected) <= tolerance.within + slack
  if (typeof expected === "string")
    return typeof actual === "string" && sameText(actual, expected, tolerance.exact)
  if (Array.isArray(expected)) {
    return (
      Array.isArray(actual) &&
      actual.length === expected.length &&
      expected.every((element, index) => same(actual[index], element, tolerance))
    )
  }
  if (Predicate.isObject(expected)) {
    return (
      Predicate.isObject(actual) &&
      Object.entries(expected).every(([key, value]) =>
        same(Object.getOwnPropertyDescriptor(actual, key)?.value, value, tolerance)
      )
    )
  }
  return (actual ?? null) === expected
}

const lettersOf = (text: string): string =>
  text
    .normalize("NFKD")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "")

const fewestLetters = 4
const mostMisread = 0.15

/** Whether two names are the same except for their legal form, an addition, or one or two misread letters. */
const isLike = (actual: unknown, name: string): boolean => {
  if (typeof actual !== "string") return false
  const [a, b] = [lettersOf(actual), lettersOf(name)]
  if (a === b) return true
  if (Math.min(a.length, b.length) < fewestLetters) return false
  return a.includes(b) || b.includes(a) || editDistance(a, b) <= mostMisread * b.length
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0)

const holds = (actual: unknown, { anyOf, contains, exact, is, like, within }: Expectation): boolean => {
  const tolerance = { exact: exact ?? usual.exact, within: within ?? usual.within }
  const fold = tolerance.exact ? (text: string) => text : folded
  if (is !== undefined && !same(actual, is, tolerance)) return false
  if (anyOf !== undefined && !anyOf.some((one) => same(actual, one, tolerance))) return false
  if (contains !== undefined && !(typeof actual === "string" && fold(actual).includes(fold(contains))))
    return false
  if (like === undefined) return true
  return (typeof like === "string" ? [like] : like).some((name) => isLike(actual, name))
}

/** Compares a value of an output with what a test set expects. */
export const compare = (actual: unknown, expected: Schema.Json): Verdict => {
  const detailed = isDetailed(expected) ? decode(expected) : undefined
  const right =
    detailed !== undefined && Result.isSuccess(detailed)
      ? holds(actual, detailed.success)
      : same(actual, expected, usual)
  if (right) return "right"
  return isNothing(actual) ? "missing" : "wrong"
}
