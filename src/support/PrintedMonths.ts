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
export const printedMonth = (text: string): number | undefined => {
  for (const word of text.toLowerCase().match(/\p{L}{3,}/gu) ?? []) {
    const month = names().get(word)
    if (month !== undefined) return month
  }
  return undefined
}
