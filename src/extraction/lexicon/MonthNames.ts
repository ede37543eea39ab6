import { plain } from "./Fold.ts"
import { type Lexicon, ofLexicon } from "./Lexicon.ts"
import { lexiconInUse } from "./ReadLexicon.ts"

/** Formats of a month: alone and in a date, where many languages inflect it; in full and abbreviated. */
const forms: ReadonlyArray<Intl.DateTimeFormatOptions> = [
  { month: "long" },
  { month: "short" },
  { month: "long", day: "numeric" },
  { month: "short", day: "numeric" }
]

const key = (name: string): string => plain(name).replace(/\.$/u, "")

/** The names of the months, January first, as `Intl` has them; numbers, as in `1月`, are no names. */
const monthsIn = (tag: string, form: Intl.DateTimeFormatOptions): ReadonlyArray<string> => {
  const format = new Intl.DateTimeFormat(tag, { ...form, timeZone: "UTC", calendar: "gregory" })
  return Array.from({ length: 12 }, (_, month) => {
    const parts = format.formatToParts(Date.UTC(2026, month, 15))
    const name = parts.find(({ type }) => type === "month")?.value ?? ""
    return /\d/u.test(name) ? "" : key(name)
  })
}

const isKnown = (tag: string): boolean =>
  tag !== "und" && Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0

/** The months that a name means, by number (1–12), each with the languages that mean it. */
export type MonthsOfName = ReadonlyMap<number, ReadonlySet<string>>

/** Every name of a month in the languages of a lexicon. `listopad` is October in Croatian and November in Polish. */
const namesOf = ofLexicon((lexicon): ReadonlyMap<string, MonthsOfName> => {
  const found = new Map<string, Map<number, Set<string>>>()
  const add = (tag: string, name: string, number: number) => {
    if (name === "" || number < 1) return
    const months = found.get(name) ?? new Map<number, Set<string>>()
    found.set(name, months.set(number, (months.get(number) ?? new Set()).add(tag)))
  }
  const english = monthsIn("en", { month: "long" })
  for (const { tag, words } of lexicon.languages) {
    if (isKnown(tag))
      for (const form of forms)
        for (const [index, name] of monthsIn(tag, form).entries()) add(tag, name, index + 1)
    for (const entry of words.months ?? []) {
      const [month = "", name = ""] = entry.split("=").map(key)
      add(tag, name, english.indexOf(month) + 1)
    }
  }
  return found
})

const none: MonthsOfName = new Map()

/** The months that a name or abbreviation means in the languages of the lexicon; mostly one, or none. */
export const monthsNamed = (name: string, lexicon: Lexicon = lexiconInUse()): MonthsOfName =>
  name === "" ? none : (namesOf(lexicon).get(key(name)) ?? none)
