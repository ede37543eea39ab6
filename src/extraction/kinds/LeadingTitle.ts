import type { Token } from "../layout/PageModel.ts"
import type { KindMatch } from "./KindMatches.ts"

const ordinal = /(?:^|\s)\d{1,2}\s?(?:st|nd|rd|th|er|re|ère|e|ème|º|°|ª)$/iu

/** `2. Mahnung`, `1 er rappel`, `3rd reminder`: the count of a title is no other word. */
export const isCount = (before: ReadonlyArray<Token>): boolean => {
  const [left = "", right = ""] = before.slice(-2).map(({ text }) => text)
  const last = before.length > 1 ? right : left
  return /^(?:\d{1,2}\.)?\W*$/u.test(last) || ordinal.test(`${left} ${right}`.trim())
}

/** Whether a number follows a title, with up to two words in front of it: `invoice of ours no. 12`. */
const isNumbered = (row: ReadonlyArray<Token>, { to }: KindMatch): boolean =>
  row.slice(to, to + 4).some(({ text }) => /\d/u.test(text))

/** Whether a title of another kind comes after the first in the same piece of a line, with words in between. */
const isAbout = (row: ReadonlyArray<Token>, first: KindMatch, { from, phrase }: KindMatch): boolean =>
  phrase.kind !== first.phrase.kind && from > first.to + 1 && row[from]?.phrase === row[first.to]?.phrase

/**
 * The matches of a line with its first title as the one that heads it, where a numbered one comes after it:
 * `Zahlungserinnerung zu Rechnung Nr. 12` is about an invoice.
 */
export const withLeading = (
  row: ReadonlyArray<Token>,
  found: ReadonlyArray<KindMatch>
): ReadonlyArray<KindMatch> => {
  const titles = found.filter(({ phrase }) => phrase.isTitle)
  const [first] = titles
  if (first === undefined || !isCount(row.slice(0, first.from))) return found
  const other = titles.find((title) => isAbout(row, first, title))
  if (other === undefined || !isNumbered(row, other)) return found
  return found.map((match) =>
    match.from === first.from && match.phrase.isTitle ? { ...match, alone: "numbered" } : match
  )
}
