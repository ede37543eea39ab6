import { DateTime, Option } from "effect"

const date = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/u
/** The last days of a month need the calendar: `2026-02-30` is no day. */
const lastDays = /-(?:29|3[01])$/u

/** Whether a string is a day of the calendar, such as `2026-02-28`: the format `date` of JSON Schema. */
export const isDay = (text: string): boolean => {
  if (!date.test(text)) return false
  if (!lastDays.test(text)) return true
  return Option.exists(DateTime.make(text), (day) => DateTime.formatIsoDateUtc(day) === text)
}

/** A leap second is `23:59:60` in some zone. */
const time = /^T(?:[01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u

/** Whether a string is a moment with its zone, such as `2026-02-28T09:30:00Z`: the format `date-time` of JSON Schema. */
export const isDateTime = (text: string): boolean => time.test(text.slice(10)) && isDay(text.slice(0, 10))
