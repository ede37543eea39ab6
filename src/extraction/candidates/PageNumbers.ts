import { ofLexicon } from "../lexicon/Lexicon.ts"
import type { Reading } from "../layout/Reading.ts"

const pageWords = ofLexicon(
  (lexicon): ReadonlySet<string> => new Set(lexicon.words("page").map(lexicon.foldLabel))
)

const pageOfPages = /^\d{1,3} ?\/ ?\d{1,3}$/u

/** Whether what is printed from a token on is a page and the number of pages, behind the word for a page: `Sivu 1 / 2`. */
export const isPageNumber = (
  { lexicon, pages }: Reading,
  page: number,
  row: number,
  { from, text }: { readonly from: number; readonly text: string }
): boolean => {
  const before = pages[page]?.rows[row]?.[from - 1]
  return pageOfPages.test(text) && before !== undefined && pageWords(lexicon).has(before.folded)
}
