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
export const readNumber = (text: string, hasThreeDecimals = false): number | undefined => {
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
