import { earlierTitles } from "../lexicon/FieldWords.ts"
import { ofLexicon } from "../lexicon/Lexicon.ts"
import type { Span } from "../layout/PageModel.ts"
import type { Reading } from "../layout/Reading.ts"

const foldedTitles = ofLexicon(
  (lexicon): ReadonlySet<string> => new Set(earlierTitles(lexicon).map((title) => lexicon.foldLabel(title)))
)

/** How many words a title has that text names a document by. */
const mostWords = 3

/**
 * Whether running text names another document by a number, and its title is right before it: `laut Angebot 2025-118`,
 * `as per our quotation no. 118`. A title without a word before it may be the document's own.
 */
export const isNumberOfOther = ({ lexicon, pages }: Reading, { from, page, row }: Span): boolean => {
  const tokens = pages[page]?.rows[row] ?? []
  const phrase = tokens[from]?.phrase
  const before = tokens
    .slice(Math.max(0, from - mostWords - 2), from)
    .flatMap((token) => (token.phrase === phrase ? [token.text] : []))
  const isNumbered = lexicon.fold(before.at(-1) ?? "") === lexicon.fold("no.")
  const words = isNumbered ? before.slice(0, -1) : before
  const titles = foldedTitles(lexicon)
  return Array.from({ length: mostWords }, (_, i) => i + 1).some(
    (count) =>
      /\p{L}/u.test(words.at(-count - 1) ?? "") && titles.has(lexicon.fold(words.slice(-count).join(" ")))
  )
}
