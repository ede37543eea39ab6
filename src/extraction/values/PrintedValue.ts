import { withoutGaps } from "./CheckedNumbers.ts"
import { onlyAmount } from "./Money.ts"
import { isoDay, onlyDate } from "./Dates.ts"

/** Whether a number has so many decimals that they look like thousands where they are printed or shown: `1.234`. */
const hasThreeDecimals = (value: unknown): boolean =>
  typeof value === "number" && /\.\d{3,}$/u.test(String(value))

/** What the only number of a string can mean, the most likely first: `1.234` is thousands unless `known` has three decimals. */
const numbersIn = (text: string, known: unknown): ReadonlyArray<number> => {
  const amount = onlyAmount(text)
  if (amount === undefined || amount.misread === true) return []
  const { other, value } = amount
  return other === undefined ? [value] : hasThreeDecimals(known) ? [other, value] : [value, other]
}

/** The possible readings of a string where a value of the same kind as `before` is expected, the most likely first. */
export const readingsOf = (text: string, before: unknown): ReadonlyArray<unknown> => {
  if (typeof before === "number") return [...numbersIn(text, before), text]
  const date = onlyDate(text)
  const dates = date === undefined ? [] : [date.iso, ...date.others]
  if (typeof before === "string" && isoDay.test(before)) return [...dates, text]
  return [text, ...numbersIn(text, before), ...dates]
}

/** A value and the text that it was read from. */
export interface PrintedValue {
  readonly text: string
  readonly value: unknown
}

/** The order of day and month in a printed date: `12/31/2025` can only be read month first. */
const orderOf = ({ text, value }: PrintedValue): "DMY" | "MDY" => {
  const date = onlyDate(text)
  return date?.proves === "MDY" || (date?.iso !== value && date?.others.some((day) => day === value) === true)
    ? "MDY"
    : "DMY"
}

/** Whether a known date shows the order of day and month: it can be read in one order only. */
export const isDateOfKnownOrder = ({ text, value }: PrintedValue): boolean => {
  const date = typeof value === "string" && isoDay.test(value) ? onlyDate(text) : undefined
  return date !== undefined && (date.proves !== undefined || date.others.length > 0)
}

/**
 * Reads a string like a known one of the same kind, such as the same field of an earlier document: a number, a date in
 * the same order, or a string without the text around it there. Undefined if it is not such a value.
 */
export const readLike = (text: string, known: PrintedValue): unknown => {
  const { value } = known
  if (typeof value === "number") {
    const [number] = numbersIn(text, value)
    if (number === undefined) return undefined
    return numbersIn(known.text, value)[0] === -value ? -number : number
  }
  if (typeof value !== "string") return undefined
  if (isoDay.test(value)) return onlyDate(text, orderOf(known))?.iso
  const at = known.text.indexOf(value)
  if (at < 0 && withoutGaps(known.text) === value) return withoutGaps(text)
  // A value that is not printed literally, such as EUR for €, is recognized only if the same text is printed.
  if (at < 0) return text === known.text ? value : undefined
  const [before, after] = [known.text.slice(0, at), known.text.slice(at + value.length)]
  if (!text.startsWith(before) || !text.endsWith(after)) return undefined
  const inner = text.slice(before.length, text.length - after.length).trim()
  return inner === "" ? undefined : inner
}
