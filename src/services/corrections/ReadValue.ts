const digits = /\d/u
const isoDate = /^\d{4}-\d{2}-\d{2}$/u
const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]

/** A number as it is printed, such as `1.234,56 €` or `$1,234.56`; the last separator is the decimal one. */
export const readNumber = (text: string): number | undefined => {
  if (!digits.test(text)) return undefined
  const plain = text.replace(/[^\d.,()-]/gu, "")
  const last = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","))
  const after = plain.length - last - 1
  const separators = plain.match(/[.,]/gu)?.length ?? 0
  // One separator before exactly three digits groups thousands.
  const isDecimal = last >= 0 && !(after === 3 && separators === 1 && last > 0)
  const whole = (isDecimal ? plain.slice(0, last) : plain).replace(/[^\d]/gu, "")
  const fraction = isDecimal ? plain.slice(last + 1).replace(/[^\d]/gu, "") : ""
  const value = Number(`${whole === "" ? "0" : whole}.${fraction === "" ? "0" : fraction}`)
  if (!Number.isFinite(value)) return undefined
  return /^\(.*\)$|^-|-$/u.test(plain) ? -value : value
}

const iso = (year: number, month: number, day: number): string | undefined => {
  const date = new Date(Date.UTC(year, month - 1, day))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  return date.toISOString().slice(0, 10)
}

/** A date as it is printed, in ISO 8601; of two numbers the day comes first where it can. */
export const readDate = (text: string): string | undefined => {
  const trimmed = text.trim()
  if (isoDate.test(trimmed)) return trimmed
  const numbers = (trimmed.match(/\d+/gu) ?? []).map(Number)
  const name = months.findIndex((month) => trimmed.toLowerCase().includes(month))
  const [first = 0, second = 0, third = 0] = numbers
  if (name >= 0 && numbers.length === 2) return iso(second, name + 1, first)
  if (numbers.length !== 3) return undefined
  if (first > 31) return iso(first, second, third)
  const year = third < 100 ? 2000 + third : third
  return second > 12 ? iso(year, first, second) : iso(year, second, first)
}

/** What a text may mean where a value of this kind was or is expected, the most likely first. */
export const readingsOf = (text: string, before: unknown): ReadonlyArray<unknown> => {
  const number = readNumber(text)
  const date = readDate(text)
  const numbers = number === undefined ? [] : [number]
  const dates = date === undefined ? [] : [date]
  if (typeof before === "number") return [...numbers, text]
  if (typeof before === "string" && isoDate.test(before)) return [...dates, text]
  return [text, ...numbers, ...dates]
}
