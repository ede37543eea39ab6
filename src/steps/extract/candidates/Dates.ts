import type { Lexicon } from "../lexicon/Lexicon.ts"
import { monthNumber } from "../lexicon/MonthNames.ts"
import { defined } from "../../../domain/Defined.ts"

/** In which order a date in digits is written; YMD only where the year has two digits, four are read anyway. */
export type DateOrder = "DMY" | "MDY" | "YMD"

/** A date as printed. Where `ambiguous`, `iso` follows the order that was asked for. */
export interface PrintedDate {
  /** YYYY-MM-DD */
  readonly iso: string
  readonly ambiguous: boolean
  /** How many characters of the text it took. */
  readonly length: number
  /** The order that the digits prove, where they do. */
  readonly proves?: DateOrder
}

const pad = (value: number, width: number): string => String(value).padStart(width, "0")

/** The ISO form of a day that exists in the calendar. */
const isoDate = (year: number, month: number, day: number): string | undefined => {
  if (year < 1900 || year > 2199 || month < 1 || month > 12 || day < 1) return undefined
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
  return day > days ? undefined : `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

/** Two digits mean 1970–2069. */
const fullYear = (text: string): number => {
  const year = Number(text)
  return text.length > 2 ? year : year >= 70 ? 1900 + year : 2000 + year
}

const plainDate = (iso: string | undefined, length: number): PrintedDate | undefined =>
  iso === undefined ? undefined : { iso, ambiguous: false, length }

const yearFirst = /^((?:19|20|21)\d{2})\s?([-/.年])\s?(\d{1,2})\s?[-/.月]\s?(\d{1,2})(?:日|(?!\d))/u
// Danes write `24/3-2025`.
const digitsOnly = /^(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?(?:\2|(?<=\/\d{1,2})-)\s?(\d{4}|\d{2})(?!\d)/u
// `21 Mar - 20 Apr` is a period, and 20 no year.
const dayMonthName =
  /^(\d{1,2})(?:st|nd|rd|th|er|ère|º|°|\.)?[\s,./-]*(?:of\s+|de\s+|d'|del\s+)?(\p{L}{3,12})\.?(?!\s+[-–]\s+\d{1,2}\D)[\s,./'-]*(?:de\s+|del\s+)?(\d{4}|\d{2})(?!\d)/iu
const monthNameDay = /^(\p{L}{3,12})\.?[\s./-]*(\d{1,2})(?:st|nd|rd|th)?[\s,./'-]+(\d{4}|\d{2})(?!\d)/iu

const inDigits = (match: RegExpExecArray, order: DateOrder): PrintedDate | undefined => {
  const [text, first = "", , second = "", last = ""] = match
  if (order === "YMD" && first.length === 2 && last.length === 2) {
    const iso = isoDate(fullYear(first), Number(second), Number(last))
    if (iso !== undefined) return { iso, ambiguous: false, length: text.length }
  }
  const year = fullYear(last)
  const dayFirst = isoDate(year, Number(second), Number(first))
  const monthFirst = isoDate(year, Number(first), Number(second))
  const iso = order === "MDY" ? (monthFirst ?? dayFirst) : (dayFirst ?? monthFirst)
  if (iso === undefined) return undefined
  const ambiguous = dayFirst !== undefined && monthFirst !== undefined && dayFirst !== monthFirst
  const proves = monthFirst === undefined ? "DMY" : dayFirst === undefined ? "MDY" : undefined
  return { iso, ambiguous, length: text.length, ...defined({ proves }) }
}

/**
 * Reads the date that a string begins with: `2024-01-31`, `31.01.2024`, `1/31/24`, `31 January 2024`, `January 31st, 2024`,
 * `31-Jan-24`, `1er février 2024`, `31 de enero de 2024`, `2024年1月31日`. `order` decides `3/4/2024`.
 */
export const parseDate = (
  text: string,
  order: DateOrder = "DMY",
  lexicon?: Lexicon
): PrintedDate | undefined => {
  const iso = yearFirst.exec(text)
  if (iso !== null) return plainDate(isoDate(Number(iso[1]), Number(iso[3]), Number(iso[4])), iso[0].length)
  const digits = digitsOnly.exec(text)
  if (digits !== null) return inDigits(digits, order)
  const named = dayMonthName.exec(text)
  const month = monthNumber(named?.[2] ?? "", lexicon)
  if (named !== null && month !== undefined) {
    return plainDate(isoDate(fullYear(named[3] ?? ""), month, Number(named[1])), named[0].length)
  }
  const first = monthNameDay.exec(text)
  const leading = monthNumber(first?.[1] ?? "", lexicon)
  if (first === null || leading === undefined) return undefined
  return plainDate(isoDate(fullYear(first[3] ?? ""), leading, Number(first[2])), first[0].length)
}
