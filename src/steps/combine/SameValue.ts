import { Predicate } from "effect"
import { canonicalJson } from "../../support/CanonicalJson.ts"
import { isList } from "../../../dsl/types/Values.ts"

/** Amounts are compared in hundredths; -0 is 0. */
const hundredths = (value: number): string => {
  const text = value.toFixed(2)
  return text === "-0.00" ? "0.00" : text
}

/** Removes null fields, which mean the same as absent ones. */
const plain = (value: unknown): unknown => {
  if (typeof value === "number") return Number.isFinite(value) ? hundredths(value) : String(value)
  if (typeof value === "string") return value.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase()
  if (isList(value)) return value.map(plain)
  if (!Predicate.isObject(value)) return value
  const fields = Object.entries(value).filter(([, field]) => field !== null && field !== undefined)
  return Object.fromEntries(fields.map(([name, field]) => [name, plain(field)]))
}

/**
 * A string that two values share exactly if they mean the same: letters in either case, any white space, numbers to two
 * decimals, and so on inside lists and objects. Values of different types never mean the same.
 */
export const meaningOf = (value: unknown): string => `${typeof value} ${canonicalJson(plain(value))}`

/** Whether a value says that nothing was found: null, or a table without rows. */
export const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (isList(value) && value.length === 0)
