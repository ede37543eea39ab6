import { printedMonth } from "./PrintedMonths.ts"

const digits = /\d/u
/** A date in ISO 8601. */
export const isoDate = /^\d{4}-\d{2}-\d{2}$/u

/** A number as it is printed, such as `1.234,56 €` or `$1,234.56`; the last separator is the decimal one, unless it comes twice. */
export const readNumber = (text: string): number | undefined => {
  if (!digits.test(text)) return undefined
  // A separator at the end is the end of a sentence, or a speck: `5.00.`
  const plain = text.replace(/[^\d.,()-]/gu, "").replace(/[.,]+$/u, "")
  const last = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","))
  const fraction = last < 0 ? "" : plain.slice(last + 1).replace(/[^\d]/gu, "")
  const separators = plain.match(/[.,]/gu)?.length ?? 0
  // `30.02.2026` is a date, and `1.234.567` has no decimals: a separator that comes twice groups thousands, or in India lakhs.
  const isRepeated = plain.indexOf(plain[last] ?? "") < last
  if (isRepeated && !/^\D*\d{1,3}(?:[.,]\d{2,3})*[.,]\d{3}\D*$/u.test(plain)) return undefined
  // One separator before exactly three digits groups thousands.
  const isDecimal = last >= 0 && !isRepeated && !(fraction.length === 3 && separators === 1 && last > 0)
  const whole = (isDecimal ? plain.slice(0, last) : plain).replace(/[^\d]/gu, "")
  const value = Number(`${whole === "" ? "0" : whole}.${isDecimal && fraction !== "" ? fraction : "0"}`)
  if (!Number.isFinite(value)) return undefined
  return /^\(.*\)$|^-|-$/u.test(plain) ? -value : value
}

const iso = (year: number, month: number, day: number): string | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return date.toISOString().slice(0, 10)
}

/** A date as it is printed, in ISO 8601; of two numbers the day comes first where it can, or the month with `MDY`. */
export const readDate = (text: string, order: "DMY" | "MDY" = "DMY"): string | undefined => {
  const trimmed = text.trim()
  if (isoDate.test(trimmed)) return trimmed
  const numbers = (trimmed.match(/\d+/gu) ?? []).map(Number)
  const month = numbers.length === 2 ? printedMonth(trimmed) : undefined
  const [first = 0, second = 0, third = 0] = numbers
  if (month !== undefined) return iso(second, month, first)
  if (numbers.length !== 3) return undefined
  if (first > 31) return iso(first, second, third)
  const year = third < 100 ? 2000 + third : third
  const monthFirst = second > 12 || (order === "MDY" && first <= 12)
  return monthFirst ? iso(year, first, second) : iso(year, second, first)
}

/** The possible readings of a string where a value of this kind is expected, the most likely first. */
export const readingsOf = (text: string, before: unknown): ReadonlyArray<unknown> => {
  const number = readNumber(text)
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
    const sign = readNumber(known.text) === -value ? -1 : 1
    const number = readNumber(text)
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
