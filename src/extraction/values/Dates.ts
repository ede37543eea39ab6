import type { Lexicon } from "../lexicon/Lexicon.ts"
import { monthsNamed } from "../lexicon/MonthNames.ts"
import { defined } from "../../support/Defined.ts"
import { withPlainDigits } from "./Numbers.ts"

/** The first year of each era of Japan that documents are dated in. */
const eras: Readonly<Record<string, number>> = { 令和: 2019, 平成: 1989, 昭和: 1926 }

const japanese =
  /^(令和|平成|昭和)\s?(\d{1,2}|元)\s?[年./-]\s?(\d{1,2})\s?[月./-]\s?(\d{1,2})(?:\s?日|(?!\d))/u
// A year of three digits before 年 is one of the Republic of China, with and without its name.
const republican =
  /^(?:(?:中華)?民國\s?(\d{2,3})\s?[年./-]|(1\d{2})\s?年)\s?(\d{1,2})\s?[月./-]\s?(\d{1,2})(?:\s?日|(?!\d))/u
const hijri =
  /^(?:(1[34]\d{2})([-/])(\d{1,2})\2(\d{1,2})|(\d{1,2})([-/])(\d{1,2})\6(1[34]\d{2}))\s?(?:هـ|ه(?!\p{L})|AH\b)/u

/** A date of a calendar other than the Gregorian, as year, month and day of the Gregorian. */
interface CalendarDate {
  readonly year: number
  readonly month: number
  readonly day: number
  /** How many characters of the text it took. */
  readonly length: number
}

const dayInMs = 86_400_000
const islamicEpoch = Date.UTC(622, 6, 19)
const islamicYear = 354.367

const isDay = (calendar: Intl.DateTimeFormat, time: number, wanted: ReadonlyArray<number>): boolean => {
  const parts = calendar.formatToParts(time)
  const of = (name: "year" | "month" | "day"): number =>
    Number(parts.find(({ type }) => type === name)?.value)
  return of("year") === wanted[0] && of("month") === wanted[1] && of("day") === wanted[2]
}

/** Estimates the day, and looks for it among those around the estimate: `Intl` only converts the other way. */
const fromIslamic = (year: number, month: number, day: number): number | undefined => {
  const calendar = new Intl.DateTimeFormat("en-u-ca-islamic-umalqura-nu-latn", {
    year: "numeric",
    month: "numeric",
    day: "numeric",
    timeZone: "UTC"
  })
  const days = Math.round((year - 1) * islamicYear + (month - 1) * 29.53 + day - 1)
  const estimate = islamicEpoch + days * dayInMs
  return Array.from({ length: 9 }, (_, i) => estimate + (i - 4) * dayInMs).find((time) =>
    isDay(calendar, time, [year, month, day])
  )
}

/**
 * Reads the date of another calendar that a string begins with: `令和7年7月18日`, `民國114年6月24日`, `1446/10/16 هـ`. Years of
 * the Buddhist calendar look like others and are no matter of this.
 */
const otherCalendarDate = (text: string): CalendarDate | undefined => {
  const era = japanese.exec(text)
  if (era !== null) {
    const [whole, name = "", year = "", month, day] = era
    const first = eras[name] ?? 0
    const number = year === "元" ? 1 : Number(year)
    return { year: first + number - 1, month: Number(month), day: Number(day), length: whole.length }
  }
  const republic = republican.exec(text)
  if (republic !== null) {
    const [whole, named, bare, month, day] = republic
    return {
      year: 1911 + Number(named ?? bare),
      month: Number(month),
      day: Number(day),
      length: whole.length
    }
  }
  const moon = hijri.exec(text)
  if (moon === null) return undefined
  const [whole, y1, , m1, d1, d2, , m2, y2] = moon
  const time = fromIslamic(Number(y1 ?? y2), Number(m1 ?? m2), Number(d1 ?? d2))
  if (time === undefined) return undefined
  const found = new Date(time)
  return {
    year: found.getUTCFullYear(),
    month: found.getUTCMonth() + 1,
    day: found.getUTCDate(),
    length: whole.length
  }
}

/** In which order a date in digits is written; YMD only where the year has two digits, four are read anyway. */
export type DateOrder = "DMY" | "MDY" | "YMD"

/** A date as printed. Where `ambiguous`, `iso` follows the order that was asked for. */
export interface PrintedDate {
  /** YYYY-MM-DD */
  readonly iso: string
  readonly ambiguous: boolean
  /** How many characters of the text it took. */
  readonly length: number
  /** The days that it means if it is read otherwise. */
  readonly others: ReadonlyArray<string>
  /** The order that the digits prove, where they do. */
  readonly proves?: DateOrder
  /** What it means in which languages, where the name of its month means two: `listopad` is October or November. */
  readonly meanings?: ReadonlyArray<Meaning>
}

