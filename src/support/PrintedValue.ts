import { isoDate, readDate } from "./ReadDate.ts"
import { readNumber } from "./ReadNumber.ts"

/** Whether a number has so many decimals that they look like thousands where they are printed or shown: `1.234`. */
const hasThreeDecimals = (value: unknown): boolean =>
  typeof value === "number" && /\.\d{3,}$/u.test(String(value))

/** The possible readings of a string where a value of the same kind as `before` is expected, the most likely first. */
export const readingsOf = (text: string, before: unknown): ReadonlyArray<unknown> => {
  const number = readNumber(text, hasThreeDecimals(before))
  const date = readDate(text)
  const numbers = number === undefined ? [] : [number]
  const dates = date === undefined ? [] : [date]
  if (typeof before === "number") return [...numbers, text]
  if (typeof before === "string" && isoDate.test(before)) return [...dates, text]
  return [text, ...numbers, ...dates]
}

/** A value and the text that it was read from. */
export interface PrintedValue {
  readonly text: string
  readonly value: unknown
}

/** Removes spaces and separators, as numbers of companies and accounts are stored: `ATU 123.456`. */
const withoutGaps = (text: string): string => text.replace(/[\s./-]+/gu, "")

/** The order of day and month in a printed date: `12/31/2025` can only be read month first. */
const orderOf = ({ text, value }: PrintedValue): "DMY" | "MDY" => {
  const [, second = 0] = (text.match(/\d+/gu) ?? []).map(Number)
  const onlyMonthFirst = readDate(text, "MDY") === value && (readDate(text) !== value || second > 12)
  return onlyMonthFirst ? "MDY" : "DMY"
}

/** Whether a known date shows the order of day and month: it can be read in one order only. */
export const isDateOfKnownOrder = ({ text, value }: PrintedValue): boolean => {
  const numbers = (text.match(/\d+/gu) ?? []).map(Number)
  const [first = 0, second = 0] = numbers
  const isNumeric = numbers.length === 3 && first <= 31
  return isNumeric && first !== second && typeof value === "string" && isoDate.test(value)
}

/**
 * Reads a string like a known one of the same kind, such as the same field of an earlier document: a number, a date in
 * the same order, or a string without the text around it there. Undefined if it is not such a value.
 */
export const readLike = (text: string, known: PrintedValue): unknown => {
  const { value } = known
  if (typeof value === "number") {
    const decimals = hasThreeDecimals(value)
    const sign = readNumber(known.text, decimals) === -value ? -1 : 1
    const number = readNumber(text, decimals)
    return number === undefined ? undefined : sign * number
  }
  if (typeof value !== "string") return undefined
  if (isoDate.test(value)) {
    return readDate(text, orderOf(known))
  }
  const at = known.text.indexOf(value)
  if (at < 0 && withoutGaps(known.text) === value) return withoutGaps(text)
  // A value that is not printed literally, such as EUR for €, is recognized only if the same text is printed.
  if (at < 0) return text === known.text ? value : undefined
  const [before, after] = [known.text.slice(0, at), known.text.slice(at + value.length)]
  if (!text.startsWith(before) || !text.endsWith(after)) return undefined
  const inner = text.slice(before.length, text.length - after.length).trim()
  return inner === "" ? undefined : inner
}
