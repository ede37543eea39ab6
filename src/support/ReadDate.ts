import { withPlainDigits } from "./PlainDigits.ts"

/** The languages whose month names a printed date may contain, in addition to English. */
const tags = "en de fr es it nl pt pl cs da sv nb fi hu ro tr el ru sk ms id uk bg hr sl et lv lt ca".split(
  " "
)

/** Formats of a month: alone and in a date, where many languages inflect it; in full and abbreviated. */
const forms: ReadonlyArray<Intl.DateTimeFormatOptions> = [
  { month: "long" },
  { month: "short" },
  { month: "long", day: "numeric" },
  { month: "short", day: "numeric" }
]

const namesOf = (tag: string): ReadonlyArray<readonly [string, number]> =>
  forms.flatMap((form) => {
    const format = new Intl.DateTimeFormat(tag, { ...form, timeZone: "UTC", calendar: "gregory" })
    return Array.from({ length: 12 }, (_, month) => {
      const name = format.formatToParts(Date.UTC(2026, month, 15)).find(({ type }) => type === "month")
      return [(name?.value ?? "").toLowerCase().replace(/\.$/u, ""), month + 1] as const
    })
  })

let known: ReadonlyMap<string, number> | undefined

/** Made once, when the first date with a name is read; if two languages disagree, the first in the list counts. */
const names = (): ReadonlyMap<string, number> => {
  known ??= new Map(
    tags
      .toReversed()
      .flatMap(namesOf)
      .filter(([name]) => /^\p{L}{3,}$/u.test(name))
  )
  return known
}

/** The month (1–12) that a printed date names, in any of the languages; undefined if it names none. */
const printedMonth = (text: string): number | undefined => {
  for (const word of text.toLowerCase().match(/\p{L}{3,}/gu) ?? []) {
    const month = names().get(word)
    if (month !== undefined) return month
  }
  return undefined
}

/** A date in ISO 8601. */
export const isoDate = /^\d{4}-\d{2}-\d{2}$/u

/** The year that figures mean: of two, 1970–2069; undefined if they are none of a document. */
const yearOf = (figures: string): number | undefined => {
  const printed = Number(figures)
  const year = figures.length === 2 ? (printed < 70 ? 2000 : 1900) + printed : printed
  return year >= 1900 && year < 2200 ? year : undefined
}

const iso = (year: string, month: number, day: string): string | undefined => {
  const full = yearOf(year)
  if (full === undefined) return undefined
  const date = new Date(Date.UTC(full, month - 1, Number(day)))
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== Number(day)) return undefined
  return date.toISOString().slice(0, 10)
}

/** A year of another calendar before its first figure, as in `令和8年5月12日` and `R8.5.12`. */
const ofEra = /^\D*\p{L}\d{1,2}\D/u

/** A date as it is printed, in ISO 8601; of two numbers the day comes first where it can, or the month with `MDY`. */
export const readDate = (text: string, order: "DMY" | "MDY" = "DMY"): string | undefined => {
  const plain = withPlainDigits(text.trim())
  const found = [...plain.matchAll(/\d+/gu)]
  const [first = "", second = "", third = ""] = found.map(([figures]) => figures)
  const isYearFirst = first.length > 2 || Number(first) > 31
  if (found.length === 2) {
    const month = printedMonth(plain)
    if (month === undefined) return undefined
    return isYearFirst ? iso(first, month, second) : iso(second, month, first)
  }
  const from = found[0]?.index ?? 0
  // A day of the week before the date may look like a month: `mar. 12/05/2026`.
  const namesMonth = () => printedMonth(plain.slice(from, found[2]?.index)) !== undefined
  if (found.length !== 3 || namesMonth()) return undefined
  if (isYearFirst) return iso(first, Number(second), third)
  if (ofEra.test(plain)) return undefined
  const monthFirst = Number(second) > 12 || (order === "MDY" && Number(first) <= 12)
  return monthFirst ? iso(third, Number(first), second) : iso(third, Number(second), first)
}
