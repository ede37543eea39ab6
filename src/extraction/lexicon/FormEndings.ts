import { plain } from "./Fold.ts"

/** How far from its end the last letters of a string are looked for. */
const mostOfEnding = 24

const isBehindForm = (letter: string): boolean =>
  letter === "." || letter === "," || letter === ")" || letter.trim() === ""

/**
 * The last two letters in front of the points and brackets at the end, for whatever compares forms without regard to case. Letter by
 * letter: thousands of strings are asked about.
 */
const endingOf = (text: string): string => {
  const first = Math.max(0, text.length - mostOfEnding)
  let end = text.length - 1
  while (end >= first && isBehindForm(text.charAt(end))) end--
  let letters = ""
  for (let at = end; at >= first && letters.length < 2; at--) {
    const letter = text.charAt(at)
    if (letter !== "." && letter.trim() !== "") letters = letter + letters
  }
  return letters.toLowerCase()
}

/**
 * Makes patterns of legal forms at the end of a string, each only of the forms that end in the same letters: hundreds of forms would
 * be tried at every place, and most strings end like none or a few of them. Undefined where none can be at the end.
 */
export const patternsByEnding = (
  forms: ReadonlyArray<string>,
  patternOf: (forms: ReadonlyArray<string>) => RegExp
): ((text: string) => RegExp | undefined) => {
  const endings = forms.flatMap((form) =>
    [...new Set([endingOf(form), endingOf(plain(form))])].map((ending) => ({ ending, form }))
  )
  const groups = Map.groupBy(endings, ({ ending }) => ending)
  const made = new Map<string, RegExp>()
  const make = (ending: string): RegExp => {
    // A form of one letter may be at the end of `ending` too.
    const same = new Set([ending, ending.slice(-1)])
    const pattern = patternOf([...same].flatMap((end) => groups.get(end) ?? []).map(({ form }) => form))
    made.set(ending, pattern)
    return pattern
  }
  return (text) => {
    const ending = endingOf(text)
    const known = groups.has(ending) ? ending : ending.slice(-1)
    return groups.has(known) ? (made.get(known) ?? make(known)) : undefined
  }
}
