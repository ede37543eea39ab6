import type { Features } from "../Features.ts"
import type { Candidate } from "../layout/Candidate.ts"
import type { Lexicon } from "../lexicon/Lexicon.ts"
import { nameWords } from "../lexicon/NameWords.ts"

const shortest = 4
/** Each name is compared with the longest of so many others. */
const mostNames = 400

/** The whole of a shorter name, with a legal form and without, the short form of a longer one with one, and a part of any longer one. */
export type LengthFeature = "wholeName" | "longName" | "shortName" | "partOfLonger"

/**
 * Whether a name is the whole of a shorter one that is printed elsewhere, or a part of a longer one: the head of a page shows
 * `fenland energy`, its foot `Fenland Energy Supply Limited`.
 */
export const nameLengths = (
  lexicon: Lexicon,
  names: ReadonlyArray<Candidate<string>>
): ((name: Candidate<string>) => Features) => {
  const words = nameWords(lexicon)
  const padded = (value: string): string =>
    ` ${value
      .split(/[^\p{L}\p{N}'’-]+/u)
      .flatMap((word) => lexicon.fold(word) || [])
      .join(" ")} `
  const all = [...new Map(names.map(({ value }) => [padded(value), words.endsInForm(value)]))]
    .filter(([text]) => text.length >= shortest + 2)
    .slice(0, mostNames)
  return ({ value }) => {
    const own = padded(value)
    const hasForm = words.endsInForm(value)
    const hasShorter = all.some(([text]) => text.length < own.length && own.includes(text.trimEnd()))
    const longer =
      own.length < shortest + 2
        ? []
        : all.filter(([text]) => text.length > own.length && text.includes(own.trimEnd()))
    return {
      wholeName: hasShorter && hasForm ? 1 : 0,
      longName: hasShorter && !hasForm ? 1 : 0,
      shortName: longer.some(([, isWhole]) => isWhole) ? 1 : 0,
      partOfLonger: longer.length > 0 ? 1 : 0
    }
  }
}
