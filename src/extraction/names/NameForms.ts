import { isForm, type NameWords, nameWords } from "../lexicon/NameWords.ts"
import type { Features } from "../Features.ts"
import type { Candidate } from "../layout/Candidate.ts"
import type { Lexicon } from "../lexicon/Lexicon.ts"

/** The most words of a name that a sentence follows. */
const mostWords = 14

/**
 * A name up to its legal form where something goes on: `TROIS PONTS SARL au capital de 38 200 €`, `Stratus, Inc. Invoice`,
 * `Firm e.U., Inhaber Jo Doe`, `Hotel Miramonte GmbH ****`.
 */
export const upToForm = (words: NameWords, text: string): string => {
  if (words.endsInForm(text)) return text
  const parts = text.split(/\s+/u)
  for (let end = Math.min(parts.length - 1, mostWords); end > 0; end--) {
    const [last = "", next = "", after = ""] = parts.slice(end - 1)
    // `Conti S.n.c. di Dario Conti`: a small word between two large ones joins them.
    const joins = words.goesOn(next) && /^\p{Lu}/u.test(after)
    if (joins || (/^[\p{Lu}\p{Lo}&]/u.test(next) && !/[.,]$/u.test(last))) continue
    const name = parts.slice(0, end).join(" ").replace(/,$/u, "")
    const own = words.withoutForm(name).trim().split(" ")
    const isName = own.every((part) => /^["„«“(]*[\p{Lu}\p{N}&]/u.test(part) || words.goesOn(part))
    // `Main Street, Co. Clare` is in a county.
    if (!isName || !words.endsInForm(name) || isForm(words, name) || /, co\.$/iu.test(name)) continue
    // The point of a sentence is no part of `Ltd`.
    const bare = name.replace(/\.$/u, "")
    return words.endsInPointedForm(bare) ? name : bare
  }
  return text
}

/** A name behind the word for it, in the block of a party: `Razón Social: Vinos del Sur SA`. */
export const withoutNameLabel = (words: NameWords, text: string): string => {
  const [, label = "", name = ""] = /^([\p{L}/ .]{2,30})[:：]\s*(.*)$/u.exec(text) ?? []
  return name !== "" && words.isNameLabel(label.replace(/(?<=\p{sc=Han})\s+(?=\p{sc=Han})/gu, ""))
    ? name
    : text
}

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
