import type { Candidate } from "../candidates/Candidate.ts"
import type { Lexicon } from "../lexicon/Lexicon.ts"
import { nameWords } from "../lexicon/NameWords.ts"
import type { Features } from "../scoring/Scoring.ts"

const shortest = 4

/**
 * Whether a name is the whole of a shorter one that is printed elsewhere, or the beginning of a longer one with a legal
 * form: the head of a page shows `fenland energy`, its footer `Fenland Energy Supply Limited`.
 */
export const nameLengths = (
  lexicon: Lexicon,
  names: ReadonlyArray<Candidate<string>>
): ((name: Candidate<string>) => Features) => {
  const words = nameWords(lexicon)
  const folded = new Map(names.map((name) => [name, lexicon.fold(name.value)]))
  const all = [...new Set(folded.values())].filter((text) => text.length >= shortest)
  const withForm = new Set(
    names.flatMap((name) => (words.endsInForm(name.value) ? [folded.get(name) ?? ""] : []))
  )
  return (name) => {
    const own = folded.get(name) ?? ""
    const hasShorter = all.some((other) => other.length < own.length && own.startsWith(other))
    const hasLonger =
      own.length >= shortest &&
      [...withForm].some((other) => other.length > own.length && other.startsWith(own))
    return {
      wholeName: hasShorter && withForm.has(own) ? 1 : 0,
      longName: hasShorter && !withForm.has(own) ? 1 : 0,
      shortName: hasLonger ? 1 : 0
    }
  }
}
