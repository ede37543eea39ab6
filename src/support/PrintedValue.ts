import { isoDate, readDate } from "./ReadDate.ts"
import { withPlainDigits } from "./PlainDigits.ts"

/** Figures with their separators; a space is one only before exactly three digits. */
const figures = /(?<![\p{L}\d])[.,]\d+|\d+(?:[.,']\d+| \d{3}(?!\d))*/gu
/** Groups of three digits or, in India, of two before the last three. */
const grouped = /^(?:\d{1,3}([.,' ])\d{3}(?:\1\d{3})*|\d{1,2}(?:,\d{2})+,\d{3})$/u

/** Half a unit, thousands and millions: the figures alone are another value. */
const scaled =
  /\d\s?[¼-¾⅐-⅞‰‱万億亿]|\d[kKM](?!\p{L})|\d\s?(?:[Mm]illi(?:on|ard)|[Mm]io|[Mm]rd|[Tt]sd|[Tt]housand|[Ll]akh|[Cc]rore)/u

const currency = String.raw`(?:\p{L}{0,3}\p{Sc}|\p{L}{1,3}\.?)?`
const minusBefore = new RegExp(String.raw`(?<![\p{L}\d])-\)?\s?${currency}\s?$`, "u")
const minusOfCurrency = /(?<!\p{L})[A-Z]{3}-$/u
const minusAfter = /^\s?(?:\p{Sc}|\p{L}{1,3})?\s?-(?!\p{L})/u
const bracketBefore = new RegExp(String.raw`\(\s?-?\s?${currency}\s?$`, "u")
const bracketAfter = new RegExp(String.raw`^\s?${currency}\s?\)`, "u")

/** Writes digits, spaces, apostrophes and minus signs in one way, and takes off the dash in place of cents: `12.–`. */
const normalized = (text: string): string =>
  withPlainDigits(text)
    .replace(/\s+/gu, " ")
    .trim()
    .replace(/[’‘´`]/gu, "'")
    .replace(/(?<=\d)(?:[.,] ?|\/)[-−–—]{1,2}(?!\d)/gu, "")
    .replace(/[−‐‑﹣－]/gu, "-")
    // A dash between spaces separates a label from its amount.
    .replace(/^[–—]|(?<=\d)[–—]|[–—](?! )/gu, "-")

/** The value of figures; undefined if their separators contradict each other, as in the date `30.02.2026`. */
const valueOf = (text: string, hasThreeDecimals: boolean): number | undefined => {
  const last = Math.max(text.lastIndexOf("."), text.lastIndexOf(","))
  const isOpen = /^\d+[.,]\d+$/u.test(text)
  // One separator before exactly three digits groups thousands: `1.234`, but not `0.125`.
  if (grouped.test(text) && !(isOpen && (hasThreeDecimals || text.startsWith("0"))))
    return Number(text.replace(/\D/gu, ""))
  const whole = last < 0 ? text : text.slice(0, last)
  const fraction = last < 0 ? "0" : text.slice(last + 1)
  const isWhole = /^\d*$/u.test(whole) || (grouped.test(whole) && !whole.includes(text.charAt(last)))
  return isWhole && /^\d+$/u.test(fraction) ? Number(`${whole.replace(/\D/gu, "")}.${fraction}`) : undefined
}

/**
 * A number as it is printed, such as `1.234,56 €`, `$1,234.56`, `CHF 12.–` or `(12.50)`; undefined if the text has several
 * numbers, or a part that changes the value of its figures. `1.234` is thousands, unless `hasThreeDecimals`.
 */
const readNumber = (text: string, hasThreeDecimals = false): number | undefined => {
  if (!/\p{Nd}/u.test(text)) return undefined
  const plain = normalized(text)
  const [found, another] = plain.matchAll(figures)
  if (found === undefined || another !== undefined || scaled.test(plain)) return undefined
  const before = plain.slice(0, found.index)
  const after = plain.slice(found.index + found[0].length)
  const isOfCurrency = minusOfCurrency.test(before) && /[.,]/u.test(found[0])
  // `INV-15` is a code, and `12-pack` no amount.
  if ((/\p{L}-$/u.test(before) && !isOfCurrency) || /^-\p{L}/u.test(after)) return undefined
  const value = valueOf(found[0], hasThreeDecimals)
  if (value === undefined || value > Number.MAX_SAFE_INTEGER) return undefined
  const isNegative =
    isOfCurrency ||
    minusBefore.test(before) ||
    minusAfter.test(after) ||
    (bracketBefore.test(before) && bracketAfter.test(after))
  return isNegative && value !== 0 ? -value : value
}

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
