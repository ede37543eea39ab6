import type { Ranked } from "./Ranked.ts"
import { isFarAhead } from "../layout/Recent.ts"

/** Digits that recognition takes for one another, by what it wrote. */
const alike: Readonly<Record<string, string>> = {
  "1": "7",
  "3": "8",
  "4": "1",
  "5": "6",
  "6": "58",
  "7": "1",
  "8": "063",
  "9": "0"
}

/**
 * A date far ahead with its year as it was probably printed: 2047 is 2017 where a 1 was taken for a 4. Undefined where
 * no year, or more than one of the last 15, looks like the one that was read.
 */
const earlier = (iso: string, today: string): string | undefined => {
  const years = [2, 3].flatMap((at) =>
    Array.from(alike[iso.charAt(at)] ?? "", (digit) => `${iso.slice(0, at)}${digit}${iso.slice(at + 1)}`)
  )
  const fitting = years.filter(
    (day) => day <= today && Number(day.slice(0, 4)) > Number(today.slice(0, 4)) - 15
  )
  return fitting.length === 1 ? fitting[0] : undefined
}

/** Puts the year right in a recognised date far ahead; what is not printed so is computed, and never sure. */
export const withLikelyYear = (found: Ranked, today: string): Ranked => {
  if (typeof found.value !== "string" || !isFarAhead(found.value, today)) return found
  const value = earlier(found.value, today)
  return value === undefined ? found : { ...found, value, computed: true }
}