/** A day (YYYY-MM-DD), and the languages (tags) in which a date means it. */
export interface Meaning {
  readonly iso: string
  readonly languages: ReadonlySet<string>
}

const pad = (value: number, width: number): string => String(value).padStart(width, "0")

/** The Buddhist calendar of Thailand is 543 years ahead. */
const buddhist = (year: number): boolean => year >= 2443 && year <= 2642

/** The ISO form of a day that exists in the calendar. */
const isoDate = (printed: number, month: number, day: number): string | undefined => {
  const year = buddhist(printed) ? printed - 543 : printed
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
  iso === undefined ? undefined : { iso, others: [], ambiguous: false, length }

const yearFirst =
  /^((?:19|2[0156])\d{2})\s?([-/.年년])\s?(\d{1,2})\s?[-/.月월]\s?(\d{1,2})(?:\s?[日일]|(?!\d))/u
/** `2025年6月末日`: the last day of a month, on which bills are paid in Japan and Korea. */
const monthEnd = /^((?:19|20)\d{2})\s?[年년]\s?(\d{1,2})\s?[月월]\s?(?:末日?|말일?)/u
// Danes write `24/3-2025`. In `31.3. – 2.4. 22,5 Std` a quantity comes after the day.
const digitsOnly =
  /^(\d{1,2})\s?([-/.])\s?(\d{1,2})\s?(?:\2|(?<=\/\d{1,2})-)\s?(\d{4}|\d{2}(?![.,]\d+(?![\d:])))(?!\d)/u
// `21 Mar - 20 Apr` is a period, and 20 no year; nor is 31 in `1 - March 31`.
const dayMonthName =
  /^(\d{1,2})(?:st|nd|rd|th|er|ère|º|°|\.)?(?!\s[-–]\s\p{L}+\.?\s\d{1,2}(?!\d))[\s,./-]*(?:of\s+|de\s+|d'|del\s+)?(\p{L}[\p{L}\p{M}]{2,15})\.?(?!\s+[-–]\s+\d{1,2}\D)[\s,./'-]*(?:de\s+|del\s+)?(\d{4}|\d{2})(?!\d)/iu
const monthNameDay =
  /^(\p{L}[\p{L}\p{M}]{2,15})\.?[\s./-]*(\d{1,2})(?:st|nd|rd|th)?[\s,./'-]+(\d{4}|\d{2})(?!\d)/iu

/** `2025. december 1.`, `2025 m. spalio 14 d.`, `2025. gada 14. oktobris`: some put the year in front of the name. */
const yearMonthName =
  /^((?:19|20)\d{2})\.?\s(?:m\.\s|gada\s)?(?:(\p{L}[\p{L}\p{M}]{2,15})\s(\d{1,2})(?!\d)|(\d{1,2})\.\s(\p{L}[\p{L}\p{M}]{2,15}))/iu
const vietnamese = /^(\d{1,2}) tháng (\d{1,2}),? năm (\d{4})(?!\d)/iu

/** A date whose month has a name: in what it means if that is one month, and with all meanings otherwise. */
const named = (
  name: string,
  lexicon: Lexicon | undefined,
  length: number,
  dayIn: (month: number) => string | undefined
): PrintedDate | undefined => {
  const meanings = [...monthsNamed(name, lexicon)].flatMap(([month, languages]): Array<Meaning> => {
    const iso = dayIn(month)
    return iso === undefined ? [] : [{ iso, languages }]
  })
  const [first, ...others] = meanings
  if (first === undefined || others.length === 0) return plainDate(first?.iso, length)
  return { iso: first.iso, others: others.map(({ iso }) => iso), ambiguous: true, length, meanings }
}

const inDigits = (match: RegExpExecArray, order: DateOrder): PrintedDate | undefined => {
  const [text, first = "", , second = "", last = ""] = match
  const year = fullYear(last)
  const dayFirst = isoDate(year, Number(second), Number(first))
  const monthFirst = isoDate(year, Number(first), Number(second))
  const yearFirst =
    order === "YMD" && first.length === 2 && last.length === 2
      ? isoDate(fullYear(first), Number(second), Number(last))
      : undefined
  const both = order === "MDY" ? [monthFirst, dayFirst] : [dayFirst, monthFirst]
  const [iso, ...others] = [...new Set([yearFirst, ...both])].filter((day) => day !== undefined)
  if (iso === undefined) return undefined
  if (yearFirst !== undefined) return { iso, others, ambiguous: false, length: text.length }
  const proves = monthFirst === undefined ? "DMY" : dayFirst === undefined ? "MDY" : undefined
  return { iso, others, ambiguous: others.length > 0, length: text.length, ...defined({ proves }) }
}

/**
 * Reads the date that a string begins with: `2024-01-31`, `31.01.2024`, `1/31/24`, `31 January 2024`, `January 31st, 2024`,
 * `31-Jan-24`, `1er février 2024`, `31 de enero de 2024`, `2024年1月31日`, and those of other calendars. `order` decides
 * `3/4/2024`.
 */
export const parseDate = (
  text: string,
  order: DateOrder = "DMY",
  lexicon?: Lexicon
): PrintedDate | undefined => {
  const iso = yearFirst.exec(text)
  if (iso !== null) return plainDate(isoDate(Number(iso[1]), Number(iso[3]), Number(iso[4])), iso[0].length)
  const [end, year, month] = monthEnd.exec(text) ?? []
  if (end !== undefined) {
    const day = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
    return plainDate(isoDate(Number(year), Number(month), day), end.length)
  }
  const other = otherCalendarDate(text)
  if (other !== undefined) return plainDate(isoDate(other.year, other.month, other.day), other.length)
  const digits = digitsOnly.exec(text)
  return digits === null ? parseNamed(text, lexicon) : inDigits(digits, order)
}

const compact = /^((?:19|20)\d{2})(\d{2})(\d{2})(?!\d)/u

/** Reads the date that eight digits at the beginning of a string are: `20240131`. Other numbers look like it. */
export const parseCompactDate = (text: string): PrintedDate | undefined => {
  const [whole, year, month, day] = compact.exec(text) ?? []
  return whole === undefined
    ? undefined
    : plainDate(isoDate(Number(year), Number(month), Number(day)), whole.length)
}

/** Reads a date whose month is written as a word. */
const parseNamed = (text: string, lexicon: Lexicon | undefined): PrintedDate | undefined => {
  const dayFirst = dayMonthName.exec(text)
  if (dayFirst !== null && monthsNamed(dayFirst[2] ?? "", lexicon).size > 0) {
    const [whole, day, name = "", year = ""] = dayFirst
    return named(name, lexicon, whole.length, (month) => isoDate(fullYear(year), month, Number(day)))
  }
  const monthFirst = monthNameDay.exec(text)
  if (monthFirst !== null && monthsNamed(monthFirst[1] ?? "", lexicon).size > 0) {
    const [whole, name = "", day, year = ""] = monthFirst
    return named(name, lexicon, whole.length, (month) => isoDate(fullYear(year), month, Number(day)))
  }
  const numbered = vietnamese.exec(text)
  if (numbered !== null) {
    const [whole, day, month, year] = numbered
    return plainDate(isoDate(Number(year), Number(month), Number(day)), whole.length)
  }
  const yearFirst = yearMonthName.exec(text)
  if (yearFirst === null) return undefined
  const [whole, year, after = "", dayAfter, dayBefore, before = ""] = yearFirst
  const day = Number(dayAfter ?? dayBefore)
  return named(after || before, lexicon, whole.length, (month) => isoDate(Number(year), month, day))
}

/**
 * A date whose month means two, in the languages of its document (tags, and how much speaks for each). It remains ambiguous
 * where they do not tell.
 */
export const inLanguages = (date: PrintedDate, languages: ReadonlyMap<string, number>): PrintedDate => {
  const ordered = (date.meanings ?? [])
    .map((meaning) => ({
      iso: meaning.iso,
      share: Math.max(0, ...[...meaning.languages].map((tag) => languages.get(tag) ?? 0))
    }))
    .toSorted((left, right) => right.share - left.share)
  const [best, next] = ordered
  if (best === undefined) return date
  return { ...date, iso: best.iso, ambiguous: best.share < 1.2 * (next?.share ?? 0) || best.share === 0 }
}

/** A date in ISO 8601. */
export const isoDay = /^\d{4}-\d{2}-\d{2}$/u

/** The date that a string is about, whatever other words it has; undefined if it has other digits as well. */
export const onlyDate = (text: string, order: DateOrder = "DMY"): PrintedDate | undefined => {
  const plain = withPlainDigits(text.trim())
  for (const { index } of plain.matchAll(/(?<![\p{L}\d])[\p{L}\d]/gu)) {
    if (/\d/u.test(plain.slice(0, index))) return undefined
    const rest = plain.slice(index)
    const date = parseDate(rest, order) ?? parseDate(rest, "YMD")
    if (date !== undefined && !/\d/u.test(rest.slice(date.length))) return date
  }
  return undefined
}
