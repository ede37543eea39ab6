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
export interface CalendarDate {
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
export const otherCalendarDate = (text: string): CalendarDate | undefined => {
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
