import { plain } from "../page/Fold.ts"
import { type Lexicon, ofLexicon } from "./Lexicon.ts"
import { shippedLexicon } from "./ReadLexicon.ts"

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

/** The month of each name in the languages of a lexicon; a name that means two months is left out. */
const numbers = ofLexicon((lexicon): ReadonlyMap<string, number> => {
  const found = new Map<string, Set<number>>()
  const add = (name: string, number: number) => {
    if (name !== "") found.set(name, (found.get(name) ?? new Set()).add(number))
  }
  for (const tag of lexicon.languages.map((language) => language.tag).filter(isKnown))
    for (const form of forms) for (const [index, name] of monthsIn(tag, form).entries()) add(name, index + 1)
  const english = monthsIn("en", { month: "long" })
  for (const entry of lexicon.words("months")) {
    const [month = "", name = ""] = entry.split("=").map(key)
    add(name, english.indexOf(month) + 1)
  }
  return new Map(
    [...found].flatMap(([name, [number = 0, ...others]]) =>
      others.length > 0 ? [] : [[name, number] as const]
    )
  )
})

/** The number of a month (1–12) by its name or abbreviation in a language of the lexicon. */
export const monthNumber = (name: string, lexicon: Lexicon = shippedLexicon()): number | undefined =>
  name === "" ? undefined : numbers(lexicon).get(key(name))
